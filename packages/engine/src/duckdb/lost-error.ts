import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import { rowExpression } from './cells/row-expression.ts';
import { duckDbProblem } from './errors.ts';
import type { RenderedQuery } from './rendered-query.ts';
import { wrapSource } from './source.ts';

const LOST_ERROR_PREFIX = 'SELECT max(length(line)) FROM (';

/**
 * Finds the error of a streamed result that ended early: the binding reports none. The same statement, materialized under an
 * aggregate that needs every byte of every row, fails with the engine's own message.
 */
export async function lostError(connection: DuckDBConnection, query: RenderedQuery): Promise<unknown> {
  const { source, template, statement, hiddenPaths } = query;
  const { row, longStringColumns } = rowExpression(template, source.shape, statement.timeZone);
  const wrapped = wrapSource(source, [row, ...longStringColumns].join(', '), statement.rowsMax);
  try {
    const prepared = await connection.prepare(`${LOST_ERROR_PREFIX}${wrapped.sql}) AS result(line)`);
    source.bind(prepared);
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
