import type { ClientSession } from '../client-session.ts';
import type { DoorStatement } from '../door-statement.ts';
import type { PreparedHandles } from '../session/prepared-handles.ts';
import { checkSessionProperty, timeLimitOf } from '../session/session-properties.ts';
import type { EngineKind } from '../values/put-values.ts';
import { checkDuckDbDialect } from './duckdb-dialect.ts';
import { readExecute } from './execute-statements.ts';
import { readKill } from './kill-query.ts';
import { isPreparable, readDeallocate, readDescribe, readPrepare } from './prepare-statements.ts';
import { readReset, readSet, readUse } from './set-statements.ts';
import { readShowSession } from './show-session.ts';
import { StatementReader } from './statement-reader.ts';
import { readCommit, readRollback, readStart } from './transaction-statements.ts';

/** What else than the text decides what a statement is. */
export interface StatementContext {
  readonly session: ClientSession;
  /** Engine of the tenant. */
  readonly engine: EngineKind;
  readonly handles: PreparedHandles;
  /** Reads a statement that the mirrored catalog answers; undefined for any other. Its SQL is DuckDB's, whatever the engine is. */
  readonly readCatalogue?: (sql: string, session: ClientSession) => DoorStatement | undefined;
}

/** Reads the rest of a statement that begins with a word of its own; undefined: another statement begins with it too. */
export type StatementKind = (reader: StatementReader, context: StatementContext) => DoorStatement | undefined;

/** Statements that the door answers itself, by their first word. */
const KINDS: ReadonlyMap<string, StatementKind> = new Map<string, StatementKind>([
  ['CALL', readKill],
  ['COMMIT', readCommit],
  ['DEALLOCATE', readDeallocate],
  ['DESC', readDescribe],
  ['DESCRIBE', readDescribe],
  ['EXECUTE', readExecute],
  ['PREPARE', readPrepare],
  ['RESET', readReset],
  ['ROLLBACK', readRollback],
  ['SET', readSet],
  ['SHOW', readShowSession],
  ['START', readStart],
  ['USE', readUse],
]);

/**
 * Reads a statement of a client: what answers it, and with which text. Anything that is not a statement of the session or the catalog is the
 * engine's, unchanged. Throws a TrinoError for a statement that is refused, with the position in it.
 */
export function readStatement(sql: string, context: StatementContext): DoorStatement {
  const [reader, kind] = kindOf(sql);
  return kind?.(reader, context) ?? readPlain(sql, context);
}

/** Reads the statement that EXECUTE runs, which is not one about prepared statements itself. */
export function readPreparedText(sql: string, context: StatementContext): DoorStatement {
  if (!isPreparable(sql)) return readPlain(sql, context);
  return readStatement(sql, context);
}

function kindOf(sql: string): readonly [StatementReader, StatementKind | undefined] {
  const reader = new StatementReader(sql);
  const first = reader.peek();
  return [reader, first?.kind === 'word' ? KINDS.get(first.text) : undefined];
}

/** Returns the kind of a statement that the catalog or the engine answers. */
function readPlain(sql: string, { session, engine, readCatalogue }: StatementContext): DoorStatement {
  for (const [name, value] of session.properties) checkSessionProperty(name, value);
  const catalogue = readCatalogue?.(sql, session);
  if (catalogue !== undefined) return catalogue;
  if (engine === 'duckdb') checkDuckDbDialect(sql);
  return { kind: 'query', sql, timeLimitMs: timeLimitOf(session.properties) };
}
