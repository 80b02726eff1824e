import { randomUUID } from 'node:crypto';
import {
  type AuditRecord,
  type Column,
  type DatamapRecord,
  jdbcTypeOf,
  type ParameterDeclaration,
  type UserActivity,
} from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { refreshSearch } from '../search/refresh-search.ts';
import { type DatamapRow, datamapRecordOf } from './datamap-mapper.ts';
import {
  DELETE_FACT,
  DELETE_FIELDS,
  FIND_DATAMAP,
  FIND_DATAMAPS,
  INSERT_COUNTERS,
  INSERT_DATAMAP,
  INSERT_FACT,
  INSERT_FIELDS,
  LOCK_DATAMAP,
  LOCK_DATAMAP_TO_DELETE,
  UPDATE_DATAMAP,
  UPDATE_FACT,
  UPDATE_READS,
} from './datamap-statements.ts';
import { setActivity } from './set-activity.ts';

/** Account that reads or writes. */
export interface DatamapActor {
  readonly tenantId: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  readonly user: string;
}

export interface StoredDatamap {
  readonly record: DatamapRecord;
  /** Increases with every change. */
  readonly version: number;
  readonly ownerId: string;
  readonly stewardId: string | null;
  readonly sourceId: string;
}

/** Everything that users write in a datamap. */
export interface DatamapContent {
  readonly name: string;
  readonly displayName: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly state: DatamapRecord['datamap']['state'];
  readonly priority: DatamapRecord['datamap']['priority'];
  readonly steward: { readonly id: string; readonly name: string } | null;
  readonly sql: string | null;
  readonly parameters: readonly ParameterDeclaration[];
  readonly explanation: string;
  readonly sourceId: string;
  readonly limit: number;
}

/** What the engine reports about SQL. */
export interface DescribedSql {
  readonly columns: readonly Column[];
  /** Tables that it reads, as an import names them. */
  readonly reads: readonly string[];
}

interface DatamapWrite {
  readonly content: DatamapContent;
  /** Description of new SQL; undefined when the SQL is unchanged. */
  readonly described?: DescribedSql | undefined;
  readonly isPublished?: boolean;
}

export type RecordDatamap = (before: StoredDatamap | null, after: StoredDatamap | null) => AuditRecord;

