import type { DoorStatement } from '../door-statement.ts';
import { putValues } from '../values/put-values.ts';
import { type GivenValue, readValues } from '../values/read-values.ts';
import { checkPreparable, preparedText } from './prepare-statements.ts';
import { readStatement, type StatementContext, type StatementKind } from './read-statement.ts';
import type { StatementReader } from './statement-reader.ts';

/** EXECUTE name USING values, and EXECUTE IMMEDIATE 'statement' USING values. */
export const readExecute: StatementKind = (reader, context) => {
  reader.expect('EXECUTE');
  const isImmediate = reader.peek()?.text === 'IMMEDIATE' && reader.peek(1)?.kind === 'string';
  const text = isImmediate ? immediateText(reader) : preparedText(reader.identifier(), context);
  const values = reader.take('USING') ? readValues(reader) : [];
  reader.end();
  return readWithValues(text, values, context);
};

function immediateText(reader: StatementReader): string {
  reader.expect('IMMEDIATE');
  const text = reader.string();
  checkPreparable(text);
  return text;
}

/** A statement of the catalog is DuckDB's on both engines, so its values are written for DuckDB. */
function readWithValues(text: string, values: readonly GivenValue[], context: StatementContext): DoorStatement {
  const { engine, session, readCatalogue } = context;
  const sql = putValues(text, engine, values);
  const isCatalogue = engine === 'trino' && values.length > 0 && readCatalogue?.(sql, session) !== undefined;
  return readStatement(isCatalogue ? putValues(text, 'duckdb', values) : sql, context);
}
