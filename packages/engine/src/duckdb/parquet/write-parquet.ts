import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import type { ResultEvent, RowsEvent } from '../../engine.ts';
import { duckDbProblem } from '../errors.ts';
import type { DuckDb } from '../instance.ts';
import { AbandonedWork, withPlanningLimit } from '../planning-limit.ts';
import { preparedAround } from '../prepare-around.ts';
import type { RenderedQuery } from '../rendered-query.ts';
import { wrapSource } from '../source.ts';
import { sqlString } from '../sql-text.ts';
import { parquetColumns } from './parquet-columns.ts';
import { ResultPipe } from './result-pipe.ts';

/** Rows are written and sent in groups of this many rows or bytes; the engine holds one group of a result. */
const OPTIONS = "FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 122880, ROW_GROUP_SIZE_BYTES '16MB'";
/** Written when the file is opened, before the first row. */
const MAGIC_BYTES = 4;
/** Largest row count that an event can carry to the host. */
const EVENT_ROWS_MAX = 2 ** 32 - 1;

/**
 * Returns a result as one Parquet file, which the engine writes into a pipe. The last bytes, which a reader needs first, come
 * with the number of rows, after the engine reported that there are no more: any earlier failure leaves a file that readers
 * reject. With `rowsMax`, the file has one row more, because it cannot express that it was limited: the caller counts the
 * rows and rejects it.
 */
export async function* writeParquet(
  duckDb: DuckDb,
  connection: DuckDBConnection,
  query: RenderedQuery,
): AsyncGenerator<ResultEvent, void> {
  const { source, statement, signal } = query;
  const folder = duckDb.profile.tempFolder;
  if (folder === undefined)
    throw new ProblemError(
      'not_supported',
      'Parquet cannot be written here: the worker has no folder for temporary files.',
    );
  const wrapped = wrapSource(source, parquetColumns(source.shape, statement.timeZone), statement.rowsMax);
  await duckDb.tuneForFile(connection);
  await using pipe = await ResultPipe.open(folder);
  const onAbort = (): void => pipe.break();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const work = connection.prepare(`${COPY}${wrapped.sql}) TO ${sqlString(pipe.path)} (${OPTIONS})`);
    const prepared = await preparedAround(withPlanningLimit(work, query.planningMsMax));
    try {
      source.bind(prepared);
      signal.throwIfAborted();
      const written = prepared.run().then(({ rowsChanged }) => rowsChanged);
      yield* eventsOf(pipe, written, query);
    } finally {
      prepared.destroySync();
    }
    signal.throwIfAborted();
    yield { kind: 'end', limited: false };
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    signal.throwIfAborted();
    const offsetBytes = wrapped.offsetBytes + Buffer.byteLength(COPY);
    throw duckDbProblem(thrown, { sql: statement.sql, offsetBytes, hiddenPaths: [folder, ...query.hiddenPaths] });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const COPY = 'COPY (';

/**
 * Yields the bytes of the pipe while the engine writes. Each piece is held until the next one has arrived, so that the last waits
 * for the count.
 */
async function* eventsOf(
  pipe: ResultPipe,
  written: Promise<number>,
  { allocate, interruption }: RenderedQuery,
): AsyncGenerator<RowsEvent> {
  // The engine keeps a file open that it failed to write, so the end of the pipe must not be awaited.
  const settled = written.then(
    () => pipe.endWriting(),
    () => pipe.break(),
  );
  let held: Buffer | undefined;
  try {
    let seen = 0;
    for await (const bytes of pipe.bytes) {
      if (held !== undefined && seen > MAGIC_BYTES) yield rowsEvent(held, 0, allocate);
      held = held !== undefined && seen <= MAGIC_BYTES ? Buffer.concat([held, bytes]) : bytes;
      seen += bytes.byteLength;
    }
  } catch (thrown) {
    await written; // the engine knows why there is no more
    throw thrown;
  } finally {
    // The reader left early or failed: nothing more is read, and the connection must not be closed while the engine uses it.
    pipe.break();
    if (!(await isOver(written))) interruption.begin();
    await settled;
  }
  let rows = await written;
  for (; rows > EVENT_ROWS_MAX; rows -= EVENT_ROWS_MAX) yield rowsEvent(Buffer.alloc(0), EVENT_ROWS_MAX, allocate);
  yield rowsEvent(held ?? Buffer.alloc(0), rows, allocate);
}

const isOver = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);

function rowsEvent(piece: Buffer, rows: number, allocate: RenderedQuery['allocate']): RowsEvent {
  const bytes = allocate(piece.byteLength);
  bytes.set(piece);
  return { kind: 'rows', rows, bytes };
}
