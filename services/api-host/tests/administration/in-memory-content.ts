import type { AuditAction, AuditRecord } from '@sluice/contract';
import type { DatamapContent, StoredDatamap } from '@sluice/store/datamaps';
import type { ItemContent, ItemOwner, StoredGrant, StoredItem } from '@sluice/store/marketplace';
import type { TenantTransaction } from '@sluice/store/resources';

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
  ...{ title: 'Sales', description: null, tags: [], domains: [], domainNames: [], license: null, termsOfUse: null },
  owner: { kind: 'user', id: 'ann', name: 'ann@example.com' },
  version: 1,
  queries: [{ name: 'all', datamapId: 'd1', isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] }],
  ...{
    rating: null,
    downloads: 0,
    lastDownloadedTs: null,
    lastComplete: null,
    isGranted: false,
    accessExpiresTs: null,
  },
  ...{ createdTs: 1, updatedTs: 1, updatedBy: 'fixture' },
  ...change,
});

const replace = <T>(rows: T[], isSame: (row: T) => boolean, to: T): T => {
  rows[rows.findIndex(isSame)] = to;
  return to;
};

const datamapsOf = (rows: ContentRows): Partial<TenantTransaction['datamaps']> => {
  const find = (id: string) => rows.datamaps.find(({ record }) => record.id === id);
  return {
    find: async (_account, id) => find(id),
    lock: async (_account, id) => find(id),
    findAll: async (_account, ids) =>
      new Map(rows.datamaps.filter(({ record }) => ids.includes(record.id)).map((row) => [row.record.id, row])),
    async idsByName(names) {
      const named = (name: string) => rows.datamaps.filter(({ record }) => record.datamap.name === name);
      return new Map(
        names.flatMap((name) => (named(name).length === 0 ? [] : [[name, named(name).map(({ record }) => record.id)]])),
      );
    },
    findUser: async (email) => rows.accounts.find(({ kind, name }) => kind === 'user' && name === email),
    async insert({ id: ownerId }, { content }) {
      const after = storedDatamap({ id: `id of ${content.name}`, ownerId }, content);
      rows.datamaps.push(after);
      return after;
    },
    async update(_account, id, { content }) {
      const { ownerId = '', version = 0 } = find(id) ?? {};
      const after = storedDatamap({ id, ownerId, version: version + 1 }, content);
      return replace(rows.datamaps, ({ record: { id: other } }) => other === id, after);
    },
  };
};

const itemOf = (id: string, version: number, { queries, ...content }: ItemContent): StoredItem =>
  storedItem(id, {
    ...content,
    domainNames: content.domains,
    version,
    queries: queries.map((query) => ({ ...query, isPublished: true, sql: 'SELECT 1', parameters: [], columns: [] })),
  });

const itemsOf = (rows: ContentRows): Partial<TenantTransaction['items']> => {
  const find = async (id: string) => rows.items.find((item) => item.id === id);
  return {
    find,
    lock: find,
    findAccount: async (name) =>
      rows.accounts.find((account) => account.name === (account.kind === 'user' ? name.toLowerCase() : name)),
    notPublished: async (ids) =>
      ids.filter((id) => !rows.datamaps.some(({ record }) => record.id === id && record.datamap.state === 'PUBLISHED')),
    unknownDomains: async (ids) => ids.filter((id) => !rows.domains.some((domain) => domain.id === id)),
    async insert(id, content) {
      const after = itemOf(id, 1, content);
      rows.items.push(after);
      return after;
    },
    async update(id, content) {
      const version = (await find(id))?.version ?? 0;
      return replace(rows.items, (item) => item.id === id, itemOf(id, version + 1, content));
    },
  };
};

const grantsOf = (rows: ContentRows): Partial<TenantTransaction['grants']> => ({
  ofItem: async (id) => rows.grants[id] ?? [],
  unknownGrantees: async (grants) =>
    grants.filter(
      ({ kind, name }) =>
        !(kind === 'role'
          ? rows.roles.includes(name)
          : rows.accounts.some((it) => it.kind === kind && it.name === name)),
    ),
  async replace(id, grants) {
    rows.grants[id] = grants;
  },
});

/** Datamaps, domains and marketplace items of one tenant in memory, with an audit record for each change. */
export function createInMemoryContent(initial: Partial<ContentRows> = {}) {
  const rows: ContentRows = {
    ...{ datamaps: [], items: [], grants: {}, domains: [], roles: [], records: [] },
    accounts: [{ kind: 'user', id: 'ann', name: 'ann@example.com' }],
    ...initial,
  };
  const tx = {
    by: 'ann@example.com',
    datamaps: datamapsOf(rows),
    items: itemsOf(rows),
    grants: grantsOf(rows),
    factChanges: { add: async () => undefined },
    domains: {
      findByName: async (name: string) =>
        rows.domains.find((domain) => domain.name.toLowerCase() === name.toLowerCase()),
    },
    record: async (action: AuditAction, target: string, metadata?: AuditRecord['metadata']) =>
      void rows.records.push({
        tenantId: 't',
        user: 'ann@example.com',
        action,
        target,
        ...(metadata && { metadata }),
      }),
  } as unknown as TenantTransaction;
  return { rows, tx };
}
