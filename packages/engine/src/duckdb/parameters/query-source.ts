import type { DuckDBConnection, DuckDBMaterializedResult } from '@duckdb/node-api';
import { uniqueColumns } from '@sluice/encoders';
import type { CheckedStatement } from '../checked-statement.ts';
import { duckDbProblem } from '../errors.ts';
import { AbandonedWork, withPlanningLimit } from '../planning-limit.ts';
import { type Shape, type Source, shapeOf } from '../source.ts';
import { bindParameters } from './bind-parameters.ts';

export interface SourceContext {
  /** The caller's own text. */
  readonly sql: string;
  readonly hiddenPaths: readonly string[];
  readonly planningMsMax: number | undefined;
}

/** Returns a checked query as a source. The columns of a statement with parameters depend on the types of their values. */
export async function querySource(
  connection: DuckDBConnection,
  checked: CheckedStatement,
  context: SourceContext,
): Promise<Source> {
  const { parameters, text } = checked;
  const shape = await boundShape(connection, checked, context);
  return { sql: text, shape, bind: (outer) => bindParameters(outer, parameters) };
}

const WITHOUT_ROWS = { before: 'SELECT * FROM (\n', after: '\n) LIMIT 0' } as const;
const DESCRIPTION = { before: 'DESCRIBE (\n', after: '\n)' } as const;
type Wrapping = typeof WITHOUT_ROWS | typeof DESCRIPTION;

/** Returns the columns for these values. The engine plans the statement, with LIMIT 0 to nothing, and reads no table. */
export async function boundShape(
  connection: DuckDBConnection,
  checked: CheckedStatement,
  context: SourceContext,
): Promise<Shape> {
  if (checked.parameters.length === 0) return checked.prepared.shape;
  const shape = shapeOf(await runAround(connection, checked, WITHOUT_ROWS, context));
  if (!shape.columns.some(({ name }) => /_\d+$/.test(name))) return shape;
  // In FROM, DuckDB gives duplicate names suffixes of its own; DESCRIBE returns the names of the statement itself.
  const description = await runAround(connection, checked, DESCRIPTION, context);
  const names = (await description.getRows()).map(([name]) => String(name));
  return {
    types: shape.types,
    columns: uniqueColumns(shape.columns.map(({ type }, index) => ({ name: names[index] ?? '', type }))),
  };
}

/** Planning is not interrupted, so it has a limit. Errors refer to the caller's SQL. */
async function runAround(
  connection: DuckDBConnection,
  { text, parameters }: CheckedStatement,
  { before, after }: Wrapping,
  { planningMsMax, ...context }: SourceContext,
): Promise<DuckDBMaterializedResult> {
  try {
    const prepared = await connection.prepare(`${before}${text}${after}`);
    bindParameters(prepared, parameters);
    const result = await withPlanningLimit(prepared.run(), planningMsMax);
    prepared.destroySync(); // not after an abandoned run, which still uses it
    return result;
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    throw duckDbProblem(thrown, { ...context, offsetBytes: before.length });
  }
}
