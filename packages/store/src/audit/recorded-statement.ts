/**
 * Returns the condition that an audit record `r` is that of a row of `queries`. The time, which equals that of the start, leaves one
 * partition to look in.
 */
export const isRecordOf = (query: string): string =>
  `r.tenant_id = ${query}.tenant_id and r.occurred = ${query}.started and r.id = ${query}.audit_id`;

/** Returns the expression of the SQL of a row of `queries`, which its audit record has. Empty when somebody has removed the record. */
export const statementOf = (query: string): string =>
  `coalesce((select r.metadata ->> 'sql' from audit_log r where ${isRecordOf(query)} limit 1), '')`;

/** Returns the expression of the size of SQL and parameters, from the metadata of a record. */
export const statementBytesOf = (metadata: string): string =>
  `octet_length(${metadata} ->> 'sql') + coalesce(octet_length((${metadata} -> 'parameters')::text), 0)`;
