import { describe, expect, it } from '@jest/globals';
import type { AppliedChange, Configuration, MarketplaceGrants, ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createInMemoryContent, storedItem } from '../../../../tests/administration/in-memory-content.ts';
import { applyItemGrants } from './apply-item-grants.ts';
import { createConfigurationViolations } from './configuration-violations.ts';

type Grants = MarketplaceGrants['grants'];

const admin = buildCaller('me', ['admin', 'datamap:write']);
const ANALYST: Grants[number] = { kind: 'role', name: 'analyst' };

function fixture() {
  const { rows, tx } = createInMemoryContent({ roles: ['analyst'], items: [storedItem('sales')] });
  const apply = async (
    grants: Grants | undefined,
    { file = {}, action = 'none' }: { file?: object; action?: AppliedChange['action'] | 'violation' } = {},
  ) => {
    const violations = createConfigurationViolations();
    const describeSql = () => Promise.reject(new TypeError('no SQL'));
    const step = { tx, caller: admin, describeSql, signal: new AbortController().signal, violations };
    const item = action === 'violation' ? undefined : ({ action } as AppliedChange);
    const entry = { id: 'sales', grants, path: 'marketplace_items[0]', item };
    return { change: await applyItemGrants(step, entry, file as Configuration), violations: listOf(violations) };
  };
  return { rows, apply };
}

function listOf(violations: ReturnType<typeof createConfigurationViolations>): readonly string[] {
  try {
    violations.throwIfAny();
    return [];
  } catch (thrown) {
    return ((thrown as ProblemError).details ?? []).map(({ path, message }) => `${path}: ${message}`);
  }
}

describe('the grants of an item in a file', () => {
  it('are replaced if they differ, and reported as created with a new item', async () => {
    const { apply } = fixture();
    expect((await apply([ANALYST])).change).toMatchObject({ action: 'update', before: [], name: 'sales' });
    expect((await apply([ANALYST])).change).toMatchObject({ action: 'none' });
    expect((await apply([], { action: 'create' })).change).toMatchObject({ action: 'create', before: null });
  });

  it('are kept if the file does not have them', async () => {
    const { apply } = fixture();
    await apply([ANALYST]);
    expect((await apply(undefined)).change).toBeUndefined();
    expect((await apply([ANALYST])).change).toMatchObject({ action: 'none' });
  });

  it('of unknown grantees are mistakes, unless the file creates them', async () => {
    const { apply } = fixture();
    const grants: Grants = [ANALYST, { kind: 'user', name: 'Bob@Example.com' }];
    expect(await apply(grants)).toEqual({
      change: undefined,
      violations: ['body.marketplace_items[0].grants[1]: there is no user bob@example.com'],
    });
    const created = await apply(grants, { file: { users: [{ email: 'bob@example.com' }] } });
    expect(created.violations).toEqual([]);
  });

  it('that would have expired are mistakes', async () => {
    const { apply } = fixture();
    const { change, violations } = await apply([{ ...ANALYST, expires_ts: 5 }]);
    expect([change, violations.length]).toEqual([undefined, 1]);
    expect(violations[0]).toContain('body.marketplace_items[0].grants[0]');
  });

  it('are not applied to an item with a mistake', async () => {
    const { apply } = fixture();
    expect(await apply([ANALYST], { action: 'violation' })).toEqual({ change: undefined, violations: [] });
    expect((await apply([])).change).toMatchObject({ action: 'none' });
  });
});
