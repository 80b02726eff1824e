import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { RowsEvent } from '../../engine.ts';
import { columnAlias } from '../cells/row-expression.ts';
import { duckDbProblem } from '../errors.ts';
import { AbandonedWork, withPlanningLimit } from '../planning-limit.ts';
import type { RenderedQuery } from '../rendered-query.ts';
import { wrapSource } from '../source.ts';
import { type PlainColumn, plainColumn } from './plain-columns.ts';
import { plainRows } from './plain-rows.ts';
import { TooLargeForPlainPath } from './varchar-texts.ts';

export interface PlainResult {
  readonly rows: Iterable<RowsEvent>;
  readonly limited: boolean;
}

/** Up to about here, making the engine write the rows costs more than it saves: 3 ms to plan and 3 to run for 16 columns, measured. */
const PLAIN_ROWS_MAX = 1_000;

/** Whether a result is surely small, by its own LIMIT or by what the caller asked for. */
export function isSmall({ checked, statement, template }: RenderedQuery): boolean {
  if (template.style.notation === 'xlsx') return false; // its cells are written by the engine alone
  const rows = Math.min(
    checked.facts.rowLimit ?? Number.POSITIVE_INFINITY,
    statement.rowsMax ?? Number.POSITIVE_INFINITY,
  );
  return checked.kind === 'query' && rows <= PLAIN_ROWS_MAX;
}

/**
 * A small result, computed whole before its first row is given out, so that the engine itself says when it fails; its bytes are
 * the ones that `streamResult` gives. Undefined when its texts are too long for that: then it must be streamed.
 */
export async function readPlainResult(
  connection: DuckDBConnection,
  query: RenderedQuery,
): Promise<PlainResult | undefined> {
  const { statement, source, template } = query;
  const context = { style: template.style, timeZone: statement.timeZone, longTexts: 'whole' } as const;
  const columns = source.shape.columns.map((column, index) => {
    const type = source.shape.types[index];
    if (type === undefined) throw new Error(`There is no type of column ${index}`);
    return plainColumn(type, column, { index, context });
  });
  const chunks = await readChunks(connection, query, columns);
  const found = chunks.reduce((rows, chunk) => rows + chunk.rowCount, 0);
  const rowsMax = statement.rowsMax ?? Number.POSITIVE_INFINITY;
  try {
    return {
      rows: plainRows(chunks, { columns, template, rowsMax, allocate: query.allocate }),
      limited: found > rowsMax,
    };
  } catch (thrown) {
    for (const chunk of chunks) chunk.reset(); // a collector does not see how much memory they hold
    if (thrown instanceof TooLargeForPlainPath) return undefined;
    throw thrown;
  }
}

async function readChunks(
  connection: DuckDBConnection,
  { statement, checked, source, signal, hiddenPaths, planningMsMax }: RenderedQuery,
  columns: readonly PlainColumn[],
): Promise<readonly DuckDBDataChunk[]> {
  const rowsMax =
    (checked.facts.rowLimit ?? Number.POSITIVE_INFINITY) <= (statement.rowsMax ?? Number.POSITIVE_INFINITY)
      ? undefined
      : statement.rowsMax;
  const isAsItIs = rowsMax === undefined && columns.every(({ sql }) => sql === undefined);
  const selected = columns.map(({ sql }, index) => sql ?? columnAlias(index)).join(', ');
  const wrapped = isAsItIs ? undefined : wrapSource(source, selected, rowsMax);
  try {
    const prepared =
      wrapped === undefined
        ? checked.prepared
        : await withPlanningLimit(connection.prepare(wrapped.sql), planningMsMax);
    const result = await prepared.run();
    signal.throwIfAborted();
    return await result.fetchAllChunks();
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    signal.throwIfAborted();
    throw duckDbProblem(thrown, { sql: statement.sql, offsetBytes: wrapped?.offsetBytes ?? 0, hiddenPaths });
  }
}
