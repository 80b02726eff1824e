/**
 * Returns the condition that an audit record `r` is that of a row of `queries`. The time, which equals that of the start, leaves one
 * partition to look in.
 */
export const isRecordOf = (query: string): string =>
  `r.tenant_id = ${query}.tenant_id and r.occurred = ${query}.started and r.id = ${query}.audit_id`;

/**
 * Returns the expression of the SQL of a row of `queries`: its copy, or that of its audit record. Empty when the row has no copy and somebody
 * has removed the record.
 */
export const statementOf = (query: string): string => `coalesce(case when ${query}.statement_bytes is not null then (
    select r.metadata ->> 'sql' from audit_log r where ${isRecordOf(query)} limit 1
  ) end, ${query}.sql)`;
