import type { ClientSession } from '../client-session.ts';
import { TrinoError } from '../trino-error.ts';
import { isSystemTable, SYSTEM_TABLES } from './catalogue-tables.ts';
import { type DottedName, isMark, locationOf, nameOf } from './tokens.ts';

/** Tables of Trino that describe a whole cluster or its connectors, by their schema in `system`. */
const UNSERVED: Readonly<Record<string, ReadonlySet<string>>> = {
  runtime: new Set(['optimizer_rule_stats', 'queries', 'tasks', 'transactions']),
  metadata: new Set([
    ...['analyze_properties', 'column_properties', 'materialized_view_properties'],
    ...['schema_properties', 'table_properties'],
  ]),
};

const OWN_QUERIES = 'Your own queries are in GET /query/history, and in the history of the console.';
const SERVED = 'SHOW TABLES FROM system.jdbc, system.metadata and system.runtime has the tables that are.';

/**
 * Throws for a table of `system.jdbc`, `system.metadata` or `system.runtime` that the door does not have: NOT_SUPPORTED for one of Trino, and
 * TABLE_NOT_FOUND for any other.
 */
export function refuseUnserved(
  sql: string,
  { parts, after }: DottedName,
  session: Pick<ClientSession, 'catalog'>,
): void {
  const names = parts.map(nameOf);
  if (isMark(after, '(')) return; // a function
  const inSystem = session.catalog?.toLowerCase() === 'system' && names.length === 2 ? ['system', ...names] : names;
  const [catalog, schema = '', table = ''] = inSystem;
  if (catalog !== 'system' || inSystem.length !== 3 || !Object.hasOwn(SYSTEM_TABLES, schema)) return;
  if (isSystemTable(schema, table)) return;
  const location = locationOf(sql, parts[0]?.start ?? 0);
  const name = `system.${schema}.${table}`;
  if (UNSERVED[schema]?.has(table) !== true)
    throw new TrinoError('TABLE_NOT_FOUND', `Table '${name}' does not exist`, location);
  const advice = schema === 'runtime' ? OWN_QUERIES : SERVED;
  throw new TrinoError('NOT_SUPPORTED', `The table ${name} is not served. ${advice}`, location);
}
