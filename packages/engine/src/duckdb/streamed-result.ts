import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ResultEvent } from '../engine.ts';
import { longStringsIn, rowExpression } from './cells/row-expression.ts';
import { duckDbProblem } from './errors.ts';
import { lostError } from './lost-error.ts';
import { AbandonedWork, withPlanningLimit } from './planning-limit.ts';
import { preparedAround } from './prepare-around.ts';
import type { RenderedQuery } from './rendered-query.ts';
import { readRows } from './rows/row-stream.ts';
import { wrapSource } from './source.ts';
import { sqlString } from './sql-text.ts';

/** Streams the rows of a result of any size, each written by the engine itself, and then its end. */
export async function* streamResult(
  connection: DuckDBConnection,
  query: RenderedQuery,
): AsyncGenerator<ResultEvent, void> {
  const { source, template, statement, signal } = query;
  const { row, longStringColumns } = rowExpression(template, source.shape, statement.timeZone);
  const wrapped = wrapSource(source, [row, ...longStringColumns].join(', '), statement.rowsMax);
  const endMark = `end of result ${randomUUID()}`;
  try {
    const work = connection.prepare(
      `${wrapped.sql} UNION ALL SELECT ${[sqlString(endMark), ...longStringColumns.map(() => 'NULL')].join(', ')}`,
    );
    const prepared = await preparedAround(withPlanningLimit(work, query.planningMsMax));
    // Until it is destroyed, DuckDB counts the memory of its sorts against the limit of every later statement.
    using _ = { [Symbol.dispose]: () => prepared.destroySync() };
    source.bind(prepared);
    const result = await prepared.stream();
    signal.throwIfAborted();
    const end = yield* readRows(result, {
      endMark,
      separatorBytes: Buffer.byteLength(template.separator),
      rowsMax: statement.rowsMax,
      longStrings: longStringsIn(template),
      interrupt: () => query.interruption.begin(),
      allocate: query.allocate,
    });
    signal.throwIfAborted();
    if (end === undefined) throw await lostError(connection, query);
    yield { kind: 'end', limited: end.limited };
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    signal.throwIfAborted();
    const { hiddenPaths } = query;
    throw duckDbProblem(thrown, { sql: statement.sql, offsetBytes: wrapped.offsetBytes, hiddenPaths });
  }
}
