import type { AuditRecord } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { type Grantee, ITEM_COLUMNS, type ItemOwner, type ItemRow, itemOf, type StoredItem } from './item-mapper.ts';
import { lockItem } from './lock-item.ts';
import { createMarketplaceReads, type MarketplaceReads } from './marketplace-reads.ts';

export interface ItemContent {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly domains: readonly string[];
  readonly owner: ItemOwner;
  readonly queries: readonly { readonly name: string; readonly datamapId: string }[];
}

interface ItemWrite {
  readonly tenantId: string;
  readonly id: string;
  readonly by: string;
  readonly content: ItemContent;
}

/** Version that the caller has read; undefined: any version. */
interface ExpectedVersion {
  readonly version: number | undefined;
}

interface ItemTarget extends ExpectedVersion {
  readonly tenantId: string;
  readonly id: string;
}

export type ItemRejection = 'missing' | 'other version';

/** Change of an item, for its audit record; null: the item did not exist, or no longer exists. */
export interface ItemChange {
  readonly before: StoredItem | null;
  readonly after: StoredItem | null;
}

type RecordItem = (change: ItemChange) => AuditRecord;

interface MarketplaceDownload {
  readonly tenantId: string;
  readonly queryId: string;
  readonly itemId: string;
  readonly version: number;
}

/** Items of a tenant. Every change is one transaction with its audit record. */
export interface MarketplaceStore extends MarketplaceReads {
  /** Finds an item and locks it, with its grants, until the end of the transaction. */
  lock(tenantId: string, grantee: Grantee, id: string): Promise<StoredItem | undefined>;
  /** Returns undefined when the id is taken. */
  create(write: ItemWrite, record: RecordItem): Promise<StoredItem | undefined>;
  /** Stores a new version of an existing item. */
  update(write: ItemWrite & ExpectedVersion, record: RecordItem): Promise<StoredItem | ItemRejection>;
  /** Returns the removed item. */
  remove(target: ItemTarget, record: RecordItem): Promise<StoredItem | ItemRejection>;
  /** Stored before the query starts, so that code that stops queries can recognize it. */
  beginDownload(download: MarketplaceDownload): Promise<void>;
  countDownload(tenantId: string, itemId: string): Promise<void>;
}

const INSERT = `
  insert into marketplace_items
    (tenant_id, item_id, title, description, tags, domain_ids, owner_kind, owner_id, owner_name, search, updated_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (tenant_id, item_id) do nothing returning item_id`;

const UPDATE = `
  update marketplace_items set title = $3, description = $4, tags = $5, domain_ids = $6, owner_kind = $7, owner_id = $8,
    owner_name = $9, search = $10, updated_by = $11, updated = clock_timestamp(), version = version + 1
  where tenant_id = $1 and item_id = $2 returning item_id`;

const INSERT_QUERIES = `
  insert into marketplace_queries (tenant_id, item_id, position, name, datamap_id)
  select $1, $2, position, name, datamap_id
  from unnest($3::text[], $4::uuid[]) with ordinality as q (name, datamap_id, position)`;

const LOCK = 'select 1 from marketplace_items where tenant_id = $1 and item_id = $2 for update';
const DELETE = 'delete from marketplace_items where tenant_id = $1 and item_id = $2';
const FIND = `select ${ITEM_COLUMNS} from marketplace_items i where i.tenant_id = $1 and i.item_id = $5`;
const NO_GRANTEE: Grantee = { kind: 'user', name: '', roles: [] };

/** Text in which `q` is searched. */
const searchText = ({ title, description, tags }: ItemContent): string =>
  [title, description ?? '', ...tags].join('\n').normalize('NFC').toLowerCase();

const valuesOf = ({ tenantId, id, by, content }: ItemWrite): unknown[] => {
  const { title, description, tags, domains, owner } = content;
  return [tenantId, id, title, description, tags, domains, owner.kind, owner.id, owner.name, searchText(content), by];
};

