import type { AuditRecord } from '@sluice/contract';
import type { DatamapContent, DatamapWrites, StoredDatamap } from '@sluice/store/datamaps';
import type { ItemContent, ItemOwner, MarketplaceStore, StoredGrant, StoredItem } from '@sluice/store/marketplace';
import type { TenantContent, TenantTransaction } from '@sluice/store/resources';

/** Content of one tenant. */
interface ContentRows {
  datamaps: StoredDatamap[];
  items: StoredItem[];
  /** Grants by the id of their item. */
  grants: Record<string, readonly StoredGrant[]>;
  domains: { readonly id: string; readonly name: string }[];
  accounts: ItemOwner[];
  roles: string[];
  records: AuditRecord[];
}

const CONTENT: DatamapContent = {
  name: 'sales',
  displayName: 'sales',
  description: null,
  tags: [],
  state: 'DRAFT',
  priority: 'MEDIUM',
  steward: null,
  sql: 'SELECT 1',
  parameters: [],
  explanation: '',
  sourceId: '',
  limit: 1000,
};

interface DatamapIdentity {
  readonly id: string;
  readonly ownerId?: string;
  readonly version?: number;
}

/** Builds a stored datamap, by default a draft of the user `ann`. */
export const storedDatamap = (
  { id, ownerId = 'ann', version = 1 }: DatamapIdentity,
  change: Partial<DatamapContent> = {},
): StoredDatamap => {
  const {
    name,
    displayName,
    description,
    tags,
    state,
    priority,
    steward,
    sql,
    parameters,
    explanation,
    sourceId,
    limit,
  } = { ...CONTENT, ...change };
  const datamap = { name, display_name: displayName, state, priority, assigned: { sme: steward?.name ?? null } };
  return {
    record: {
      ...{ id, description, tags },
      datamap: { ...datamap, advanced_mode: { sql }, parameters, explanation, config: { limit } },
    },
    ...{ version, ownerId, stewardId: steward?.id ?? null, sourceId },
  } as unknown as StoredDatamap;
};

/** Builds a stored item with the query `all` of the datamap `d1`, by default of the user `ann`. */
export const storedItem = (id: string, change: Partial<StoredItem> = {}): StoredItem => ({
  id,
  ...{ title: 'Sales', description: null, tags: [], domains: [] },
  owner: { kind: 'user', id: 'ann', name: 'ann@example.com' },
  version: 1,
  queries: [{ name: 'all', datamapId: 'd1', isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] }],
  ...{ rating: null, downloads: 0, lastDownloadedTs: null, isGranted: false, accessExpiresTs: null },
  ...{ createdTs: 1, updatedTs: 1, updatedBy: 'fixture' },
  ...change,
});

const replace = <T>(rows: T[], isSame: (row: T) => boolean, to: T): T => {
  rows[rows.findIndex(isSame)] = to;
  return to;
};

const datamapsOf = (rows: ContentRows): Partial<DatamapWrites> => {
  const find = (id: string) => rows.datamaps.find(({ record }) => record.id === id);
  return {
    find: async (_actor, id) => find(id),
    findAll: async (_actor, ids) =>
      new Map(rows.datamaps.filter(({ record }) => ids.includes(record.id)).map((row) => [row.record.id, row])),
    async idsByName(_tenantId, names) {
      const named = (name: string) => rows.datamaps.filter(({ record }) => record.datamap.name === name);
      return new Map(
        names.flatMap((name) => (named(name).length === 0 ? [] : [[name, named(name).map(({ record }) => record.id)]])),
      );
    },
    findUser: async (_tenantId, email) => rows.accounts.find(({ kind, name }) => kind === 'user' && name === email),
    async create({ accountId }, { content }, record) {
      const after = storedDatamap({ id: `id of ${content.name}`, ownerId: accountId }, content);
      rows.datamaps.push(after);
      rows.records.push(record(null, after));
      return after;
    },
    async change(_actor, { id, decide }, record) {
      const before = find(id);
      const { content } = decide(before);
      const { ownerId = '', version = 0 } = before ?? {};
      const after = storedDatamap({ id, ownerId, version: version + 1 }, content);
      rows.records.push(record(before ?? null, after));
      return replace(rows.datamaps, ({ record: { id: other } }) => other === id, after);
    },
  };
};

const itemOf = (id: string, version: number, { queries, ...content }: ItemContent): StoredItem =>
  storedItem(id, {
    ...content,
    version,
    queries: queries.map((query) => ({ ...query, isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] })),
  });

const marketplaceOf = (rows: ContentRows): Partial<MarketplaceStore> => ({
  find: async (_tenantId, _grantee, id) => rows.items.find((item) => item.id === id),
  lock: async (_tenantId, _grantee, id) => rows.items.find((item) => item.id === id),
  findAccount: async (_tenantId, name) =>
    rows.accounts.find((account) => account.name === (account.kind === 'user' ? name.toLowerCase() : name)),
  notPublished: async (_tenantId, ids) =>
    ids.filter((id) => !rows.datamaps.some(({ record }) => record.id === id && record.datamap.state === 'PUBLISHED')),
  unknownDomains: async (_tenantId, ids) => ids.filter((id) => !rows.domains.some((domain) => domain.id === id)),
  async create({ id, content }, record) {
    const after = itemOf(id, 1, content);
    rows.items.push(after);
    rows.records.push(record({ before: null, after }));
    return after;
  },
  async update({ id, content }, record) {
    const before = rows.items.find((item) => item.id === id);
    if (before === undefined) return 'missing';
    const after = itemOf(id, before.version + 1, content);
    rows.records.push(record({ before, after }));
    return replace(rows.items, (item) => item.id === id, after);
  },
});

const accessOf = (rows: ContentRows): Partial<TenantContent['marketplaceAccess']> => ({
  grants: async (_tenantId, id) => rows.grants[id] ?? [],
  unknownGrantees: async (_tenantId, grants) =>
    grants.filter(
      ({ kind, name }) =>
        !(kind === 'role'
          ? rows.roles.includes(name)
          : rows.accounts.some((it) => it.kind === kind && it.name === name)),
    ),
  async setGrants({ itemId, grants }, isCurrent, record) {
    if (!isCurrent(rows.grants[itemId] ?? [])) return 'other version';
    rows.records.push(record(rows.grants[itemId] ?? []));
    rows.grants[itemId] = grants;
    return 'stored';
  },
});

/** Datamaps, domains and marketplace items of one tenant in memory, with an audit record for each change. */
export function createInMemoryContent(initial: Partial<ContentRows> = {}) {
  const rows: ContentRows = {
    ...{ datamaps: [], items: [], grants: {}, domains: [], roles: [], records: [] },
    accounts: [{ kind: 'user', id: 'ann', name: 'ann@example.com' }],
    ...initial,
  };
  const stores = { marketplace: marketplaceOf(rows), marketplaceAccess: accessOf(rows) };
  const content = {
    datamaps: datamapsOf(rows),
    ...stores,
    marketplaceChanges: { change: (_tenantId: string, work: (within: typeof stores) => unknown) => work(stores) },
  } as unknown as TenantContent;
  const tx = {
    domains: {
      findByName: async (name: string) =>
        rows.domains.find((domain) => domain.name.toLowerCase() === name.toLowerCase()),
    },
  } as unknown as TenantTransaction;
  return { rows, content, tx };
}
