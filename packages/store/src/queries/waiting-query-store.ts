import type { Database } from '../database/database.ts';
import { listedSql } from '../database/listed-sql.ts';
import { prepared } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { HOST_SILENCE_MS_DEFAULT, isAlive } from './host-silence.ts';

/** Query that waits for a worker, on any host. */
export interface WaitingQueryRow {
  readonly tenantId: string;
  readonly queryId: string;
  readonly accountKind: 'user' | 'client';
  readonly accountId: string;
  /** E-mail address or client id. */
  readonly userName: string;
  /** Action of the audit record. */
  readonly action: string;
  readonly sql: string;
  /** Start of the wait, in epoch milliseconds. */
  readonly sinceMs: number;
}

interface WaitingQueriesChange {
  readonly hostId: string;
  /** Queries of the host that have started to wait. */
  readonly added: readonly WaitingQueryRow[];
  /** Ids of queries that no longer wait. */
  readonly removed: readonly string[];
}

/** Waiting query that its caller or an admin cancelled. */
interface CancelledWait {
  readonly queryId: string;
  readonly byAdmin: boolean;
  /** Set for a kill, empty for one without a message. */
  readonly killMessage: string | null;
}

export interface WaitingQueryStore {
  /** Writes the changes of a host, and returns its waiting queries that were cancelled. */
  update(change: WaitingQueriesChange): Promise<readonly CancelledWait[]>;
  /** Lists waiting queries, longest wait first, without those of dead hosts. */
  list(account: Pick<WaitingQueryRow, 'tenantId' | 'accountKind' | 'accountId'>): Promise<readonly WaitingQueryRow[]>;
  /** Lists the waiting queries of all accounts of a tenant in the same way. */
  listOfTenant(tenantId: string): Promise<readonly WaitingQueryRow[]>;
  /** Returns undefined for an unknown id, or one of another tenant. */
  find(tenantId: string, queryId: string): Promise<WaitingQueryRow | undefined>;
  /** Requests cancellation; the query's host finds it at its next `update`. */
  requestCancel(tenantId: string, queryId: string, killMessage?: string): Promise<void>;
}

interface Row {
  readonly tenant_id: string;
  readonly query_id: string;
  readonly account_kind: 'user' | 'client';
  readonly account_id: string;
  readonly user_name: string;
  readonly action: string;
  readonly sql: string;
  readonly since: Date;
}

/** A host that was silent for longer is dead, and its waiting queries are gone too (see HostStore). `silence` holds milliseconds. */
const hostIsAlive = (silence: `$${number}`): string => `exists (
    select 1 from hosts h where h.id = w.host_id and ${isAlive(silence)}
  )`;

/** A query that has begun has an audit record, and its row here is removed a moment later. */
export const stillWaits = (silence: `$${number}`): string => `${hostIsAlive(silence)}
  and not exists (select 1 from queries q where q.tenant_id = w.tenant_id and q.query_id = w.query_id)`;

const COLUMNS = 'w.tenant_id, w.query_id, w.account_kind, w.account_id, w.user_name, w.action, w.sql, w.since';
const LISTED_COLUMNS = `w.tenant_id, w.query_id, w.account_kind, w.account_id, w.user_name, w.action, ${listedSql('w.sql')} as sql, w.since`;

const REMOVE = 'delete from waiting_queries where host_id = $1 and query_id = any ($2::uuid[])';
/** Leaves out rows of a tenant that was removed meanwhile. */
const ADD = `
  insert into waiting_queries (tenant_id, query_id, account_kind, account_id, host_id, user_name, action, sql, since)
  select a.tenant_id, a.query_id, a.account_kind, a.account_id, $1, a.user_name, a.action, a.sql, a.since
  from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
    as a (tenant_id, query_id, account_kind, account_id, user_name, action, sql, since)
  join tenants t on t.id = a.tenant_id
  on conflict do nothing`;
const REMOVE_OF_GONE_HOSTS = `delete from waiting_queries w where not ${hostIsAlive('$1')} and w.since < now() - interval '1 minute'`;
const CANCELLED = `
  select query_id as "queryId", cancelled_by_admin as "byAdmin", kill_message as "killMessage"
  from waiting_queries where host_id = $1 and cancel_requested`;

const LIST = prepared(
  'list_waiting',
  `select ${LISTED_COLUMNS} from waiting_queries w
  where w.tenant_id = $1 and w.account_id = $2 and w.account_kind = $3 and ${stillWaits('$4')}
  order by w.since, w.query_id`,
);
const LIST_OF_TENANT = prepared(
  'list_waiting_of_tenant',
  `select ${LISTED_COLUMNS} from waiting_queries w where w.tenant_id = $1 and ${stillWaits('$2')} order by w.since, w.query_id`,
);
const FIND = prepared(
  'find_waiting',
  `select ${COLUMNS} from waiting_queries w where w.tenant_id = $1 and w.query_id = $2 and ${stillWaits('$3')}`,
);
const REQUEST_CANCEL = prepared(
  'cancel_waiting',
  `update waiting_queries set cancel_requested = true, kill_message = coalesce(kill_message, $3)
  where tenant_id = $1 and query_id = $2`,
);

const fromRow = (row: Row): WaitingQueryRow => ({
  tenantId: row.tenant_id,
  queryId: row.query_id,
  accountKind: row.account_kind,
  accountId: row.account_id,
  userName: row.user_name,
  action: row.action,
  sql: row.sql,
  sinceMs: row.since.getTime(),
});

/** `silenceMs`: time without a heartbeat after which a host counts as dead. */
export function createWaitingQueryStore(database: Database, silenceMs = HOST_SILENCE_MS_DEFAULT): WaitingQueryStore {
  return {
    update({ hostId, added, removed }) {
      return database.acrossTenants(async (transaction) => {
        if (removed.length > 0) await transaction.query(REMOVE, [hostId, removed]);
        if (added.length > 0) {
          await transaction.query(REMOVE_OF_GONE_HOSTS, [silenceMs]);
          await transaction.query(ADD, [hostId, ...columnsOf(added)]);
        }
        return await transaction.query<CancelledWait>(CANCELLED, [hostId]);
      });
    },
    async list({ tenantId, accountKind, accountId }) {
      const rows = await database.run<Row>({ tenantId }, LIST, [tenantId, accountId, accountKind, silenceMs]);
      return rows.map(fromRow);
    },
    async listOfTenant(tenantId) {
      const rows = await database.run<Row>({ tenantId }, LIST_OF_TENANT, [tenantId, silenceMs]);
      return rows.map(fromRow);
    },
    async find(tenantId, queryId) {
      if (!isUuid(queryId)) return undefined;
      const [row] = await database.run<Row>({ tenantId }, FIND, [tenantId, queryId, silenceMs]);
      return row === undefined ? undefined : fromRow(row);
    },
    async requestCancel(tenantId, queryId, killMessage) {
      if (isUuid(queryId)) await database.run({ tenantId }, REQUEST_CANCEL, [tenantId, queryId, killMessage ?? null]);
    },
  };
}

/** Returns one array per column, for `unnest`. */
const columnsOf = (rows: readonly WaitingQueryRow[]): unknown[] => [
  rows.map(({ tenantId }) => tenantId),
  rows.map(({ queryId }) => queryId),
  rows.map(({ accountKind }) => accountKind),
  rows.map(({ accountId }) => accountId),
  rows.map(({ userName }) => userName),
  rows.map(({ action }) => action),
  rows.map(({ sql }) => sql),
  rows.map(({ sinceMs }) => new Date(sinceMs)),
];
