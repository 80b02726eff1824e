import type { QueryState } from '@sluice/contract';
import { isRecordOf, statementOf } from '../audit/recorded-statement.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';

/** Position of a query in the history of its account. */
export interface HistoryPosition {
  /** Start, in microseconds since the epoch. */
  readonly startedMicros: string;
  readonly queryId: string;
}

/** Page of the history of one account. Times are in epoch milliseconds. */
export interface HistoryPage {
  readonly tenantId: string;
  readonly accountId: string;
  /** Inclusive. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs?: number | undefined;
  readonly state?: QueryState | undefined;
  readonly action?: string | undefined;
  /** Text in the SQL of the actions in `sqlActions`, or in the target of others; case is ignored. */
  readonly text?: string | undefined;
  readonly sqlActions: readonly string[];
  /** The page begins after this query. */
  readonly after?: HistoryPosition | undefined;
  readonly size: number;
}

export interface HistoryEntry {
  readonly query_id: string;
  readonly action: string;
  /** Id of the item of a marketplace download; the query's own id for others. */
  readonly target: string;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly state: QueryState;
  readonly rows: number;
  /** The result had more rows than `size`. */
  readonly limited: boolean;
  readonly bytes: number;
  readonly started_ts: number;
  readonly ended_ts: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Null: the result is not kept. */
  readonly kept_until: number | null;
}

export interface HistoryEntries {
  readonly entries: readonly HistoryEntry[];
  /** Position after which the next page begins; undefined at the end of the history. */
  readonly next: HistoryPosition | undefined;
}

export interface QueryHistoryStore {
  /** Lists the queries of an account, newest first. A page with filters may be short, or empty, and still have a next one. */
  page(page: HistoryPage): Promise<HistoryEntries>;
  /** Removes what began longer ago, of all tenants. Receipts stay. */
  deleteOld(keptMs: number): Promise<void>;
}

interface HistoryRow {
  readonly query_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly sql: string;
  readonly parameters: Record<string, unknown> | null;
  readonly state: QueryState;
  readonly rows: string;
  readonly limited: boolean;
  readonly bytes: string;
  readonly started: Date;
  readonly micros: string;
  readonly ended: Date | null;
  readonly error: { code: string; message: string } | null;
  readonly kept_until: Date | null;
  /** Number of queries on this page or the next. A page that ends by its size has fewer. */
  readonly matched: number | null;
  /** Number of queries that were compared with the filters, and the oldest of them. */
  readonly scanned: number;
  readonly last_micros: string | null;
  readonly last_id: string | null;
}

/** Maximum number of queries that one page compares with its filters. It bounds the time of a page on a long history. */
const SCANNED_MAX = 5_000;
/** Size of the texts with which a page ends, so that few long statements make a whole page. */
const PAGE_BYTES_MAX = 1024 * 1024;
/** Sorts after every id, so that a page without a position begins at the newest query. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const micros = (time: string): string => `(extract(epoch from ${time}) * 1000000)::bigint::text`;
const timeOf = (parameter: string): string => `timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond'`;

/** Read by `lateral` and `limit`, which leave the planner only the index. */
const QUERY_OF_ENTRY = 'select * from queries k where k.tenant_id = h.tenant_id and k.query_id = h.query_id limit 1';

