import type { DoorStatement } from '../door-statement.ts';
import { checkSessionProperty, timeLimitOf } from '../session/session-properties.ts';
import { checkNoMarks } from '../values/put-values.ts';
import { checkDuckDbDialect } from './duckdb-dialect.ts';
import { executedText, locationOfStatement } from './execute-statements.ts';
import { readKill } from './kill-query.ts';
import { isPing, PING_ANSWER } from './ping.ts';
import { readDeallocate, readDescribe, readPrepare } from './prepare-statements.ts';
import { readReset, readSet, readUse } from './set-statements.ts';
import { readShowRoles } from './show-roles.ts';
import { readShowSession } from './show-session.ts';
import type { StatementContext, StatementKind } from './statement-kind.ts';
import { firstWord, StatementReader } from './statement-reader.ts';
import { readCommit, readRollback, readStart } from './transaction-statements.ts';

/** Statements that the door answers itself, by their first word. */
const KINDS: ReadonlyMap<string, StatementKind> = new Map<string, StatementKind>([
  ['CALL', readKill],
  ['COMMIT', readCommit],
  ['DEALLOCATE', readDeallocate],
  ['DESC', readDescribe],
  ['DESCRIBE', readDescribe],
  ['PREPARE', readPrepare],
  ['RESET', readReset],
  ['ROLLBACK', readRollback],
  ['SET', readSet],
  ['SHOW', (reader, context) => readShowSession(reader, context) ?? readShowRoles(reader, context)],
  ['START', readStart],
  ['USE', readUse],
]);

/**
 * Reads a statement of a client: what answers it, and with which text. Anything that is not a statement of the session or the catalog is the
 * engine's, unchanged except for the facts of the session on DuckDB. Throws a TrinoError for a statement that is refused, with the position in it.
 */
export function readStatement(sql: string, context: StatementContext): DoorStatement {
  const word = firstWord(sql);
  if (word === 'EXECUTE') {
    const executed = executedText(new StatementReader(sql), context);
    return { ...readStatement(executed, context), executed };
  }
  return KINDS.get(word)?.(new StatementReader(sql), context) ?? readPlain(sql, context);
}

/** Returns the kind of a statement that the catalog or the engine answers. */
function readPlain(sql: string, { session, engine, readCatalogue, putFacts }: StatementContext): DoorStatement {
  for (const [name, value] of session.properties) checkSessionProperty(name, value);
  if (isPing(sql)) return PING_ANSWER;
  const catalogue = readCatalogue?.(sql, session);
  if (catalogue !== undefined) return catalogue;
  if (engine === 'duckdb') checkDuckDbDialect(sql);
  checkNoMarks(sql, { engine, location: locationOfStatement(sql) });
  return { kind: 'query', sql: putFacts?.(sql) ?? sql, timeLimitMs: timeLimitOf(session.properties) };
}
