import { ProblemError } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/transaction.ts';
import type { AuditFilter } from './audit-search-statements.ts';

/** A page reads the first records of each table, so their number is limited. */
const TABLES_MAX = 200;

/** Names of tables, without those of schemas and catalogs, which end with a dot. They have the collation C, so a prefix is a range. */
const NAMES = prepared(
  'audit_read_names',
  `select distinct name from audit_read_names
   where tenant_id = $1 and name >= $2::text and starts_with(name, $2::text) and name <> '' and not name like '%.' limit ${TABLES_MAX + 1}`,
);

const SINCE = prepared(
  'audit_reads_since',
  `select floor(extract(epoch from min(first_read)) * 1000)::int8 as since from audit_read_names where tenant_id = $1 and name = ''`,
);

/**
 * Returns the filter with the names of the index that `reads` means. Names are in lower case there, as far as they are ASCII. Throws
 * `invalid_request` when more than 200 tables begin with a prefix that ends within a name.
 */
export async function withReadNames(database: Database, tenantId: string, filter: AuditFilter): Promise<AuditFilter> {
  if (filter.reads === undefined) return filter;
  const reads = lowerAscii(filter.reads);
  if (!reads.endsWith('*')) return { ...filter, readNames: [reads] };
  const prefix = reads.slice(0, -1);
  // A schema or a catalog has entries of its own.
  if (prefix.endsWith('.')) return { ...filter, readNames: [prefix] };
  const rows = await database.run<{ name: string }>({ tenantId }, NAMES, [tenantId, prefix]);
  if (rows.length <= TABLES_MAX) return { ...filter, readNames: rows.map(({ name }) => name) };
  throw new ProblemError(
    'invalid_request',
    `advance_options.reads matches more than ${TABLES_MAX} tables. Add letters before the *, or end the prefix with a dot to search a whole schema or catalog.`,
  );
}

/** Returns the time of the first record of the tenant that names the tables it read, in epoch milliseconds; null when there is none. */
export async function findReadsSince(database: Database, tenantId: string): Promise<number | null> {
  const [row] = await database.run<{ since: string | null }>({ tenantId }, SINCE, [tenantId]);
  return row === undefined || row.since === null ? null : Number(row.since);
}

const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
