import { type AuditFilter, matchingInRange, parameter } from './audit-search-statements.ts';
import { type PreparedStatement, prepared } from './transaction.ts';

/** Where a page ended: microseconds of the epoch, as text, and the id. */
export interface AuditPosition {
  readonly occurred: string;
  readonly id: string;
}

export interface AuditPageOrder {
  readonly tenantId: string;
  readonly filter: AuditFilter;
  readonly snapshot: string;
  readonly order: 'asc' | 'desc';
  readonly size: number;
  readonly after?: AuditPosition | undefined;
}

/** A row of a page: of what it is made, the database writes the JSON. */
export interface PageRow {
  /** From 1, in the order of the page; rows come in any. */
  readonly place: string;
  /** Seconds of the epoch with six decimals. */
  readonly moment: string;
  /** What follows `{"timestamp":<milliseconds>`. */
  readonly rest: string;
  /** Of a query whose outcome is unknown and may lie further on than was looked. */
  readonly unsettled: boolean;
}

/** A query may run for hours, and its host be dead for days; beyond this, later partitions are asked only where one is missing. */
const OUTCOME_WITHIN = `interval '2 days'`;

const moment = (parameterOf: string): string =>
  `(timestamptz 'epoch' + ${parameterOf}::float8 * interval '1 microsecond')`;

/**
 * The database writes the JSON, and metadata and outcome stay what they are in it: to read and write them again here would be most of
 * a page's cost, and would round numbers beyond 2^53. Metadata and outcome of a query share no key (docs/audit-actions.md).
 */
const REST = `concat(
  ',"user":', to_json(p.user_name), ',"action":"', p.action, '","target":', to_json(p.target),
  ',"metadata":', case when o.record_id is null then p.metadata else p.metadata || o.metadata end,
  ',"id":"', p.id, '","request_id":', coalesce(to_json(p.request_id), 'null'::json),
  ',"query_id":', coalesce('"' || p.query_id || '"', 'null'), ',"session_id":', coalesce('"' || p.session_id || '"', 'null'),
  ',"address":', coalesce(to_json(p.address), 'null'::json), ',"user_agent":', coalesce(to_json(p.user_agent), 'null'::json), '}')`;

/** One row more than the page has tells whether another follows. `outcomes`: how far from its records a page's outcomes are sought. */
export function pageStatement(
  { tenantId, filter, snapshot, order, size, after }: AuditPageOrder,
  outcomes: 'soon' | 'ever',
): { readonly statement: PreparedStatement; readonly values: readonly unknown[] } {
  const conditions = matchingInRange(tenantId, filter);
  conditions.terms.push(`pg_visible_in_snapshot(xact, ${parameter(conditions, snapshot)}::pg_snapshot)`);
  if (after !== undefined) {
    const occurred = moment(parameter(conditions, after.occurred));
    const sign = order === 'asc' ? '>' : '<';
    // The bare bound says nothing new; partitions are left out by it.
    conditions.terms.push(`occurred ${sign}= ${occurred}`);
    conditions.terms.push(`(occurred, id) ${sign} (${occurred}, ${parameter(conditions, after.id)}::uuid)`);
  }
  const limit = `${parameter(conditions, size + 1)}::int`;
  const latest = `(select max(occurred) from queries) + ${OUTCOME_WITHIN}`;
  const text = `
    with page as materialized (
      select id, occurred, user_name, action, target, metadata, request_id, query_id, session_id, address, user_agent
      from audit_log where ${conditions.terms.join(' and ')}
      order by occurred ${order}, id ${order} limit ${limit}
    ), queries as (
      select id, occurred from page where query_id is not null and action <> 'CANCEL_QUERY'
    ), outcomes as materialized (
      select record_id, metadata from audit_log
      where tenant_id = $1 and record_id = any (array(select id from queries)) and occurred >= (select min(occurred) from queries)
        ${outcomes === 'soon' ? `and occurred < ${latest}` : ''}
    )
    select p.place, extract(epoch from p.occurred)::text as moment, ${REST} as rest,
      o.record_id is null and p.query_id is not null and p.action <> 'CANCEL_QUERY' and now() > ${latest} as unsettled
    from (select row_number() over () as place, * from page) p left join outcomes o on o.record_id = p.id`;
  return { statement: prepared('audit_page', text), values: conditions.values };
}
