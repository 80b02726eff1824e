import { describe, expect, it } from '@jest/globals';
import type { AuditAction, MarketplaceItemChange } from '@sluice/contract';
import type { ItemContent, StoredGrant, StoredItem } from '@sluice/store/marketplace';
import type { TenantTransaction } from '@sluice/store/resources';
import { buildCaller } from '@sluice/testkit';
import { createItem, putItemGrants, removeItem, updateItem } from './change-items.ts';

const ITEM: StoredItem = {
  id: 'sales',
  title: 'Sales',
  description: null,
  tags: [],
  domains: [],
  domainNames: [],
  license: null,
  termsOfUse: null,
  owner: { kind: 'user', id: 'ann', name: 'ann@example.com' },
  version: 3,
  queries: [{ name: 'all', datamapId: 'd1', isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] }],
  rating: null,
  downloads: 0,
  lastDownloadedTs: null,
  lastComplete: null,
  accessExpiresTs: null,
  isGranted: false,
  createdTs: 1,
  updatedTs: 2,
  updatedBy: 'ann@example.com',
};
const CHANGE: MarketplaceItemChange = { title: 'Sales', queries: [{ name: 'all', datamap_id: 'd1' }] };

const ANN = buildCaller('ann', ['datamap:write']);

type Items = TenantTransaction['items'];
type Grants = TenantTransaction['grants'];

/** Builds a transaction with one item, in which each test replaces what it is about. */
const create = (items: Partial<Items> = {}, grants: Partial<Grants> = {}) => {
  const records: object[] = [];
  const written: unknown[] = [];
  const tx = {
    by: 'ann',
    items: {
      lock: async () => ITEM,
      findAccount: async (name: string) => (name === 'bob' ? { kind: 'user', id: 'bob', name } : undefined),
      notPublished: async () => [],
      unknownDomains: async () => [],
      async insert(id: string, content: ItemContent) {
        written.push({ id, content });
        return ITEM;
      },
      async update(id: string, content: ItemContent) {
        written.push({ id, content });
        return { ...ITEM, version: 4 };
      },
      remove: async () => undefined,
      ...items,
    },
    grants: {
      ofItem: async () => [],
      unknownGrantees: async () => [],
      replace: async (_itemId: string, wanted: readonly StoredGrant[]) => void written.push(wanted),
      ...grants,
    },
    record: async (action: AuditAction, target: string, metadata: object) =>
      void records.push({ action, target, metadata }),
    skipRecord: () => undefined,
  } as unknown as TenantTransaction;
  return { tx, records, written };
};

