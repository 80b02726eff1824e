import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { close, constants, open, rm } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column } from '@sluice/contract';
import { ProblemError, storageUnavailable } from '@sluice/contract/problems';
import type { ResultEvent, RowsEvent } from '../../engine.ts';
import { duckDbProblem } from '../errors.ts';
import type { DuckDb } from '../instance.ts';
import { AbandonedWork, withPlanningLimit } from '../planning-limit.ts';
import { preparedAround } from '../prepare-around.ts';
import type { RenderedQuery } from '../rendered-query.ts';
import { wrapSource } from '../source.ts';
import { sqlString } from '../sql-text.ts';
import { parquetColumns } from './parquet-columns.ts';

const run = promisify(execFile);
const openFile = promisify(open);
const closeFile = promisify(close);
const remove = promisify(rm);

/**
 * A named pipe: an engine writes a file to it and this process reads it meanwhile. Unread bytes block the writer, and once the
 * reader has closed its end the writer fails (EPIPE), even while it waits.
 */
class ResultPipe implements AsyncDisposable {
  readonly path: string;
  /** Ends when the writers have closed, the last of them by `endWriting`; throws if it is destroyed before. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly #reader: Socket;
  #writer: number | undefined;

  private constructor(path: string, reader: Socket, writer: number) {
    this.path = path;
    this.bytes = reader;
    this.#reader = reader;
    this.#writer = writer;
  }

  /** `folder` must be private to this process. */
  static async open(folder: string): Promise<ResultPipe> {
    const path = join(folder, `result-${randomUUID()}`);
    await run('mkfifo', ['-m', '600', path]).catch(asStorageProblem);
    // Neither end waits for the other. The writing end keeps the pipe from ending before the engine has opened it.
    const reader = await openFile(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = await openFile(path, constants.O_WRONLY | constants.O_NONBLOCK);
    const socket = new Socket({ fd: reader, readable: true, writable: false });
    socket.on('error', () => undefined); // the reader of `bytes` gets the error
    return new ResultPipe(path, socket, writer);
  }

  /** Ends the bytes. Call it when the engine has closed the file. */
  async endWriting(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer !== undefined) await closeFile(writer);
  }

  /** Closes the reading end, so that writers fail. */
  break(): void {
    this.#reader.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.break();
    await this.endWriting();
    await remove(this.path, { force: true });
  }
}

/** Throws `storage_unavailable` if the program ran and failed: it has an exit status then, and no number of a system error. */
function asStorageProblem(thrown: unknown): never {
  const { code } = thrown as { code?: unknown };
  throw typeof code === 'number' ? storageUnavailable(thrown) : thrown;
}

/** Rows are written and sent in groups of this many rows or bytes; the engine holds one group of a result. */
const OPTIONS = "FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 122880, ROW_GROUP_SIZE_BYTES '16MB'";
/**
 * Returns options with the types of the columns in the metadata of the file: a reader can so tell a number that is stored as text, because
 * Parquet has no type for it, from a string.
 */
const optionsOf = (columns: readonly Column[]): string =>
  `${OPTIONS}, KV_METADATA {'sluice.columns': ${sqlString(JSON.stringify(columns.map(({ type }) => type)))}}`;

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
  query: ParquetQuery,
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
    const work = connection.prepare(
      `${COPY}${wrapped.sql}) TO ${sqlString(pipe.path)} (${optionsOf(query.columns ?? source.shape.columns)})`,
    );
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

/** Everything that writing a file from a source needs. */
export interface ParquetQuery extends Omit<RenderedQuery, 'checked' | 'template'> {
  /** Columns that the file says it has. Default: those of the source. */
  readonly columns?: readonly Column[];
}

const COPY = 'COPY (';

/**
 * Yields the bytes of the pipe while the engine writes. Each piece is held until the next one has arrived, so that the last waits
 * for the count.
 */
async function* eventsOf(
  pipe: ResultPipe,
  written: Promise<number>,
  { allocate, interruption }: ParquetQuery,
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
