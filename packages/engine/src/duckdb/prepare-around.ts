import { duckDbProblem, unexpectedFailure } from './errors.ts';
import { AbandonedWork } from './planning-limit.ts';

/** Codes of problems of the SQL itself, which no caller could solve if it is ours. */
const ABOUT_SQL: ReadonlySet<string> = new Set([
  'syntax_error',
  'semantic_error',
  'type_error',
  'data_error',
  'table_not_found',
  'column_not_found',
  'function_not_found',
]);

/**
 * Resolves like the preparation of our statement around a caller's one. The engine has prepared that one by itself before, so an error
 * about the SQL is our own defect: the caller gets none of our SQL, and the log has it.
 */
export async function preparedAround<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    const { code } = duckDbProblem(thrown, { sql: '', offsetBytes: 0, hiddenPaths: [] });
    throw ABOUT_SQL.has(code) ? unexpectedFailure(thrown) : thrown;
  }
}
