import { describe, expect, it } from '@jest/globals';
import { type AuditRecord, ProblemError } from '@sluice/contract';
import type { StoredItem } from '@sluice/store/marketplace';
import { buildCaller } from '@sluice/testkit';
import {
  createFindItemGrants,
  createFindMarketplaceItem,
  createFindMarketplaceItems,
} from './find-marketplace-items.ts';

const ann = buildCaller('ann');
const ITEM = {
  id: 'item',
  version: 2,
  owner: { kind: 'user', id: 'ann', name: 'ann@example.com' },
  queries: [],
  tags: [],
  domains: [],
} as unknown as StoredItem;
const FACETS = { tags: [], domains: [], owners: [] };

function fixture(auditFails?: Error) {
  const asked: unknown[] = [];
  const records: AuditRecord[] = [];
  const dependencies = {
    marketplace: {
      list: async (...input: unknown[]) => {
        asked.push(input[2]);
        return { total: 1, items: [ITEM] };
      },
      facets: async (_tenantId: string, filter: unknown) => {
        asked.push(filter);
        return FACETS;
      },
      find: async (_tenantId: string, _grantee: unknown, id: string) => (id === 'item' ? ITEM : undefined),
    },
    readItemGrants: async (_caller: unknown, id: string) => {
      if (id !== 'item') throw new ProblemError('access_denied', 'Not yours.');
      return [];
    },
    audit: {
      append: async (record: AuditRecord) => {
        if (auditFails !== undefined) throw auditFails;
        records.push(record);
      },
    },
  };
  return {
    asked,
    records,
    findAll: createFindMarketplaceItems(dependencies),
    find: createFindMarketplaceItem(dependencies),
    grants: createFindItemGrants(dependencies),
  };
}

describe('a search for items', () => {
  it('has words without regard to case, and ten items by default', async () => {
    const { findAll, asked, records } = fixture();
    const { total, data, facets } = await findAll(ann, { q: '  Big  SALES ', tag: 'x' });
    expect([total, data.map(({ id }) => id), facets]).toEqual([1, ['item'], undefined]);
    expect(asked).toMatchObject([{ words: ['big', 'sales'], tag: 'x', from: 0, size: 10 }]);
    expect(records).toMatchObject([
      {
        action: 'READ_MARKETPLACE',
        target: 'marketplace',
        metadata: { q: '  Big  SALES ', tag: 'x', from: 0, size: 10 },
      },
    ]);
  });

  it('has facets of all items that it finds, if they are asked for', async () => {
    const { findAll, asked } = fixture();
    expect((await findAll(ann, { facets: 'true', owner: 'o', size: 1 })).facets).toBe(FACETS);
    expect(asked[1]).toEqual({ words: [], tag: undefined, domain: undefined, owner: 'o' });
  });

  it('returns nothing that cannot be recorded', async () => {
    const { findAll, find, asked } = fixture(new Error('no audit'));
    await expect(findAll(ann, {})).rejects.toThrow('no audit');
    await expect(find(ann, 'item')).rejects.toThrow('no audit');
    expect(asked).toEqual([]);
  });
});

describe('one item, and its grants,', () => {
  it('are recorded; what the caller may not see is rejected and not recorded', async () => {
    const { find, grants, records } = fixture();
    expect((await find(ann, 'item')).id).toBe('item');
    expect(await grants(ann, 'item')).toEqual([]);
    await expect(find(ann, 'other')).rejects.toMatchObject({ code: 'not_found' });
    await expect(grants(ann, 'other')).rejects.toMatchObject({ code: 'access_denied' });
    expect(records).toMatchObject([
      { target: 'item', metadata: { version: 2 } },
      { target: 'item', metadata: { item: 'item' } },
    ]);
    expect(records).toHaveLength(2);
  });
});