/** Changes of datamaps. Each is one transaction with its audit record, and visible to the next search. */
export interface DatamapWrites {
  /** Returns undefined for an id that is not a datamap of this tenant. */
  find(actor: DatamapActor, id: string): Promise<StoredDatamap | undefined>;
  create(actor: DatamapActor, write: DatamapWrite, record: RecordDatamap): Promise<StoredDatamap>;
  /** `decide` receives the locked datamap and returns its new state. If it throws, nothing changes. */
  change(
    actor: DatamapActor,
    target: { readonly id: string; readonly decide: (found: StoredDatamap | undefined) => DatamapWrite },
    record: RecordDatamap,
  ): Promise<StoredDatamap>;
  /** `decide` throws when the datamap may not be removed. */
  remove(
    actor: DatamapActor,
    target: { readonly id: string; readonly decide: (found: StoredDatamap | undefined) => void },
    record: RecordDatamap,
  ): Promise<void>;
  /** `decide` throws when the activity is not allowed. Undefined members keep their value. */
  setActivity(
    actor: DatamapActor,
    target: {
      readonly id: string;
      readonly activity: Partial<Pick<UserActivity, 'is_favourite' | 'rating' | 'vote'>>;
      readonly decide: (found: StoredDatamap | undefined) => void;
    },
    record: RecordDatamap,
  ): Promise<StoredDatamap>;
  /** Finds the user with this e-mail, as a possible steward. */
  findUser(tenantId: string, email: string): Promise<{ readonly id: string; readonly name: string } | undefined>;
  /** Returns the existing datamaps by id. */
  findAll(actor: DatamapActor, ids: readonly string[]): Promise<ReadonlyMap<string, StoredDatamap>>;
  /** Returns the ids of datamaps with these names in any state, by name, oldest first. */
  idsByName(tenantId: string, names: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

const storedOf = (row: DatamapRow, accountId: string): StoredDatamap => ({
  record: datamapRecordOf(row, { accountId, score: 0 }),
  version: Number(row.version),
  ownerId: row.owner_id,
  stewardId: row.steward_id,
  sourceId: row.config.source_id ?? '',
});

const read = async (
  transaction: Transaction,
  { tenantId, accountId }: DatamapActor,
  id: string,
): Promise<StoredDatamap | undefined> => {
  const [row] = await transaction.query<DatamapRow>(FIND_DATAMAP, [tenantId, accountId, id]);
  return row && storedOf(row, accountId);
};

const readBack = async (transaction: Transaction, actor: DatamapActor, id: string): Promise<StoredDatamap> => {
  const found = await read(transaction, actor, id);
  if (found === undefined) throw new Error('a locked datamap was removed');
  return found;
};

const configOf = ({ sourceId, limit }: DatamapContent): string => JSON.stringify({ source_id: sourceId, limit });

const writeDescription = async (
  transaction: Transaction,
  tenantId: string,
  { id, columns, reads }: DescribedSql & { readonly id: string },
): Promise<void> => {
  await transaction.query(UPDATE_READS, [tenantId, id, reads]);
  await transaction.query(DELETE_FIELDS, [tenantId, id]);
  const fields = columns.map(({ name, type }, position) => ({ position, name, type, ...jdbcTypeOf(type) }));
  if (fields.length > 0) await transaction.query(INSERT_FIELDS, [tenantId, id, JSON.stringify(fields)]);
};

const insert = async (
  transaction: Transaction,
  actor: DatamapActor,
  { id, content }: { readonly id: string; readonly content: DatamapContent },
): Promise<void> => {
  const { tenantId, accountKind, accountId, user } = actor;
  const { name, displayName, description, tags, state, priority, steward, sql, explanation } = content;
  await transaction.query(INSERT_FACT, [tenantId, id, description, tags, user]);
  await transaction.query(INSERT_DATAMAP, [
    ...[tenantId, id, name, displayName, state, priority, accountKind, accountId, user],
    ...[steward?.id ?? null, steward?.name ?? null, sql, explanation, configOf(content)],
    JSON.stringify(content.parameters),
  ]);
  await transaction.query(INSERT_COUNTERS, [tenantId, id]);
};

const update = async (
  transaction: Transaction,
  { tenantId, user }: DatamapActor,
  { id, write }: { readonly id: string; readonly write: DatamapWrite },
): Promise<void> => {
  const { content, described, isPublished = false } = write;
  const { name, displayName, description, tags, state, priority, steward, sql, explanation } = content;
  await transaction.query(UPDATE_FACT, [tenantId, id, description, tags, user]);
  await transaction.query(UPDATE_DATAMAP, [
    ...[tenantId, id, name, displayName, state, priority, steward?.id ?? null, steward?.name ?? null, sql, explanation],
    ...[configOf(content), isPublished ? user : null, JSON.stringify(content.parameters)],
  ]);
  if (described !== undefined) await writeDescription(transaction, tenantId, { id, ...described });
};

const FIND_USER = 'select id, email as name from users where tenant_id = $1 and email = $2 and not disabled';

const IDS_BY_NAME = `
  select d.name, array_agg(d.fact_id::text order by f.created, d.fact_id) as ids
  from datamaps d join facts f on f.tenant_id = d.tenant_id and f.fact_id = d.fact_id
  where d.tenant_id = $1 and d.name = any ($2::text[]) group by d.name`;

export function createDatamapWrites(database: TenantDatabase): DatamapWrites {
  const lockAndRead = async (transaction: Transaction, actor: DatamapActor, id: string, lock = LOCK_DATAMAP) => {
    if (!isUuid(id)) return undefined;
    const [locked] = await transaction.query(lock, [actor.tenantId, id]);
    return locked && (await read(transaction, actor, id));
  };

  return {
    find: async (actor, id) =>
      isUuid(id) ? database.withTenant(actor.tenantId, (transaction) => read(transaction, actor, id)) : undefined,
    create: (actor, { content, described = { columns: [], reads: [] } }, record) =>
      database.withTenant(actor.tenantId, async (transaction) => {
        const id = randomUUID();
        await insert(transaction, actor, { id, content });
        await writeDescription(transaction, actor.tenantId, { id, ...described });
        await refreshSearch(transaction, actor.tenantId, [id]);
        const after = await readBack(transaction, actor, id);
        await appendAudit(transaction, record(null, after));
        return after;
      }),
    change: (actor, { id, decide }, record) =>
      database.withTenant(actor.tenantId, async (transaction) => {
        const before = await lockAndRead(transaction, actor, id);
        const write = decide(before);
        await update(transaction, actor, { id, write });
        await refreshSearch(transaction, actor.tenantId, [id]);
        const after = await readBack(transaction, actor, id);
        await appendAudit(transaction, record(before ?? null, after));
        return after;
      }),
    remove: (actor, { id, decide }, record) =>
      database.withTenant(actor.tenantId, async (transaction) => {
        const before = await lockAndRead(transaction, actor, id, LOCK_DATAMAP_TO_DELETE);
        decide(before);
        await transaction.query(DELETE_FACT, [actor.tenantId, id]);
        await appendAudit(transaction, record(before ?? null, null));
      }),
    setActivity: (actor, { id, activity, decide }, record) =>
      database.withTenant(actor.tenantId, async (transaction) => {
        const before = isUuid(id) ? await read(transaction, actor, id) : undefined;
        decide(before);
        await setActivity(transaction, { tenantId: actor.tenantId, factId: id, accountId: actor.accountId }, activity);
        const after = await readBack(transaction, actor, id);
        await appendAudit(transaction, record(before ?? null, after));
        return after;
      }),
    async findUser(tenantId, email) {
      const [user] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<{ id: string; name: string }>(FIND_USER, [tenantId, email.toLowerCase()]),
      );
      return user;
    },
    async findAll(actor, ids) {
      const { tenantId, accountId } = actor;
      const rows = await database.withTenant(tenantId, (transaction) =>
        transaction.query<DatamapRow>(FIND_DATAMAPS, [tenantId, accountId, ids.filter(isUuid)]),
      );
      return new Map(rows.map((row) => [row.fact_id, storedOf(row, accountId)]));
    },
    async idsByName(tenantId, names) {
      const rows = await database.withTenant(tenantId, (transaction) =>
        transaction.query<{ name: string; ids: string[] }>(IDS_BY_NAME, [tenantId, names]),
      );
      return new Map(rows.map(({ name, ids }) => [name, ids]));
    },
  };
}
