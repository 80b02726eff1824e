import { describe, expect, it } from '@jest/globals';
import type { AuditRecord } from '@sluice/contract';
import type { Administration, AdministrationStore, GrantQuery, StoredItemGrant } from '@sluice/store/administration';
import { buildCaller } from '@sluice/testkit';
import { createFindGrant, createFindGrants } from './find-grants.ts';

const caller = buildCaller('me', ['admin']);
const KEY = { itemId: 'item', kind: 'role', name: 'analyst' } as const;

function fixture() {
  const queries: GrantQuery[] = [];
  const records: AuditRecord[] = [];
  const within = {
    grants: {
      list: async (query: GrantQuery) => {
        queries.push(query);
        return { total: 0, grants: [] };
      },
      find: async ({ name }: { readonly name: string }) =>
        name === 'analyst' ? ({ item_id: 'item' } as unknown as StoredItemGrant) : undefined,
    },
    record: async (record: AuditRecord) => void records.push(record),
  } as unknown as Administration;
  const administration: Pick<AdministrationStore, 'read'> = { read: (_tenantId, work) => work(within) };
  return { queries, records, list: createFindGrants({ administration }), find: createFindGrant({ administration }) };
}

describe('a list of grants', () => {
  it.each([
    [{}, undefined],
    [{ role: 'Analyst' }, { kind: 'role', name: 'Analyst' }],
    [{ user: 'Ann@Example.com' }, { kind: 'user', name: 'ann@example.com' }],
    [{ client: 'Etl' }, { kind: 'client', name: 'Etl' }],
  ])('with %j is of that grantee: only e-mails are found without regard to case', async (query, subject) => {
    const { list, queries } = fixture();
    await list(caller, query);
    expect(queries).toEqual([{ subject, itemId: undefined, expired: undefined, from: 0, size: 100 }]);
  });

  it('is recorded with its filters and its page', async () => {
    const { list, records } = fixture();
    await list(caller, { item: 'item', expired: true, from: 5, size: 2 } as never);
    const metadata = { item: 'item', expired: true, from: 5, size: 2 };
    expect(records).toMatchObject([{ action: 'READ_MARKETPLACE', target: 'grants', metadata }]);
  });
});

describe('one grant', () => {
  it('is recorded; an unknown one is not_found and not recorded', async () => {
    const { find, records } = fixture();
    expect(await find(caller, KEY)).toEqual({ item_id: 'item' });
    await expect(find(caller, { ...KEY, name: 'other' })).rejects.toMatchObject({ code: 'not_found' });
    expect(records).toMatchObject([{ target: 'item', metadata: { kind: 'role', name: 'analyst' } }]);
    expect(records.length).toBe(1);
  });
});
