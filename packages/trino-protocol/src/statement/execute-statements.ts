import { lexTrinoSql } from '@sluice/engine';
import type { ErrorLocation } from '../trino-error.ts';
import { putValues } from '../values/put-values.ts';
import { readValues } from '../values/read-values.ts';
import { checkPreparable, preparedText } from './prepare-statements.ts';
import type { StatementContext } from './statement-kind.ts';
import { errorLocation, type StatementReader } from './statement-reader.ts';

/** A statement that is executed, before it has its values. */
interface ExecutedStatement {
  readonly text: string;
  /** Position of its first word, as Trino has it in its errors: in the text of EXECUTE IMMEDIATE, or in that of PREPARE. */
  readonly location: ErrorLocation;
}

/**
 * Reads EXECUTE name USING values, or EXECUTE IMMEDIATE 'statement' USING values. Returns the statement with its values. One of the catalog is
 * DuckDB's on both engines, so its values are too.
 */
export function executedText(reader: StatementReader, context: StatementContext): string {
  const { engine, session, readCatalogue } = context;
  reader.expect('EXECUTE');
  const isImmediate = reader.peek()?.text === 'IMMEDIATE' && reader.peek(1)?.kind === 'string';
  const { text, location } = isImmediate ? immediateStatement(reader) : preparedStatement(reader, context);
  const values = reader.take('USING') ? readValues(reader) : [];
  reader.end();
  const sql = putValues(text, values, { engine, location });
  checkPreparable(sql);
  const isCatalogue = engine === 'trino' && values.length > 0 && readCatalogue?.(sql, session) !== undefined;
  return isCatalogue ? putValues(text, values, { engine: 'duckdb' }) : sql;
}

function preparedStatement(reader: StatementReader, context: StatementContext): ExecutedStatement {
  const text = preparedText(reader.identifier(), context);
  return { text, location: locationOfStatement(text) };
}

function immediateStatement(reader: StatementReader): ExecutedStatement {
  reader.expect('IMMEDIATE');
  const start = (reader.peek()?.start ?? 0) + 1; // after the quote
  const text = reader.string();
  checkPreparable(text);
  return { text, location: errorLocation(reader.sql, start + startOf(text)) };
}

/** Returns the place at which Trino reports what is wrong with a whole statement: that of its first word. */
export const locationOfStatement = (sql: string): ErrorLocation => errorLocation(sql, startOf(sql));

/** Returns where the first token of a statement begins. */
function startOf(sql: string): number {
  for (const { start } of lexTrinoSql(sql)) return start;
  return 0;
}
