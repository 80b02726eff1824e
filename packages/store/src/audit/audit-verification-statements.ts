import { QUERY_KINDS } from '@sluice/contract';
import { epochMs } from './audit-seal-statements.ts';
import { statementBytesOf } from './recorded-statement.ts';

const HOUR_SECONDS = 3600;

/** Finds the first hour in which the sealed records, counted anew, differ from the counts that searches use. */
export const COUNT_MISMATCH = `
  with found as (
    select k.kind, k.name, to_timestamp(floor(extract(epoch from l.occurred) / ${HOUR_SECONDS}) * ${HOUR_SECONDS}) as hour,
      count(*) as records
    from audit_chain c
    join audit_log l on l.tenant_id = c.tenant_id and l.occurred = c.occurred and l.id = c.record_id
    cross join lateral (values ('all', ''), ('user', l.user_name), ('action', l.action)) k (kind, name)
    where c.tenant_id = $1 and l.record_id is null
    group by 1, 2, 3
  )
  select kind, name, ${epochMs('hour')} as "hourMs", coalesce(s.records, 0)::text as counted, coalesce(found.records, 0)::text as records
  from found full join (select * from audit_counts where tenant_id = $1) s using (kind, name, hour)
  where coalesce(found.records, 0) <> coalesce(s.records, 0)
  order by hour, kind, name limit 1`;

const hourOf = (moment: string): string =>
  `to_timestamp(floor(extract(epoch from ${moment}) / ${HOUR_SECONDS}) * ${HOUR_SECONDS})`;
const monthOf = (moment: string): string => `date_trunc('month', ${moment} at time zone 'utc')::date`;

/** Returns the condition that a row `l` of the log names the table of an entry `u`. */
const names = `exists (select from audit_read_entries(l.metadata -> 'tables_read') e (name) where e.name = u.name)`;

/**
 * Finds the first hour in which the tables that sealed records name differ from the counts that searches use, or from the index that they
 * search. An outcome names the tables of its record. The index is compared entry by entry and in both directions, so that a missing entry and a
 * surplus one do not make up for each other: `missing` are names of sealed records without an entry, or without a place in the list of names that
 * prefixes search; `surplus` are entries whose record, sealed or not, does not name the table. The database spills what does not fit in memory.
 */
export const READS_MISMATCH = `
  with named as materialized (
    select distinct e.name, t.occurred, coalesce(l.record_id, l.id) as record_id, ${hourOf('t.occurred')} as hour
    from audit_chain c
    join audit_log l on l.tenant_id = c.tenant_id and l.occurred = c.occurred and l.id = c.record_id
    cross join lateral audit_read_entries(l.metadata -> 'tables_read') e (name)
    cross join lateral audit_read_time(l.tenant_id, l.query_id, l.record_id, l.occurred) t (occurred)
    where c.tenant_id = $1 and l.metadata -> 'tables_read' is not null and t.occurred is not null
  ), found as (
    select name, hour, count(*) as records from named group by 1, 2
  ), counted as (
    select name, hour, records from audit_read_counts where tenant_id = $1
  ), unexplained as materialized (
    select r.name, r.occurred, r.record_id from audit_reads r
    where r.tenant_id = $1 and not exists (
      select from named n where n.name = r.name and n.occurred = r.occurred and n.record_id = r.record_id)
  ), surplus as (
    select u.name, u.occurred from unexplained u
    where not exists (
      select from audit_log l where l.tenant_id = $1 and l.occurred = u.occurred and l.id = u.record_id and l.record_id is null and ${names})
    and not exists (
      select from audit_log l where l.tenant_id = $1 and l.record_id = u.record_id and ${names}
        and audit_read_time(l.tenant_id, l.query_id, l.record_id, l.occurred) = u.occurred)
  ), compared as (
    select 'table' as kind, name, hour, coalesce(counted.records, 0) as counted, coalesce(found.records, 0) as records
    from found full join counted using (name, hour)
    union all
    select 'entries of table', n.name, n.hour, count(r.record_id), count(*) from named n
    left join audit_reads r on r.tenant_id = $1 and r.name = n.name and r.occurred = n.occurred and r.record_id = n.record_id
    group by n.name, n.hour
    union all
    select 'surplus entries of table', name, ${hourOf('occurred')}, count(*), 0 from surplus group by name, ${hourOf('occurred')}
    union all
    select 'listed names of table', n.name, n.hour, 0, 1
    from (select name, ${monthOf('occurred')} as month, min(hour) as hour from named where name not like '%.' group by 1, 2) n
    where not exists (select from audit_read_names a where a.tenant_id = $1 and a.name = n.name and a.month = n.month)
  )
  select kind, name, ${epochMs('hour')} as "hourMs", counted::text as counted, records::text as records
  from compared where counted <> records
  order by hour, kind, name limit 1`;

