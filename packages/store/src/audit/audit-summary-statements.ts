import { addRange, COUNT_NAMES, edgesOf, UNCOUNTED, wholeHours } from './audit-count-statement.ts';
import { type AuditFilter, type Conditions, microseconds, parameter } from './audit-search-statements.ts';

/** Records to count. */
export interface SummaryQuery {
  readonly tenantId: string;
  readonly by: 'user' | 'action' | 'table';
  /** Epoch milliseconds, inclusive. */
  readonly start: number;
  /** Epoch milliseconds, exclusive. */
  readonly end: number;
  /** Names to return. */
  readonly size: number;
}

interface SummaryStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

type TimeRange = Pick<AuditFilter, 'start' | 'end'>;

/** Rows of the log that a summary by table reads at most, the newest of its range: about a second of work. */
const TABLE_ROWS_MAX = 500_000;

/** Actions whose records or outcomes have `tables_read`. */
const READING_ACTIONS = ['RUN_QUERY', 'DOWNLOAD_QUERY', 'DOWNLOAD_MARKETPLACE', 'DOWNLOAD_DATAMAP', 'DESCRIBE_QUERY'];

/** Sums numbers of records by name and returns the first names. */
const firstNames = (counted: string, size: string): string => `
  with counted as (${counted}), named as (select name, sum(records) as records from counted group by name having sum(records) > 0)
  select name, records::text as records, (select count(*) from named)::text as total from named
  order by named.records desc, name collate "C" limit ${size}::int`;

/** Counts by user or action: whole hours from the sealer's counts, the edges of the range and rows that are not sealed yet from the log. */
export function countedNames(kind: 'user' | 'action', { tenantId, start, end, size }: SummaryQuery): SummaryStatement {
  const values: unknown[] = [tenantId];
  const name = COUNT_NAMES[kind];
  const part = (text: string, column: string, range: TimeRange): string => {
    const own: Conditions = { values, terms: [] };
    addRange(own, column, range);
    return `(${[text, ...own.terms].join(' and ')} group by 1)`;
  };
  const logged = `select ${name} as name, count(*) as records from audit_log l where tenant_id = $1 and record_id is null`;
  const hours = wholeHours({ start, end });
  const limit = parameter({ values, terms: [] }, size);
  if (hours === undefined) return { text: firstNames(part(logged, 'occurred', { start, end }), limit), values };
  const inner = { start: hours.from, end: hours.to };
  const sealed = `select name, sum(records) as records from audit_counts where tenant_id = $1 and kind = '${kind}'`;
  const parts = [
    part(sealed, 'hour', inner),
    ...edgesOf({ start, end }, hours).map((edge) => part(logged, 'occurred', edge)),
    part(`select ${name}, count(*) from audit_sealer s, audit_log l where ${UNCOUNTED} and l.record_id is null`, 'occurred', inner),
  ];
  return { text: firstNames(parts.join(' union all '), limit), values };
}

/** Returns the conditions of all rows of a range, outcomes too. */
function rowsOf({ tenantId, start, end }: SummaryQuery): Conditions {
  const conditions: Conditions = { values: [tenantId], terms: ['tenant_id = $1'] };
  addRange(conditions, 'occurred', { start, end });
  return conditions;
}

/** Finds the time of the oldest row that is read, if the range has older ones. */
export function tablesFrom(query: SummaryQuery): SummaryStatement {
  const { values, terms } = rowsOf(query);
  const text = `
    select ceil(${microseconds('occurred')} / 1000.0)::int8 as "occurredMs" from audit_log
    where ${terms.join(' and ')} order by occurred desc, id desc offset ${TABLE_ROWS_MAX} limit 1`;
  return { text, values };
}

/** Counts the queries that read each table. A query counts once for a table, whether its record or its outcome has it. */
export function readTables(query: SummaryQuery): SummaryStatement {
  const conditions = rowsOf(query);
  conditions.terms.push(`action = any (${parameter(conditions, READING_ACTIONS)}::text[])`);
  const counted = `
    select name, count(*) as records from (
      select distinct tables.name, coalesce(record_id, id) as query from audit_log
      cross join lateral jsonb_array_elements_text(
        case jsonb_typeof(metadata -> 'tables_read') when 'array' then metadata -> 'tables_read' else '[]' end) tables (name)
      where ${conditions.terms.join(' and ')}
    ) reads group by name`;
  return { text: firstNames(counted, parameter(conditions, query.size)), values: conditions.values };
}
