import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract';
import type { ResultEvent } from '../engine.ts';
import { longTextsIn, rowExpression } from './cells/row-expression.ts';
import { duckDbProblem } from './errors.ts';
import { AbandonedWork, withPlanningLimit } from './planning-limit.ts';
import type { RenderedQuery } from './rendered-query.ts';
import { readRows } from './rows/row-stream.ts';
import { bindLists, type WrappedSource, wrapSource } from './source.ts';
import { sqlString } from './sql-text.ts';

/** Streams the rows of a result of any size, each written by the engine itself, and then its end. */
export async function* streamResult(
  connection: DuckDBConnection,
  query: RenderedQuery,
): AsyncGenerator<ResultEvent, void> {
  const { source, template, statement, signal } = query;
  const { row, longTextColumns } = rowExpression(template, source.shape.types, statement.timeZone);
  const wrapped = wrapSource(source, [row, ...longTextColumns].join(', '), statement.rowsMax);
  const endMark = `end of result ${randomUUID()}`;
  try {
    const work = connection.prepare(
      `${wrapped.sql} UNION ALL SELECT ${[sqlString(endMark), ...longTextColumns.map(() => 'NULL')].join(', ')}`,
    );
    const prepared = await withPlanningLimit(work, query.planningMsMax);
    bindLists(prepared, source.parameters);
    const result = await prepared.stream();
    signal.throwIfAborted();
    const end = yield* readRows(result, {
      endMark,
      separatorBytes: Buffer.byteLength(template.separator),
      rowsMax: statement.rowsMax,
      longTexts: longTextsIn(template),
      interrupt: () => query.interruption.begin(),
      allocate: query.allocate,
    });
    signal.throwIfAborted();
    if (end === undefined) throw await lostError(connection, wrapped, query);
    yield { kind: 'end', limited: end.limited };
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    signal.throwIfAborted();
    const { hiddenPaths } = query;
    throw duckDbProblem(thrown, { sql: statement.sql, offsetBytes: wrapped.offsetBytes, hiddenPaths });
  }
}

const LOST_ERROR_PREFIX = 'SELECT max(length(line)) FROM (';

/**
 * Finds the error of a streamed result that ended early: the binding reports none. The same statement, materialized under an
 * aggregate that needs every byte of every row, fails with the engine's own message.
 */
async function lostError(
  connection: DuckDBConnection,
  wrapped: WrappedSource,
  { source, hiddenPaths }: RenderedQuery,
): Promise<unknown> {
  try {
    const prepared = await connection.prepare(`${LOST_ERROR_PREFIX}${wrapped.sql}) AS result(line)`);
    bindLists(prepared, source.parameters);
    await prepared.run();
  } catch (thrown) {
    const offsetBytes = wrapped.offsetBytes + Buffer.byteLength(LOST_ERROR_PREFIX);
    return duckDbProblem(thrown, { sql: source.sql, offsetBytes, hiddenPaths });
  }
  return new ProblemError(
    'internal',
    'The result ended early and the engine reported no reason. The data that was sent is incomplete.',
  );
}