describe('create', () => {
  it('stores the caller as the owner and records the content without SQL', async () => {
    const { tx, records, written } = create();
    await createItem(tx, ANN, { id: 'sales', ...CHANGE });
    expect(written).toMatchObject([{ id: 'sales', content: { owner: { id: 'ann' }, tags: [] } }]);
    expect(records).toMatchObject([{ action: 'CREATE_MARKETPLACE_ITEM', target: 'sales', metadata: { before: null } }]);
    expect(JSON.stringify(records)).not.toContain('SELECT');
  });

  it('needs the permission admin or datamap:write', async () => {
    const { tx } = create();
    await expect(createItem(tx, buildCaller('bob'), { id: 'x', ...CHANGE })).rejects.toMatchObject({
      code: 'access_denied',
    });
    expect(await createItem(tx, buildCaller('bob', ['admin']), { id: 'x', ...CHANGE })).toBe(ITEM);
  });

  it('rejects an id that is in use', async () => {
    const { tx } = create({ insert: async () => undefined });
    await expect(createItem(tx, ANN, { id: 'sales', ...CHANGE })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('lists unknown datamaps, domains and owners in one error', async () => {
    const { tx } = create({ notPublished: async () => ['d1'], unknownDomains: async () => ['x'] });
    const request = { id: 'sales', ...CHANGE, domains: ['x'], owner: 'nobody' };
    await expect(createItem(tx, ANN, request)).rejects.toMatchObject({
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
    const { tx, records } = create();
    await updateItem(tx, ANN, { target: { id: 'sales', version: 3 }, change: CHANGE });
    await removeItem(tx, ANN, { id: 'sales', version: undefined });
    expect(records).toMatchObject([
      { action: 'UPDATE_MARKETPLACE_ITEM', metadata: { before: { version: 3 }, after: { version: 4 } } },
      { action: 'DELETE_MARKETPLACE_ITEM', metadata: { before: { version: 3 }, after: null } },
    ]);
  });

  it('are rejected for other users', async () => {
    const { tx, records } = create();
    const bob = buildCaller('bob', ['datamap:write']);
    const target = { id: 'sales', version: 3 };
    await expect(updateItem(tx, bob, { target: target, change: CHANGE })).rejects.toMatchObject({
      code: 'access_denied',
    });
    await expect(removeItem(tx, bob, target)).rejects.toMatchObject({ code: 'access_denied' });
    expect(records).toEqual([]);
  });

  it('throw not_found for an unknown item, and precondition_failed for another version', async () => {
    for (const [id, item, code] of [
      ['x', undefined, 'not_found'],
      ['sales', ITEM, 'precondition_failed'],
    ] as const) {
      const { tx, written } = create({ lock: async () => item });
      const target = { id, version: 2 };
      await expect(updateItem(tx, ANN, { target, change: CHANGE })).rejects.toMatchObject({ code });
      await expect(removeItem(tx, ANN, target)).rejects.toMatchObject({ code });
      expect(written).toEqual([]);
    }
  });

  it('keep license and terms of use that a change does not name, and remove those that it sets to null', async () => {
    const item = { ...ITEM, license: 'CC-BY-4.0', termsOfUse: 'Ask first.' };
    const { tx, written } = create({ lock: async () => item });
    const target = { id: 'sales', version: 3 };
    await updateItem(tx, ANN, { target, change: CHANGE });
    await updateItem(tx, ANN, { target, change: { ...CHANGE, license: null, terms_of_use: ' ' } });
    await updateItem(tx, ANN, { target, change: { ...CHANGE, license: 'MIT' } });
    expect(written).toMatchObject([
      { content: { license: 'CC-BY-4.0', termsOfUse: 'Ask first.' } },
      { content: { license: null, termsOfUse: null } },
      { content: { license: 'MIT', termsOfUse: 'Ask first.' } },
    ]);
  });

  it('keep the owner, whom only admins may change', async () => {
    const { tx, written } = create();
    const admin = buildCaller('root', ['admin']);
    const target = { id: 'sales', version: 3 };
    await updateItem(tx, admin, { target: target, change: CHANGE });
    await updateItem(tx, admin, { target: target, change: { ...CHANGE, owner: 'bob' } });
    expect(written).toMatchObject([{ content: { owner: { id: 'ann' } } }, { content: { owner: { id: 'bob' } } }]);
    await expect(updateItem(tx, ANN, { target: target, change: { ...CHANGE, owner: 'bob' } })).rejects.toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('putGrants', () => {
  it('stores user names in lower case and records the grants before and after', async () => {
    const { tx, records, written } = create();
    const grants = [
      { kind: 'user', name: 'Bob@Example.com' },
      { kind: 'role', name: 'Analyst' },
    ] as const;
    await putItemGrants(tx, ANN, { id: 'sales', wanted: { grants: [...grants] } });
    const stored = [
      { kind: 'user', name: 'bob@example.com', expires_ts: null },
      { kind: 'role', name: 'Analyst', expires_ts: null },
    ];
    expect(written).toEqual([stored]);
    expect(records).toMatchObject([{ action: 'GRANT_MARKETPLACE_ITEM', metadata: { before: [], after: stored } }]);
  });

  it('rejects unknown grantees and past expiries in one error', async () => {
    const unknown: StoredGrant = { kind: 'role', name: 'x', expires_ts: 1 };
    const { tx } = create({}, { unknownGrantees: async () => [unknown] });
    await expect(putItemGrants(tx, ANN, { id: 'sales', wanted: { grants: [unknown] } })).rejects.toMatchObject({
      details: [{ path: 'body.grants' }, { path: 'body.grants[0].expires_ts' }],
    });
  });

  it('stores nothing in a dry run, and none over grants that were changed meanwhile', async () => {
    const { tx, records, written } = create();
    const grants = [{ kind: 'role', name: 'Analyst' }] as const;
    const input = { id: 'sales', wanted: { grants: [...grants] } };
    await putItemGrants(tx, ANN, { ...input, isDryRun: true });
    await expect(putItemGrants(tx, ANN, { ...input, isCurrent: () => false })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect([written, records]).toEqual([[], []]);
  });

  it('throws not_found for an unknown item', async () => {
    const { tx } = create({ lock: async () => undefined });
    await expect(putItemGrants(tx, ANN, { id: 'x', wanted: { grants: [] } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
