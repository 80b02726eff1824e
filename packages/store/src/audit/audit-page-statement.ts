import { OPTIONAL_AUDIT_FIELDS } from '@sluice/contract';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import {
  type AuditFilter,
  addKeyTerm,
  microseconds,
  type OrderColumns,
  parameter,
  type RecordConditions,
  rangeConditions,
  recordsOf,
} from './audit-search-statements.ts';
import { hasWindow, windowEndOf, windowOf } from './audit-search-window.ts';

/** Start of a page. `occurred` is in microseconds since the epoch. */
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
  /** First record of the page; absent for the first page. */
  readonly from?: AuditPosition | undefined;
}

/**
 * Row of a page as an array: objects, with their garbage collection, would cost more than the rest of the page.
 *
 * - `record`: JSON in which control characters are not escaped; null when it is too long for the `short` statement
 * - `queryRecordId`: id of a record that has an outcome, null otherwise
 * - `occurred`: microseconds since the epoch
 */
export type PageRow = readonly [record: string | null, queryRecordId: string | null, occurred: string];

const moment = (parameterOf: string): string =>
  `(timestamptz 'epoch' + ${parameterOf}::float8 * interval '1 microsecond')`;

/**
 * Escapes a string for JSON, except for control characters. This takes half of the time of `to_json`, which would take most of the time of a
 * page. Control characters are rare, so the store escapes them.
 */
const escaped = (column: string): string => `replace(replace(${column}, '\\', '\\\\'), '"', '\\"')`;

/** Writes a nullable member. Each `||` costs as much as writing an id, so adjacent constants are one literal. */
const member = (name: string, value: string, end = ''): string =>
  `coalesce(',"${name}":"' || ${value} || '"${end}', ',"${name}":null${end}')`;

const optionalMember = ({ name, column, kind }: OptionalField, index: number): string =>
  member(name, kind === 'text' ? escaped(column) : column, index === OPTIONAL_AUDIT_FIELDS.length - 1 ? '}' : '');

/** JSON text of a record. Metadata is copied as text, because parsing it in JavaScript would round numbers beyond 2^53. */
const RECORD = [
  `'{"timestamp":' || (${microseconds('occurred')} / 1000) || ',"user":"' || ${escaped('user_name')} || '","action":"' || ${escaped('action')} || '"'`,
  `',"target":"' || ${escaped('target')} || '","metadata":' || metadata::text || ',"id":"' || id || '"'`,
  ...OPTIONAL_AUDIT_FIELDS.map(optionalMember),
].join(' || ');

/**
 * Returns the `id` member of a record. It occurs nowhere else in a page: quotes within text are escaped, and `jsonb` text has a space after
 * each colon.
 */
export const idMember = (id: string): string => `,"id":"${id}"`;

/** A statement of SQL may have 256 KiB, and a page thousands of records. Compressed metadata may have any length. */
const IS_LONG = `(pg_column_size(metadata) > 8192 or pg_column_compression(metadata) is not null)`;
/** A page with long records ends with the record that exceeds this size. */
export const PAGE_BYTES_MAX = 1024 * 1024;

type OptionalField = (typeof OPTIONAL_AUDIT_FIELDS)[number];

interface PageParts {
  readonly records: string;
  readonly order: string;
}

/** Matches queries, and described statements whose tables the engine reports afterwards. */
const MAY_HAVE_OUTCOME = `query_id is not null and action <> 'CANCEL_QUERY'
    or action = 'DESCRIBE_QUERY' and metadata -> 'tables_read' is null`;

const pageOf = (record: string, { records, order }: PageParts): string => `
  select ${record} as record, case when ${MAY_HAVE_OUTCOME} then id end as query_record_id,
    ${microseconds('occurred')} as micros
  from ${records} ${order}`;

/** Returns null for long records instead of measuring each record, which would take a quarter longer. */
const shortPage = (parts: PageParts): string => pageOf(`case when not ${IS_LONG} then ${RECORD} end`, parts);

/** Returns the records that fit into a page, and the one after them. */
const longPage = (parts: PageParts): string => `
  select record, query_record_id, micros from (
    select *, coalesce(sum(octet_length(record)) over (rows between unbounded preceding and 2 preceding), 0) as before
    from (${pageOf(RECORD, parts)}) page
  ) measured where before < ${PAGE_BYTES_MAX}`;

const PAGES = { short: shortPage, long: longPage } as const;

interface PageStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
}

/** Returns the conditions of the filter, of the snapshot, and of the records from the first one of the page on. */
function pageConditions({ tenantId, filter, snapshot: view, order, from }: AuditPageOptions): RecordConditions {
  const range = rangeConditions(tenantId, filter);
  const snapshot = parameter(range, view);
  const conditions: RecordConditions = { ...range, snapshot };
  addKeyTerm(conditions, `pg_visible_in_snapshot(xact, ${snapshot}::pg_snapshot)`);
  if (from !== undefined) {
    const occurred = moment(parameter(conditions, from.occurred));
    const sign = order === 'asc' ? '>=' : '<=';
    // This bound follows from the next one. Only with it can PostgreSQL skip partitions.
    addKeyTerm(conditions, `occurred ${sign} ${occurred}`);
    addKeyTerm(conditions, `(occurred, id) ${sign} (${occurred}, ${parameter(conditions, from.id)}::uuid)`);
  }
  return conditions;
}

/** Returns the statement of a page. `short` is faster; if it returns a null record, the page has a long one and needs `long`. */
export function pageStatement(options: AuditPageOptions, variant: keyof typeof PAGES): PageStatement {
  const { filter, order, size } = options;
  const conditions = pageConditions(options);
  const limit = `limit ${parameter(conditions, size + 1)}::int`;
  const inOrder = ({ at, id }: OrderColumns) => `order by ${at} ${order}, ${id} ${order} ${limit}`;
  const source = hasWindow(filter) ? windowOf(conditions, filter, order) : recordsOf(conditions, filter, inOrder);
  const text = PAGES[variant]({ records: source.from, order: inOrder(source.order) });
  return { statement: prepared(`audit_page_${variant}`, text), values: conditions.values };
}

/** Returns the statement that finds where the window of a page ends, for a filter that `hasWindow`. */
export function windowEndStatement(options: AuditPageOptions): PageStatement {
  const conditions = pageConditions(options);
  const text = windowEndOf(conditions, options.filter, options.order);
  return { statement: prepared('audit_window_end', text), values: conditions.values };
}
