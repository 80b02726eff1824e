import { randomUUID } from 'node:crypto';
import { TrinoError } from '../trino-error.ts';
import { changesSession } from './answers.ts';
import type { StatementKind } from './statement-kind.ts';
import type { StatementReader } from './statement-reader.ts';

/** Modes of a transaction that its statements could not keep: each sees the data of its own start. */
const STRONGER_THAN_STATEMENTS: ReadonlySet<string> = new Set(['SERIALIZABLE', 'REPEATABLE READ']);
const LEVELS = [['SERIALIZABLE'], ['REPEATABLE', 'READ'], ['READ', 'COMMITTED'], ['READ', 'UNCOMMITTED']] as const;

/**
 * START TRANSACTION. Each statement runs for itself, and every write is rejected, so READ WRITE, which JDBC sends after setAutoCommit(false), is accepted
 * as READ ONLY is. A level that promises more than one statement can keep is UNSUPPORTED_ISOLATION_LEVEL.
 */
export const readStart: StatementKind = (reader, { session }) => {
  if (!reader.take('START', 'TRANSACTION')) return undefined;
  const levels: string[] = [];
  const accesses: string[] = [];
  while (!reader.isAtEnd) {
    if (levels.length + accesses.length > 0) reader.expectMark(',');
    if (reader.take('ISOLATION', 'LEVEL')) levels.push(readLevel(reader));
    else accesses.push(readAccess(reader));
  }
  if (levels.length > 1 || accesses.length > 1)
    throw new TrinoError(
      'INVALID_TRANSACTION_MODE',
      'A transaction has at most one isolation level and one access mode.',
    );
  if (session.transactionId !== undefined)
    throw new TrinoError('NOT_SUPPORTED', 'Nested transactions not supported: run COMMIT or ROLLBACK first.');
  const [level = ''] = levels;
  if (STRONGER_THAN_STATEMENTS.has(level))
    throw new TrinoError(
      'UNSUPPORTED_ISOLATION_LEVEL',
      `The isolation level ${level} is not supported, because each statement sees the data of its own start. Use READ COMMITTED.`,
    );
  return changesSession('START TRANSACTION', { 'x-trino-started-transaction-id': randomUUID() });
};

function readLevel(reader: StatementReader): string {
  const level = LEVELS.find((words) => reader.take(...words));
  if (level === undefined) throw reader.unexpected();
  return level.join(' ');
}

function readAccess(reader: StatementReader): string {
  reader.expect('READ');
  const access = ['ONLY', 'WRITE'].find((word) => reader.take(word));
  if (access === undefined) throw reader.unexpected();
  return access;
}

export const readCommit: StatementKind = (reader, { session }) =>
  endTransaction(reader, 'COMMIT', session.transactionId);

export const readRollback: StatementKind = (reader, { session }) =>
  endTransaction(reader, 'ROLLBACK', session.transactionId);

function endTransaction(reader: StatementReader, verb: string, transactionId: string | undefined) {
  reader.expect(verb);
  reader.take('WORK');
  reader.end();
  if (transactionId === undefined) throw new TrinoError('NOT_IN_TRANSACTION', 'No transaction in progress');
  return changesSession(verb, { 'x-trino-clear-transaction-id': 'true' });
}
