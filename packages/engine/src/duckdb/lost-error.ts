import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import { duckDbProblem } from './errors.ts';
import type { RenderedQuery } from './rendered-query.ts';
import { columnAlias, wrapSource } from './source.ts';

/**
 * Finds the error of a streamed result that ended early: the binding reports none. The same selection, materialized under an aggregate
 * that needs every value of every row, fails with the engine's own message.
 */
export async function lostError(
  connection: DuckDBConnection,
  { source, statement, hiddenPaths }: RenderedQuery,
  selected: readonly string[],
): Promise<unknown> {
  const wrapped = wrapSource(source, selected.join(', '), statement.rowsMax);
  const aliases = selected.map((_, index) => columnAlias(index)).join(', ');
  const prefix = `SELECT max(hash(${aliases})) FROM (`;
  try {
    const prepared = await connection.prepare(`${prefix}${wrapped.sql}) AS result(${aliases})`);
    source.bind(prepared);
    await prepared.run();
  } catch (thrown) {
    const offsetBytes = wrapped.offsetBytes + Buffer.byteLength(prefix);
    return duckDbProblem(thrown, { sql: source.sql, offsetBytes, hiddenPaths });
  }
  return new ProblemError(
    'internal',
    'The result ended early and the engine reported no reason. The data that was sent is incomplete.',
  );
}
