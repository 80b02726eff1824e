import { putValues } from '../values/put-values.ts';
import { readValues } from '../values/read-values.ts';
import { checkPreparable, preparedText } from './prepare-statements.ts';
import type { StatementContext } from './statement-kind.ts';
import type { StatementReader } from './statement-reader.ts';

/**
 * Reads EXECUTE name USING values, or EXECUTE IMMEDIATE 'statement' USING values. Returns the statement with its values. One of the catalog is
 * DuckDB's on both engines, so its values are too.
 */
export function executedText(reader: StatementReader, context: StatementContext): string {
  const { engine, session, readCatalogue } = context;
  reader.expect('EXECUTE');
  const isImmediate = reader.peek()?.text === 'IMMEDIATE' && reader.peek(1)?.kind === 'string';
  const text = isImmediate ? immediateText(reader) : preparedText(reader.identifier(), context);
  const values = reader.take('USING') ? readValues(reader) : [];
  reader.end();
  const sql = putValues(text, engine, values);
  checkPreparable(sql);
  const isCatalogue = engine === 'trino' && values.length > 0 && readCatalogue?.(sql, session) !== undefined;
  return isCatalogue ? putValues(text, 'duckdb', values) : sql;
}

function immediateText(reader: StatementReader): string {
  reader.expect('IMMEDIATE');
  const text = reader.string();
  checkPreparable(text);
  return text;
}
