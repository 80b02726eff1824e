import { randomUUID } from 'node:crypto';
import type { AuditRecord, UserActivity } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import type { TenantDatabase } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { refreshSearch } from '../search/refresh-search.ts';
import type { DatamapRow } from './datamap-mapper.ts';
import {
  type DatamapActor,
  type DatamapWrite,
  insertDatamap,
  readBackDatamap,
  readDatamap,
  type StoredDatamap,
  storedDatamapOf,
  updateDatamap,
  writeDescription,
} from './datamap-repository.ts';
import { DELETE_FACT, FIND_DATAMAPS, LOCK_DATAMAP, LOCK_DATAMAP_TO_DELETE } from './datamap-statements.ts';
import { setActivity } from './set-activity.ts';

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

const FIND_USER = 'select id, email as name from users where tenant_id = $1 and email = $2 and not disabled';

const IDS_BY_NAME = `
  select d.name, array_agg(d.fact_id::text order by f.created, d.fact_id) as ids
  from datamaps d join facts f on f.tenant_id = d.tenant_id and f.fact_id = d.fact_id
  where d.tenant_id = $1 and d.name = any ($2::text[]) group by d.name`;

export function createDatamapWrites(database: TenantDatabase): DatamapWrites {
  const lockAndRead = async (transaction: Transaction, actor: DatamapActor, id: string, lock = LOCK_DATAMAP) => {
    if (!isUuid(id)) return undefined;
    const [locked] = await transaction.query(lock, [actor.tenantId, id]);
    return locked && (await readDatamap(transaction, actor, id));
  };

  return {
    find: async (actor, id) =>
      isUuid(id)
        ? database.withTenant(actor.tenantId, (transaction) => readDatamap(transaction, actor, id))
        : undefined,
    create: (actor, { content, described = { columns: [], reads: [] } }, record) =>
      database.withTenant(actor.tenantId, async (transaction) => {
        const id = randomUUID();
        await insertDatamap(transaction, actor, { id, content });
        await writeDescription(transaction, actor.tenantId, { id, ...described });
        await refreshSearch(transaction, actor.tenantId, [id]);
        const after = await readBackDatamap(transaction, actor, id);
        await appendAudit(transaction, record(null, after));
        return after;
      }),
    change: (actor, { id, decide }, record) =>
      database.withTenant(actor.tenantId, async (transaction) => {
        const before = await lockAndRead(transaction, actor, id);
        const write = decide(before);
        await updateDatamap(transaction, actor, { id, write });
        await refreshSearch(transaction, actor.tenantId, [id]);
        const after = await readBackDatamap(transaction, actor, id);
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
        const before = isUuid(id) ? await readDatamap(transaction, actor, id) : undefined;
        decide(before);
        await setActivity(transaction, { tenantId: actor.tenantId, factId: id, accountId: actor.accountId }, activity);
        const after = await readBackDatamap(transaction, actor, id);
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
      return new Map(rows.map((row) => [row.fact_id, storedDatamapOf(row, accountId)]));
    },
    async idsByName(tenantId, names) {
      const rows = await database.withTenant(tenantId, (transaction) =>
        transaction.query<{ name: string; ids: string[] }>(IDS_BY_NAME, [tenantId, names]),
      );
      return new Map(rows.map(({ name, ids }) => [name, ids]));
    },
  };
}
