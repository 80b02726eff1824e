import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { type AuditFilter, matchingInRange, parameter } from './audit-search-statements.ts';

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

/** A record of a page: of what it is made, the database writes the JSON, but for control characters, which stand in it as they are. */
export interface PageRow {
  /** Microseconds of the epoch. */
  readonly occurred: string;
  /** The id of a query's record, which has an outcome; null of any other record. */
  readonly asked: string | null;
  /** What follows `{"timestamp":<milliseconds>`, as far as the metadata, which end it. */
  readonly head: string;
  /** What follows the metadata. */
  readonly tail: string;
}

const moment = (parameterOf: string): string =>
  `(timestamptz 'epoch' + ${parameterOf}::float8 * interval '1 microsecond')`;

/** Exact: a double has the microseconds of any year that the log may hold. */
const MICROSECONDS = `(date_part('epoch', occurred) * 1000000)::int8`;

/** Half of what `to_json` takes, which is most of a page; the control characters it would escape as well are rare, and left to us. */
const escaped = (column: string): string => `replace(replace(${column}, '\\', '\\\\'), '"', '\\"')`;

/** A member that may be null. Each joining of two texts costs as much as writing an id, so constants are not joined one by one. */
const member = (name: string, value: string, end = ''): string =>
  `coalesce(',"${name}":"' || ${value} || '"${end}', ',"${name}":null${end}')`;

/** Metadata stay the text that they are in the database: to read and write them again here would round numbers beyond 2^53. */
const HEAD = `',"user":"' || ${escaped('user_name')} || '","action":"' || action || '","target":"' || ${escaped('target')}
  || '","metadata":' || metadata::text`;
const TAIL = [
  `',"id":"' || id || '"'`,
  member('request_id', escaped('request_id')),
  member('query_id', 'query_id'),
  member('session_id', 'session_id'),
  member('address', escaped('address')),
  member('user_agent', escaped('user_agent'), '}'),
].join(' || ');

/** One row more than the page has tells whether another follows. */
export function pageStatement({ tenantId, filter, snapshot, order, size, after }: AuditPageOrder): {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
} {
  const conditions = matchingInRange(tenantId, filter);
  conditions.terms.push(`pg_visible_in_snapshot(xact, ${parameter(conditions, snapshot)}::pg_snapshot)`);
  if (after !== undefined) {
    const occurred = moment(parameter(conditions, after.occurred));
    const sign = order === 'asc' ? '>' : '<';
    // The bare bound says nothing new; partitions are left out by it.
    conditions.terms.push(`occurred ${sign}= ${occurred}`);
    conditions.terms.push(`(occurred, id) ${sign} (${occurred}, ${parameter(conditions, after.id)}::uuid)`);
  }
  const text = `
    select ${MICROSECONDS} as occurred, case when query_id is not null and action <> 'CANCEL_QUERY' then id end as asked,
      ${HEAD} as head, ${TAIL} as tail
    from audit_log where ${conditions.terms.join(' and ')}
    order by audit_log.occurred ${order}, id ${order} limit ${parameter(conditions, size + 1)}::int`;
  return { statement: prepared('audit_page', text), values: conditions.values };
}
