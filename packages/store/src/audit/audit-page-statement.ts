import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { type AuditFilter, matchingInRange, parameter } from './audit-search-statements.ts';

/** Where a page begins: microseconds of the epoch, as text, and the id of a record. */
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
  /** The first record of the page, where it is not the first of all. */
  readonly from?: AuditPosition | undefined;
}

/**
 * A page, and the one record that follows it, as one row: for an object a record costs more than all the rest of it. The database
 * writes the JSON, but for control characters, which stand in it as they are.
 */
export interface PageRow {
  /** With the one that follows the page. */
  readonly records: number;
  /** Whether one does. */
  readonly has_next: boolean;
  /** A record of the page is too long for the short way, which has left it out. */
  readonly has_long: boolean | null;
  /** The records with commas between; null without any. */
  readonly body: string | null;
  /** The ids of those that are queries', which have an outcome, with commas between. */
  readonly asked: string | null;
  /** Between what moments all of them lie, in microseconds of the epoch. */
  readonly earliest: string | null;
  readonly latest: string | null;
}

const moment = (parameterOf: string): string =>
  `(timestamptz 'epoch' + ${parameterOf}::float8 * interval '1 microsecond')`;

/** Exact: a double has the microseconds of any year that the log may hold. */
const microseconds = (moment: string): string => `(date_part('epoch', ${moment}) * 1000000)::int8`;

/** Half of what `to_json` takes, which is most of a page; the control characters it would escape as well are rare, and left to us. */
const escaped = (column: string): string => `replace(replace(${column}, '\\', '\\\\'), '"', '\\"')`;

/** A member that may be null. Each joining of two texts costs as much as writing an id, so constants are not joined one by one. */
const member = (name: string, value: string, end = ''): string =>
  `coalesce(',"${name}":"' || ${value} || '"${end}', ',"${name}":null${end}')`;

/** Metadata stay the text that they are in the database: to read and write them again here would round numbers beyond 2^53. */
const RECORD = [
  `'{"timestamp":' || (${microseconds('occurred')} / 1000) || ',"user":"' || ${escaped('user_name')} || '","action":"' || action || '"'`,
  `',"target":"' || ${escaped('target')} || '","metadata":' || metadata::text || ',"id":"' || id || '"'`,
  member('request_id', escaped('request_id')),
  member('query_id', 'query_id'),
  member('session_id', 'session_id'),
  member('address', escaped('address')),
  member('user_agent', escaped('user_agent'), '}'),
].join(' || ');

/** Within a text there is no quote without a backslash before it, and metadata have a blank behind each colon: these are our own. */
export const RECORD_BEGINS = ',{"timestamp":';
export const idMember = (id: string): string => `,"id":"${id}"`;

/** A statement may have a million characters, and a page thousands of them. Compressed metadata may be any length. */
const IS_LONG = `(pg_column_size(metadata) > 8192 or pg_column_compression(metadata) is not null)`;
/** A page has no record that begins behind so many bytes of others. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;

const columnsOf = (hasNext: string): string => `
  select count(*)::int as records, ${hasNext} as has_next, bool_or(record is null) as has_long,
    string_agg(record, ',') as body, string_agg(asked::text, ',') as asked,
    ${microseconds('min(occurred)')} as earliest, ${microseconds('max(occurred)')} as latest`;

interface PageParts {
  /** The text of a statement that answers the records, in order, each made by this expression. */
  records(record: string): string;
  readonly size: string;
}

/** In the order of the records within, as aggregates keep it. To measure each record takes a quarter of the time more, so it is left out. */
const shortPage = ({ records, size }: PageParts): string => `
  ${columnsOf(`count(*) > ${size}`)} from (${records(`case when not ${IS_LONG} then ${RECORD} end`)}) page`;

/** As many of the records as a page may have bytes, and the one that follows them. */
const longPage = ({ records, size }: PageParts): string => `
  ${columnsOf(`count(*) > ${size} or max(begins) >= ${PAGE_BYTES_MAX}`)} from (
    select *, coalesce(sum(octet_length(record)) over (rows between unbounded preceding and 1 preceding), 0) as begins,
      coalesce(sum(octet_length(record)) over (rows between unbounded preceding and 2 preceding), 0) as before_begins
    from (${records(RECORD)}) page
  ) measured where before_begins < ${PAGE_BYTES_MAX}`;

const PAGES = { short: shortPage, long: longPage } as const;

/** `short` is for pages without long records, and tells when it met one: then `long` is the way. */
export function pageStatement(
  { tenantId, filter, snapshot, order, size, from }: AuditPageOrder,
  way: keyof typeof PAGES,
): {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
} {
  const conditions = matchingInRange(tenantId, filter);
  conditions.terms.push(`pg_visible_in_snapshot(xact, ${parameter(conditions, snapshot)}::pg_snapshot)`);
  if (from !== undefined) {
    const occurred = moment(parameter(conditions, from.occurred));
    const sign = order === 'asc' ? '>=' : '<=';
    // The bare bound says nothing new; partitions are left out by it.
    conditions.terms.push(`occurred ${sign} ${occurred}`);
    conditions.terms.push(`(occurred, id) ${sign} (${occurred}, ${parameter(conditions, from.id)}::uuid)`);
  }
  const count = `${parameter(conditions, size)}::int`;
  const records = (record: string): string => `
    select occurred, case when query_id is not null and action <> 'CANCEL_QUERY' then id end as asked, ${record} as record
    from audit_log where ${conditions.terms.join(' and ')}
    order by occurred ${order}, id ${order} limit ${count} + 1`;
  return { statement: prepared(`audit_page_${way}`, PAGES[way]({ records, size: count })), values: conditions.values };
}
