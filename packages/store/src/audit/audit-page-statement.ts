import { OPTIONAL_AUDIT_FIELDS } from '@sluice/contract';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { type AuditFilter, matchingInRange, parameter, recordsOf } from './audit-search-statements.ts';

/** Where a page begins: microseconds of the epoch, as text, and the id of a record. */
export interface AuditPosition {
  readonly occurred: string;
  readonly id: string;
}

export interface AuditPageOptions {
  readonly tenantId: string;
  readonly filter: AuditFilter;
  readonly snapshot: string;
  readonly order: 'asc' | 'desc';
  readonly size: number;
  /** The first record of the page, where it is not the first of all. */
  readonly from?: AuditPosition | undefined;
}

/**
 * The values of a row of a page, of which no object is made: with its garbage that costs more than all the rest of a page. The record,
 * as the database writes its JSON, but for control characters, which stand in it as they are; null where it is too long for the
 * short way. The id of a query's record, which has an outcome; null of any other. Microseconds of the epoch.
 */
export type PageRow = readonly [record: string | null, asked: string | null, occurred: string];

const moment = (parameterOf: string): string =>
  `(timestamptz 'epoch' + ${parameterOf}::float8 * interval '1 microsecond')`;

/** Exact: a double has the microseconds of any year that the log may hold. */
const microseconds = (moment: string): string => `(date_part('epoch', ${moment}) * 1000000)::int8`;

/** Half of what `to_json` takes, which is most of a page; the control characters it would escape as well are rare, and left to us. */
const escaped = (column: string): string => `replace(replace(${column}, '\\', '\\\\'), '"', '\\"')`;

/** A member that may be null. Each joining of two texts costs as much as writing an id, so constants are not joined one by one. */
const member = (name: string, value: string, end = ''): string =>
  `coalesce(',"${name}":"' || ${value} || '"${end}', ',"${name}":null${end}')`;

const optionalMember = ({ name, column, kind }: OptionalField, index: number): string =>
  member(name, kind === 'text' ? escaped(column) : column, index === OPTIONAL_AUDIT_FIELDS.length - 1 ? '}' : '');

/** Metadata stay the text that they are in the database: to read and write them again here would round numbers beyond 2^53. */
const RECORD = [
  `'{"timestamp":' || (${microseconds('occurred')} / 1000) || ',"user":"' || ${escaped('user_name')} || '","action":"' || action || '"'`,
  `',"target":"' || ${escaped('target')} || '","metadata":' || metadata::text || ',"id":"' || id || '"'`,
  ...OPTIONAL_AUDIT_FIELDS.map(optionalMember),
].join(' || ');

/** Within a text there is no quote without a backslash before it, and metadata have a blank behind each colon: this is our own. */
export const idMember = (id: string): string => `,"id":"${id}"`;

/** A statement may have 256 KiB, and a page thousands of them. Compressed metadata may be any length. */
const IS_LONG = `(pg_column_size(metadata) > 8192 or pg_column_compression(metadata) is not null)`;
/** A page has no record that begins behind so many bytes of others. */
export const PAGE_BYTES_MAX = 16 * 1024 * 1024;

type OptionalField = (typeof OPTIONAL_AUDIT_FIELDS)[number];

interface PageParts {
  readonly records: string;
  readonly order: string;
}

const pageOf = (record: string, { records, order }: PageParts): string => `
  select ${record} as record, case when query_id is not null and action <> 'CANCEL_QUERY' then id end as asked,
    ${microseconds('occurred')} as micros
  from ${records} ${order}`;

/** To measure each record takes a quarter of the time more, so what is long is left out. */
const shortPage = (parts: PageParts): string => pageOf(`case when not ${IS_LONG} then ${RECORD} end`, parts);

/** As many of the records as a page may have bytes, and the one that follows them. */
const longPage = (parts: PageParts): string => `
  select record, asked, micros from (
    select *, coalesce(sum(octet_length(record)) over (rows between unbounded preceding and 2 preceding), 0) as before
    from (${pageOf(RECORD, parts)}) page
  ) measured where before < ${PAGE_BYTES_MAX}`;

const PAGES = { short: shortPage, long: longPage } as const;

/** `short` is for pages without long records, and tells when it met one: then `long` is the way. */
export function pageStatement(
  { tenantId, filter, snapshot, order, size, from }: AuditPageOptions,
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
  const direction = order === 'asc' ? 'asc' : 'desc';
  const inOrder = `order by audit_log.occurred ${direction}, id ${direction} limit ${parameter(conditions, size + 1)}::int`;
  const text = PAGES[way]({ records: recordsOf(conditions, filter, inOrder), order: inOrder });
  return { statement: prepared(`audit_page_${way}`, text), values: conditions.values };
}
