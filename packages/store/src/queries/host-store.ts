import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import { WRITTEN_AT } from '../database/written-at.ts';
import { HOST_SILENCE_MS_DEFAULT, isAlive } from './host-silence.ts';
import { outcomeOf } from './query-statements.ts';

/** Rows and bytes of a query that have left its host. */
interface QueryProgress {
  readonly tenantId: string;
  readonly queryId: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface HostStore {
  register(host: { id: string; service: string }): Promise<void>;
  /** Updates the heartbeat of a host; call it four times in the silence. It also revives a host that was considered dead. */
  sendHeartbeat(host: { id: string; service: string }): Promise<void>;
  /** Saves the progress of a host's open queries, in case the host dies. */
  saveProgress(hostId: string, progress: readonly QueryProgress[]): Promise<void>;
  /** Resolves when the server has durably written a page for which it had to allocate space; see `prove_durable_write`. */
  proveDurableWrite(): Promise<void>;
  /** Returns the number of hosts of a service that are not silent. */
  countLive(service: string): Promise<number>;
  /** Removes a host that stopped in order. */
  remove(hostId: string): Promise<void>;
  /**
   * Closes every open query whose host has been silent for longer than `silentMs` (default: that of the store) as UNKNOWN, with receipt and audit outcome
   * in one transaction. Returns the number of closed queries. Many processes may call it at once; each query is closed once.
   */
  reapSilent(silentMs?: number): Promise<number>;
}

/** `finds_statements`: the version before the baseline stores copies of statements while a host does not set it. */
const SEND_HEARTBEAT = `
  insert into hosts (id, service, finds_statements) values ($1, $2, true)
  on conflict (id) do update set beat = clock_timestamp()`;

/** Skips locked rows: the holder of the lock ends that query. */
const SAVE_PROGRESS = prepared(
  'save_progress',
  `
  with open as materialized (
    select q.tenant_id, q.query_id, p.rows, p.bytes from queries q
    join unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::bigint[]) as p (tenant_id, query_id, rows, bytes)
      on p.tenant_id = q.tenant_id and p.query_id = q.query_id
    where q.host_id = $1 and q.ended is null
    for update of q skip locked
  )
  update queries q set rows = o.rows, bytes = o.bytes from open o
  where q.tenant_id = o.tenant_id and q.query_id = o.query_id and q.ended is null`,
);

const PROVE_DURABLE_WRITE = prepared('prove_durable_write', 'select prove_durable_write()');

const COUNT_LIVE = prepared(
  'count_live_hosts',
  `select count(*)::int as live from hosts h where h.service = $1 and ${isAlive('$2')}`,
);

const BATCH = 500;

const REAP = `
  with open as (
    select q.tenant_id, q.query_id from queries q
    where q.ended is null and not exists (
      select 1 from hosts h where h.id = q.host_id and ${isAlive('$1')}
    ) and q.started < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
    order by q.tenant_id, q.query_id
    limit ${BATCH}
    for update of q skip locked
  ), closed as (
    update queries q set state = 'UNKNOWN', ended = ${WRITTEN_AT}, sha256 = null, at_least = true,
      error = jsonb_build_object('code', 'INTERNAL', 'message', 'The host that ran the query stopped; its outcome is unknown.')
    from open o
    where q.tenant_id = o.tenant_id and q.query_id = o.query_id and q.ended is null
    returning q.*
  )
  ${outcomeOf('closed', 'gen_random_uuid()')}`;

/** A host that was silent for a day is removed. If it was only suspended, its next heartbeat adds it again. */
const DELETE_OLD = `
  delete from hosts h where h.beat < now() - interval '1 day'
    and not exists (select 1 from queries q where q.host_id = h.id and q.ended is null)`;

/** `silenceMs`: time without a heartbeat after which a host counts as dead. */
export function createHostStore(database: Database, silenceMs = HOST_SILENCE_MS_DEFAULT): HostStore {
  const sendHeartbeat: HostStore['sendHeartbeat'] = async ({ id, service }) => {
    await database.withoutTenant((transaction) => transaction.query(SEND_HEARTBEAT, [id, service]));
  };

  return {
    register: sendHeartbeat,
    sendHeartbeat,
    async saveProgress(hostId, progress) {
      if (progress.length === 0) return;
      await database.run('every-tenant', SAVE_PROGRESS, [
        hostId,
        progress.map(({ tenantId }) => tenantId),
        progress.map(({ queryId }) => queryId),
        progress.map(({ rows }) => rows),
        progress.map(({ bytes }) => bytes),
      ]);
    },
    async proveDurableWrite() {
      await database.check(PROVE_DURABLE_WRITE);
    },
    async countLive(service) {
      const [row] = await database.run<{ live: number }>('no-tenant', COUNT_LIVE, [service, silenceMs]);
      return row?.live ?? 0;
    },
    async remove(hostId) {
      await database.withoutTenant((transaction) => transaction.query('delete from hosts where id = $1', [hostId]));
    },
    async reapSilent(silentMs = silenceMs) {
      let total = 0;
      for (;;) {
        const closed = await database.acrossTenants((transaction) => transaction.query(REAP, [silentMs]));
        total += closed.length;
        if (closed.length < BATCH) break;
      }
      await database.acrossTenants((transaction) => transaction.query(DELETE_OLD));
      return total;
    },
  };
}
