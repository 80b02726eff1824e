import type { RecordedChange } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';

/** Change of one fact, for its history. */
export interface NewFactChange {
  readonly factId: string;
  /** Version of the fact after the change. */
  readonly version: number;
  readonly changes: readonly object[];
}

interface TableReference {
  readonly type: 'TABLE' | 'VIEW';
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** Earlier changes of tables, views and datamaps of one tenant, within one transaction. They are added and read, never changed. */
export interface ChangeRepository {
  /** Adds changes of facts that this transaction has changed. Takes each fact at most once. */
  add(changes: readonly NewFactChange[], by: string): Promise<void>;
  /** Returns the id of a table or view that the last harvest found. */
  findTable(reference: TableReference): Promise<string | undefined>;
  /** Lists changes of a fact, last one first, with their total number. */
  list(
    factId: string,
    page: { readonly from: number; readonly size: number },
  ): Promise<{ readonly total: number; readonly changes: RecordedChange[] }>;
}

const ADD = `
  insert into fact_changes (tenant_id, fact_id, version, changed_by, request_id, changes)
  select $1, fact_id, version, $3, $4, changes
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, version bigint, changes jsonb)`;

const FIND_TABLE = `
  select k.fact_id from catalog_tables k join facts f on f.tenant_id = k.tenant_id and f.fact_id = k.fact_id
  where k.tenant_id = $1 and f.type = $2 and k.catalog_name = $3 and k.schema_name = $4 and k.name = $5 and k.absent_since is null`;

const LIST = `
  select version, changed, changed_by, request_id, changes from fact_changes
  where tenant_id = $1 and fact_id = $2 order by version desc limit $3 offset $4`;
const COUNT = 'select count(*) as total from fact_changes where tenant_id = $1 and fact_id = $2';

interface ChangeRow {
  readonly version: string;
  readonly changed: Date;
  readonly changed_by: string;
  readonly request_id: string | null;
  readonly changes: RecordedChange['changes'];
}

const changeOf = ({ version, changed, changed_by, request_id, changes }: ChangeRow): RecordedChange => ({
  version: Number(version),
  changed_ts: changed.getTime(),
  changed_by,
  request_id,
  // The database orders the members of JSON by their length.
  changes: changes.map(({ field, property, before, after }) => ({ field, property, before, after })),
});

/** @param requestId - request or import for which the transaction runs; undefined for commands of an operator */
export function createChangeRepository(
  transaction: Transaction,
  tenantId: string,
  requestId: string | undefined,
): ChangeRepository {
  return {
    async add(changes, by) {
      const rows = changes
        .filter((each) => each.changes.length > 0)
        .map(({ factId, ...rest }) => ({ fact_id: factId, ...rest }));
      if (rows.length === 0) return;
      await transaction.query(ADD, [tenantId, JSON.stringify(rows), by, requestId ?? null]);
    },
    async findTable({ type, catalog, schema, name }) {
      const values = [tenantId, type, catalog, schema, name];
      const [row] = await transaction.query<{ fact_id: string }>(FIND_TABLE, values);
      return row?.fact_id;
    },
    async list(factId, { from, size }) {
      const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId, factId]);
      const rows = await transaction.query<ChangeRow>(LIST, [tenantId, factId, size, from]);
      return { total: Number(counted?.total), changes: rows.map(changeOf) };
    },
  };
}
