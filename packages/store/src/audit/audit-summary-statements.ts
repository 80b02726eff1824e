import { addRange, COUNT_NAMES, edgesOf, UNCOUNTED, uncountedReads, wholeHours } from './audit-count-statement.ts';
import { type AuditFilter, type Conditions, parameter } from './audit-search-statements.ts';

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
    part(
      `select ${name}, count(*) from audit_sealer s, audit_log l where ${UNCOUNTED} and l.record_id is null`,
      'occurred',
      inner,
    ),
  ];
  return { text: firstNames(parts.join(' union all '), limit), values };
}

const HOUR_MS = 3_600_000;

/** Returns the range of a query with the whole of its first and last hour. */
export const wholeHoursAround = ({ start, end, ...query }: SummaryQuery): SummaryQuery => ({
  ...query,
  start: Math.floor(start / HOUR_MS) * HOUR_MS,
  end: Math.ceil(end / HOUR_MS) * HOUR_MS,
});

/**
 * Counts the statements that read each table, in whole hours: from the sealer's counts, and from the rows that are not sealed yet. Names of
 * schemas and catalogs end with a dot there.
 */
export function readTables({ tenantId, start, end, size }: SummaryQuery): SummaryStatement {
  const values: unknown[] = [tenantId];
  const within = (column: string): string => {
    const own: Conditions = { values, terms: [] };
    addRange(own, column, { start, end });
    return own.terms.join(' and ');
  };
  const counted = `
    select name, sum(records) as records from audit_read_counts
    where tenant_id = $1 and name not like '%.' and ${within('hour')} group by name
    union all
    select e.name, count(*) from ${uncountedReads("cross join lateral audit_read_entries(l.metadata -> 'tables_read') e (name)")} and ${within('record.occurred')} and e.name not like '%.' and exists (
      select from audit_reads r where r.tenant_id = $1 and r.name = e.name and r.occurred = record.occurred
        and r.record_id = coalesce(l.record_id, l.id) and r.xact = l.xact offset 0)
    group by 1`;
  return { text: firstNames(counted, parameter({ values, terms: [] }, size)), values };
}
