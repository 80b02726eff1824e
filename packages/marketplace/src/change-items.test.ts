import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, MarketplaceItemChange } from '@sluice/contract';
import type {
  MarketplaceAccessStore,
  MarketplaceChanges,
  MarketplaceStore,
  StoredGrant,
  StoredItem,
} from '@sluice/store/marketplace';
import { buildCaller } from '@sluice/testkit';
import { createCreateItem, createPutItemGrants, createRemoveItem, createUpdateItem } from './change-items.ts';

const ITEM: StoredItem = {
  id: 'sales',
  title: 'Sales',
  description: null,
  tags: [],
  domains: [],
  owner: { kind: 'user', id: 'ann', name: 'ann@example.com' },
  version: 3,
  queries: [{ name: 'all', datamapId: 'd1', isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] }],
  rating: null,
  downloads: 0,
  lastDownloadedTs: null,
  accessExpiresTs: null,
  isGranted: false,
  createdTs: 1,
  updatedTs: 2,
  updatedBy: 'ann@example.com',
};
const CHANGE: MarketplaceItemChange = { title: 'Sales', queries: [{ name: 'all', datamap_id: 'd1' }] };

const ANN = buildCaller('ann', ['datamap:write']);

type Changes = Pick<MarketplaceStore, 'lock' | 'findAccount' | 'notPublished' | 'unknownDomains'> &
  Pick<MarketplaceStore, 'create' | 'update' | 'remove'>;
type Grants = Pick<MarketplaceAccessStore, 'grants' | 'unknownGrantees' | 'setGrants'>;

/** Creates the changes of a store with one item, in which each test replaces what it is about. */
const create = (changes: Partial<Changes> = {}, grants: Partial<Grants> = {}) => {
  const records: AuditRecord[] = [];
  const written: unknown[] = [];
  const marketplace: Changes = {
    lock: async () => ITEM,
    findAccount: async (_tenantId, name) => (name === 'bob' ? { kind: 'user', id: 'bob', name } : undefined),
    notPublished: async () => [],
    unknownDomains: async () => [],
    async create(write, record) {
      written.push(write);
      records.push(record({ before: null, after: ITEM }));
      return ITEM;
    },
    async update(write, record) {
      written.push(write);
      records.push(record({ before: ITEM, after: { ...ITEM, version: 4 } }));
      return ITEM;
    },
    async remove(_target, record) {
      records.push(record({ before: ITEM, after: null }));
      return ITEM;
    },
    ...changes,
  };
  const marketplaceAccess: Grants = {
    grants: async () => [],
    unknownGrantees: async () => [],
    async setGrants(write, isCurrent, record) {
      if (!isCurrent([])) return 'other version';
      written.push(write.grants);
      records.push(record([]));
      return 'stored';
    },
    ...grants,
  };
  const within = {
    marketplace: marketplace as MarketplaceStore,
    marketplaceAccess: marketplaceAccess as MarketplaceAccessStore,
  };
  const stores: { marketplaceChanges: MarketplaceChanges } = {
    marketplaceChanges: { change: (_tenantId, work) => work(within) },
  };
  const change = {
    create: createCreateItem(stores),
    update: createUpdateItem(stores),
    remove: createRemoveItem(stores),
    putGrants: createPutItemGrants(stores),
  };
  return { change, records, written };
};

