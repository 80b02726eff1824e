import { stripTrailingSemicolons } from '@sluice/engine';
import type { DoorStatement } from '../door-statement.ts';
import { TrinoError } from '../trino-error.ts';
import { countMarks, type EngineKind, withoutValues } from '../values/put-values.ts';
import { changesSession, encoded, hasRows } from './answers.ts';
import { checkDuckDbDialect } from './duckdb-dialect.ts';
import type { StatementContext, StatementKind } from './statement-kind.ts';
import { firstWord, StatementReader, syntaxError } from './statement-reader.ts';

const NOT_PREPARABLE: ReadonlySet<string> = new Set(['PREPARE', 'EXECUTE', 'DEALLOCATE']);

/** PREPARE name FROM statement. The text is the engine's, and is not changed. */
export const readPrepare: StatementKind = (reader, { engine, handles }) => {
  reader.expect('PREPARE');
  const name = reader.identifier();
  reader.expect('FROM');
  const text = withoutSemicolons(reader.sql.slice(reader.position), engine);
  if (new StatementReader(text).isAtEnd)
    throw syntaxError('There is no statement after FROM.', reader.sql, reader.position);
  checkPreparable(text);
  if (engine === 'duckdb') checkDuckDbDialect(text);
  return changesSession('PREPARE', { 'x-trino-added-prepare': `${encoded(name)}=${encoded(handles.write(text))}` });
};

function withoutSemicolons(sql: string, engine: EngineKind): string {
  if (engine === 'duckdb') return stripTrailingSemicolons(sql).trim();
  const reader = new StatementReader(sql);
  while (!reader.isAtEnd && reader.peek()?.kind !== 'unknown') reader.token();
  return (reader.isAtEnd ? sql.slice(0, reader.position) : sql).trim();
}

/** Throws NOT_SUPPORTED for a statement about prepared statements. */
export function checkPreparable(sql: string): void {
  const word = firstWord(sql);
  if (NOT_PREPARABLE.has(word))
    throw new TrinoError('NOT_SUPPORTED', `Invalid statement type for prepared statement: ${word}`);
}

/** DEALLOCATE PREPARE name. */
export const readDeallocate: StatementKind = (reader, { session }) => {
  reader.expect('DEALLOCATE', 'PREPARE');
  const name = reader.identifier();
  reader.end();
  if (!session.prepared.has(name)) throw notFound(name);
  return changesSession('DEALLOCATE', { 'x-trino-deallocated-prepare': encoded(name) });
};

/** DESCRIBE INPUT name and DESCRIBE OUTPUT name. A table may be called `input`. */
export const readDescribe: StatementKind = (reader, context) => {
  const [, what, name] = [reader.token(), reader.peek(), reader.peek(1)];
  if (what?.kind !== 'word' || name === undefined || name.text === '.') return undefined;
  const isInput = reader.take('INPUT');
  if (!isInput && !reader.take('OUTPUT')) return undefined;
  const text = preparedText(reader.identifier(), context);
  reader.end();
  const { engine } = context;
  return isInput ? describeInput(text, engine) : { kind: 'describe output', sql: withoutValues(text, engine) };
};

/** The types of parameters are unknown until they have values. */
function describeInput(text: string, engine: EngineKind): DoorStatement {
  const rows = Array.from({ length: countMarks(text, engine) }, (_, position) => [position, 'unknown'] as const);
  return hasRows({
    columns: [
      { name: 'Position', type: 'bigint' },
      { name: 'Type', type: 'varchar' },
    ],
    rows,
  });
}

/** Returns the text of a prepared statement. Throws NOT_FOUND for an unknown name, and what its handle or its text is refused for. */
export function preparedText(name: string, { session, handles }: StatementContext): string {
  const value = session.prepared.get(name);
  if (value === undefined) throw notFound(name);
  const text = handles.read(value);
  checkPreparable(text);
  return text;
}

const notFound = (name: string): TrinoError => new TrinoError('NOT_FOUND', `Prepared statement not found: ${name}`);
