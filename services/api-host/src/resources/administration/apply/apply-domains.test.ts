import { describe, expect, it } from '@jest/globals';
import type { Configuration } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createInMemoryAdministration } from '../../../../tests/administration/in-memory-administration.ts';
import { applyDomains } from './apply-domains.ts';

const caller = buildCaller('me', ['admin']);
const SALES = { id: '1', name: 'Sales', description: 'What we sell', version: 1 };

function fixture() {
  const { rows, open } = createInMemoryAdministration({ domains: [SALES] });
  const apply = (domains: Configuration['domains']) => applyDomains(open(caller), { domains } as Configuration);
  return { rows, apply };
}

describe('the domains of a file', () => {
  it.each([
    ['a new name', { name: 'People' }, 'create', { name: 'People', description: null }],
    ['the same name and description', { name: 'Sales', description: 'What we sell' }, 'none', undefined],
    ['no description, which keeps it', { name: 'Sales' }, 'none', undefined],
    ['a name in another case', { name: 'sales' }, 'update', { name: 'sales', description: 'What we sell' }],
    ['another description', { name: 'Sales', description: 'x' }, 'update', { name: 'Sales', description: 'x' }],
    ['an empty description', { name: 'Sales', description: '' }, 'update', { name: 'Sales', description: null }],
  ])('with %s', async (_, domain, action, stored) => {
    const { rows, apply } = fixture();
    const [change] = await apply([domain]);
    expect(change).toMatchObject({ kind: 'domain', name: domain.name, action });
    expect(rows.records.length).toBe(action === 'none' ? 0 : 1);
    expect(rows.domains.at(-1)).toMatchObject(stored ?? SALES);
  });

  it('may be missing', async () => {
    expect(await fixture().apply(undefined)).toEqual([]);
  });
});