const PAGE = prepared(
  'page_of_history',
  `
  with scanned as materialized (
    select h.started, h.query_id,
      ($7::text is null or q.state = $7) and ($8::text is null or h.action = $8)
        and ($9::text is null or case when h.action = any ($10) then ${statementOf('q')} else h.target end ilike $9) as matches
    from query_history h
    cross join lateral (${QUERY_OF_ENTRY}) q
    where h.tenant_id = $1 and h.account_id = $2 and h.started >= ${timeOf('$3')}
      and (h.started, h.query_id) < (${timeOf('$4')}, $5::uuid)
    order by h.started desc, h.query_id desc
    limit $6
  ), last as (
    select count(*)::int as scanned, (array_agg(started order by started, query_id))[1] as started,
      (array_agg(query_id order by started, query_id))[1] as query_id
    from scanned
  )
  select found.query_id, found.action, found.target, record.metadata -> 'parameters' as parameters,
    coalesce(record.metadata ->> 'sql', '') as sql, found.state, found.rows, found.limited, found.bytes, found.started,
    ${micros('found.started')} as micros, found.ended, found.error, kept.expires as kept_until, found.matched, l.scanned, ${micros('l.started')} as last_micros, l.query_id as last_id
  from last l
  left join lateral (
    select h.tenant_id, h.query_id, h.action, h.target, h.started, q.statement_bytes, q.audit_id, q.state, q.rows,
      q.limited, q.bytes, q.ended, q.error, count(*) over ()::int as matched,
      sum(q.statement_bytes + coalesce(octet_length(q.error::text), 0))
        over (order by h.started desc, h.query_id desc rows between unbounded preceding and 1 preceding) as bytes_before
    from (select s.started, s.query_id from scanned s where s.matches order by s.started desc, s.query_id desc limit $11) s
    cross join lateral (select * from query_history e
      where e.tenant_id = $1 and e.account_id = $2 and e.started = s.started and e.query_id = s.query_id limit 1) h
    cross join lateral (${QUERY_OF_ENTRY}) q
  ) found on coalesce(found.bytes_before, 0) < ${PAGE_BYTES_MAX}
  left join lateral (
    select r.metadata from audit_log r where ${isRecordOf('found')} limit 1
  ) record on true
  left join lateral (
    select k.expires from kept_results k
    where k.tenant_id = found.tenant_id and k.query_id = found.query_id and k.state = 'KEPT' and k.expires > clock_timestamp()
      and found.state = 'FINISHED' limit 1
  ) kept on true
  order by found.started desc, found.query_id desc`,
);

const entryOf = (row: HistoryRow & { readonly query_id: string }): HistoryEntry => ({
  query_id: row.query_id,
  action: row.action,
  target: row.target,
  sql: row.sql,
  parameters: row.parameters,
  state: row.state,
  rows: Number(row.rows),
  limited: row.limited,
  bytes: Number(row.bytes),
  started_ts: row.started.getTime(),
  ended_ts: row.ended?.getTime() ?? null,
  error: row.error,
  kept_until: row.kept_until?.getTime() ?? null,
});

const hasQuery = (row: HistoryRow): row is HistoryRow & { readonly query_id: string } => row.query_id !== null;

/** Escapes the wildcards of LIKE. */
const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const isFiltered = ({ state, action, text }: HistoryPage): boolean =>
  state !== undefined || action !== undefined || text !== undefined;

/** Returns the earlier of the two bounds, as values of the statement. */
function upperBound({ after, untilMs }: HistoryPage): readonly [micros: string, queryId: string] {
  const until = untilMs === undefined ? undefined : BigInt(untilMs) * 1000n;
  if (after !== undefined && (until === undefined || BigInt(after.startedMicros) < until))
    return [after.startedMicros, after.queryId];
  // The end of the year 9999, in microseconds. A time equal to `until` is excluded.
  return until === undefined ? ['253402300799999000', LAST_ID] : [String(until - 1n), LAST_ID];
}

const valuesOf = (page: HistoryPage): unknown[] => [
  page.tenantId,
  page.accountId,
  String(BigInt(page.sinceMs) * 1000n),
  ...upperBound(page),
  isFiltered(page) ? SCANNED_MAX : page.size + 1,
  page.state ?? null,
  page.action ?? null,
  page.text === undefined ? null : containing(page.text),
  page.sqlActions,
  page.size + 1,
];

function nextPosition(rows: readonly HistoryRow[], page: HistoryPage): HistoryPosition | undefined {
  const found = rows.filter(hasQuery);
  const last = found.slice(0, page.size).at(-1);
  if (last !== undefined && Number(last.matched) > Math.min(found.length, page.size))
    return { startedMicros: last.micros, queryId: last.query_id };
  const [row] = rows;
  if (row?.last_micros == null || row.last_id === null) return undefined;
  const isCut = isFiltered(page) && row.scanned === SCANNED_MAX;
  return isCut ? { startedMicros: row.last_micros, queryId: row.last_id } : undefined;
}

export function createQueryHistoryStore(database: Database): QueryHistoryStore {
  return {
    async page(page) {
      const rows = await database.run<HistoryRow>({ tenantId: page.tenantId, plan: 'in-order' }, PAGE, valuesOf(page));
      return { entries: rows.filter(hasQuery).slice(0, page.size).map(entryOf), next: nextPosition(rows, page) };
    },
    async deleteOld(keptMs) {
      await changeInBatches(database, {
        change: 'delete from query_history',
        table: 'query_history',
        where: 'started < now() - make_interval(secs => $1::float8 / 1000)',
        values: [keptMs],
      });
    },
  };
}