async function find(transaction: Transaction, tenantId: string, id: string): Promise<StoredItem | null> {
  const [row] = await transaction.query<ItemRow>(FIND, [
    tenantId,
    NO_GRANTEE.kind,
    NO_GRANTEE.name,
    NO_GRANTEE.roles,
    id,
  ]);
  return row === undefined ? null : itemOf(row);
}

async function lockedItem(transaction: Transaction, target: ItemTarget): Promise<StoredItem | ItemRejection> {
  await transaction.query(LOCK, [target.tenantId, target.id]);
  const found = await find(transaction, target.tenantId, target.id);
  if (found === null) return 'missing';
  return target.version === undefined || target.version === found.version ? found : 'other version';
}

interface SaveInput {
  readonly statement: string;
  readonly before: StoredItem | null;
  readonly record: RecordItem;
}

async function writeQueries(transaction: Transaction, { tenantId, id, content }: ItemWrite): Promise<void> {
  await transaction.query('delete from marketplace_queries where tenant_id = $1 and item_id = $2', [tenantId, id]);
  const names = content.queries.map(({ name }) => name);
  const datamapIds = content.queries.map(({ datamapId }) => datamapId);
  await transaction.query(INSERT_QUERIES, [tenantId, id, names, datamapIds]);
}

export function createMarketplaceStore(database: TenantDatabase): MarketplaceStore {
  const save = async (
    transaction: Transaction,
    write: ItemWrite,
    wanted: SaveInput,
  ): Promise<StoredItem | undefined> => {
    const { statement, before, record } = wanted;
    const [saved] = await transaction.query(statement, valuesOf(write));
    if (saved === undefined) return undefined;
    await writeQueries(transaction, write);
    const after = await find(transaction, write.tenantId, write.id);
    await appendAudit(transaction, record({ before, after }));
    return after ?? undefined;
  };

  const reads = createMarketplaceReads(database);
  return {
    ...reads,
    lock: (tenantId, grantee, id) =>
      database.withTenant(tenantId, async (transaction) =>
        (await lockItem(transaction, tenantId, id)) ? await reads.find(tenantId, grantee, id) : undefined,
      ),
    create: (write, record) =>
      database.withTenant(write.tenantId, (transaction) =>
        save(transaction, write, { statement: INSERT, before: null, record }),
      ),
    update: (write, record) =>
      database.withTenant(write.tenantId, async (transaction) => {
        const before = await lockedItem(transaction, write);
        if (typeof before === 'string') return before;
        return (await save(transaction, write, { statement: UPDATE, before, record })) ?? 'missing';
      }),
    remove: (target, record) =>
      database.withTenant(target.tenantId, async (transaction) => {
        const before = await lockedItem(transaction, target);
        if (typeof before === 'string') return before;
        await transaction.query(DELETE, [target.tenantId, target.id]);
        await appendAudit(transaction, record({ before, after: null }));
        return before;
      }),
    async beginDownload({ tenantId, queryId, itemId, version }) {
      await database.withTenant(tenantId, (transaction) =>
        transaction.query(
          'insert into marketplace_downloads (tenant_id, query_id, item_id, version) values ($1, $2, $3, $4)',
          [tenantId, queryId, itemId, version],
        ),
      );
    },
    async countDownload(tenantId, itemId) {
      await database.withTenant(tenantId, (transaction) => transaction.query(COUNT_DOWNLOAD, [tenantId, itemId]));
    },
  };
}

/** Does not count downloads of an item that was removed meanwhile. */
const COUNT_DOWNLOAD = `
  insert into marketplace_counts as n (tenant_id, item_id, downloads, last_downloaded)
  select tenant_id, item_id, 1, now() from marketplace_items where tenant_id = $1 and item_id = $2
  on conflict (tenant_id, item_id) do update set downloads = n.downloads + 1, last_downloaded = now()`;