/** Columns of a receipt with their expressions on the query's record (`r`) and its last outcome (`o`). */
const RECEIPT_COLUMNS: readonly (readonly [column: string, expected: string])[] = [
  ['audit_id', 'r.id'],
  ['user_name', 'r.user_name'],
  ['session_id', 'r.session_id'],
  ['sql', `''`],
  ['statement_bytes', statementBytesOf('r.metadata')],
  ['started', 'r.occurred'],
  ['ended', 'o.occurred'],
];
/** Columns that only a finished query has. */
const OUTCOME_COLUMNS: readonly (readonly [column: string, expected: string])[] = [
  ['state', `o.metadata ->> 'state'`],
  ['rows', `(o.metadata ->> 'rows')::bigint`],
  ['bytes', `(o.metadata ->> 'bytes')::bigint`],
  ['sha256', `o.metadata ->> 'sha256'`],
  ['limited', `(o.metadata ->> 'limited')::boolean`],
  ['at_least', `coalesce((o.metadata ->> 'at_least')::boolean, false)`],
  ['error', `nullif(o.metadata -> 'error', 'null')`],
];

const differing = (columns: typeof RECEIPT_COLUMNS, condition: string): string =>
  columns
    .map(
      ([column, expected]) =>
        `case when ${condition} and q.${column} is distinct from ${expected} then '${column}' end`,
    )
    .join(', ');

/** Actions of queries, each of which has a receipt. */
const QUERY_ACTIONS = Object.values(QUERY_KINDS)
  .map((action) => `'${action}'`)
  .join(', ');

/** Finds the first receipt that differs from its record or its outcome. If a query has several outcomes, the one sealed last is compared. */
export const RECEIPT_MISMATCH = `
  with records as (
    select l.*, c.sequence from audit_log l
    left join audit_chain c on c.tenant_id = l.tenant_id and c.occurred = l.occurred and c.record_id = l.id
    where l.tenant_id = $1 and l.record_id is null and l.query_id is not null
      and l.action in (${QUERY_ACTIONS})
  ), outcomes as (
    select distinct on (l.record_id) l.* from audit_log l
    left join audit_chain c on c.tenant_id = l.tenant_id and c.occurred = l.occurred and c.record_id = l.id
    where l.tenant_id = $1 and l.record_id is not null
    order by l.record_id, c.sequence desc nulls first, l.occurred desc
  ), compared as (
    select coalesce(q.query_id, r.query_id) as query_id, r.id as record_id, r.sequence,
      case when q.query_id is null then 'missing' when r.id is null then 'inserted' else 'altered' end as kind,
      array_remove(array[${differing(RECEIPT_COLUMNS, 'true')}, ${differing(OUTCOME_COLUMNS, 'o.id is not null')}], null) as columns
    from records r
    full join (select * from queries where tenant_id = $1) q on q.query_id = r.query_id
    left join outcomes o on o.record_id = r.id
    where r.id is not null or q.ended is not null
  )
  select query_id as "queryId", record_id as "recordId", sequence::text as sequence, kind, columns
  from compared where kind <> 'altered' or cardinality(columns) > 0
  order by compared.sequence nulls last, query_id limit 1`;

/** Finds the retention settings of a tenant. */
export const RETENTION = `
  select r.kept_ms::float8 as kept_ms, t.settings -> 'auditRetentionMs' as tenant_ms
  from audit_retention r, tenants t where t.id = $1`;