describe('create', () => {
  it('stores the caller as the owner and records the content without SQL', async () => {
    const { change, records, written } = create();
    await change.create(ANN, { id: 'sales', ...CHANGE });
    expect(written).toMatchObject([{ tenantId: 't', id: 'sales', content: { owner: { id: 'ann' }, tags: [] } }]);
    expect(records).toMatchObject([{ action: 'CREATE_MARKETPLACE_ITEM', target: 'sales', metadata: { before: null } }]);
    expect(JSON.stringify(records)).not.toContain('SELECT');
  });

  it('needs the permission admin or datamap:write', async () => {
    const { change } = create();
    await expect(change.create(buildCaller('bob'), { id: 'x', ...CHANGE })).rejects.toMatchObject({
      code: 'access_denied',
    });
    expect(await change.create(buildCaller('bob', ['admin']), { id: 'x', ...CHANGE })).toBe(ITEM);
  });

  it('rejects an id that is in use', async () => {
    const { change } = create({ create: async () => undefined });
    await expect(change.create(ANN, { id: 'sales', ...CHANGE })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('lists unknown datamaps, domains and owners in one error', async () => {
    const { change } = create({ notPublished: async () => ['d1'], unknownDomains: async () => ['x'] });
    const request = { id: 'sales', ...CHANGE, domains: ['x'], owner: 'nobody' };
    await expect(change.create(ANN, request)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [
        { path: 'body.queries', message: 'there is no published datamap d1' },
        { path: 'body.domains', message: 'there is no domain x' },
        { path: 'body.owner', message: 'there is no user or client nobody' },
      ],
    });
  });
});

describe('update and remove', () => {
  it('record the state before and after the change', async () => {
    const { change, records } = create();
    await change.update(ANN, { target: { id: 'sales', version: 3 }, change: CHANGE });
    await change.remove(ANN, { id: 'sales', version: undefined });
    expect(records).toMatchObject([
      { action: 'UPDATE_MARKETPLACE_ITEM', metadata: { before: { version: 3 }, after: { version: 4 } } },
      { action: 'DELETE_MARKETPLACE_ITEM', metadata: { before: { version: 3 }, after: null } },
    ]);
  });

  it('are rejected for other users', async () => {
    const { change, records } = create();
    const bob = buildCaller('bob', ['datamap:write']);
    const target = { id: 'sales', version: 3 };
    await expect(change.update(bob, { target: target, change: CHANGE })).rejects.toMatchObject({
      code: 'access_denied',
    });
    await expect(change.remove(bob, target)).rejects.toMatchObject({ code: 'access_denied' });
    expect(records).toEqual([]);
  });

  it.each([
    ['missing', 'not_found'],
    ['other version', 'precondition_failed'],
  ] as const)('map the outcome %s to %s', async (outcome, code) => {
    const { change } = create({ update: async () => outcome, remove: async () => outcome });
    await expect(change.update(ANN, { target: { id: 'sales', version: 2 }, change: CHANGE })).rejects.toMatchObject({
      code,
    });
    await expect(change.remove(ANN, { id: 'sales', version: 2 })).rejects.toMatchObject({ code });
  });

  it('keep the owner, whom only admins may change', async () => {
    const { change, written } = create();
    const admin = buildCaller('root', ['admin']);
    const target = { id: 'sales', version: 3 };
    await change.update(admin, { target: target, change: CHANGE });
    await change.update(admin, { target: target, change: { ...CHANGE, owner: 'bob' } });
    expect(written).toMatchObject([{ content: { owner: { id: 'ann' } } }, { content: { owner: { id: 'bob' } } }]);
    await expect(change.update(ANN, { target: target, change: { ...CHANGE, owner: 'bob' } })).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('putGrants', () => {
  it('stores user names in lower case and records the grants before and after', async () => {
    const { change, records, written } = create();
    const grants = [
      { kind: 'user', name: 'Bob@Example.com' },
      { kind: 'role', name: 'Analyst' },
    ] as const;
    await change.putGrants(ANN, { id: 'sales', wanted: { grants: [...grants] } });
    const stored = [
      { kind: 'user', name: 'bob@example.com', expires_ts: null },
      { kind: 'role', name: 'Analyst', expires_ts: null },
    ];
    expect(written).toEqual([stored]);
    expect(records).toMatchObject([{ action: 'GRANT_MARKETPLACE_ITEM', metadata: { before: [], after: stored } }]);
  });

  it('rejects unknown grantees and past expiries in one error', async () => {
    const unknown: StoredGrant = { kind: 'role', name: 'x', expires_ts: 1 };
    const { change } = create({}, { unknownGrantees: async () => [unknown] });
    await expect(change.putGrants(ANN, { id: 'sales', wanted: { grants: [unknown] } })).rejects.toMatchObject({
      details: [{ path: 'body.grants' }, { path: 'body.grants[0].expires_ts' }],
    });
  });

  it('stores nothing in a dry run, and none over grants that were changed meanwhile', async () => {
    const { change, records, written } = create();
    const grants = [{ kind: 'role', name: 'Analyst' }] as const;
    const input = { id: 'sales', wanted: { grants: [...grants] } };
    await change.putGrants(ANN, { ...input, isDryRun: true });
    await expect(change.putGrants(ANN, { ...input, isCurrent: () => false })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect([written, records]).toEqual([[], []]);
  });

  it('throws not_found for an unknown or removed item', async () => {
    const unknown = create({ lock: async () => undefined }).change;
    await expect(unknown.putGrants(ANN, { id: 'x', wanted: { grants: [] } })).rejects.toMatchObject({
      code: 'not_found',
    });
    const removed = create({}, { setGrants: async () => 'missing' }).change;
    await expect(removed.putGrants(ANN, { id: 'sales', wanted: { grants: [] } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
