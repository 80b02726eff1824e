import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import type { ResultEvent } from '../../engine.ts';
import type { DuckDb } from '../instance.ts';
import { columnAlias, type Source, shapeOf } from '../source.ts';
import { sqlString } from '../sql-text.ts';
import { restoredValue, textsOf } from './restored-value.ts';
import { type ParquetQuery, writeParquet } from './write-parquet.ts';

const run = promisify(execFile);

/** Rows of a kept result, and what is needed to write a Parquet file from them. */
export interface StoredResult {
  readonly columns: readonly Column[];
  /** Type of each column, from the run that was kept (`ColumnsEvent.fileTypes`). */
  readonly fileTypes: readonly string[];
  /** IANA name of the zone of the run. */
  readonly timeZone: string;
  /** Lists of rows in their stored form. */
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Largest row that the engine reads. */
const OBJECT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Returns the rows of a kept result as one Parquet file. The engine reads them from a named pipe, restores the values that the statement
 * had, and writes the same file from them as `writeParquet`.
 */
export async function* writeStoredParquet(
  duckDb: DuckDb,
  connection: DuckDBConnection,
  { stored, ...query }: Omit<ParquetQuery, 'source'> & { readonly stored: StoredResult },
): AsyncGenerator<ResultEvent, void> {
  const folder = duckDb.profile.tempFolder;
  if (folder === undefined)
    throw new ProblemError('not_supported', 'Parquet cannot be written here: the worker has no folder for its pipes.');
  const path = join(folder, `rows-${randomUUID()}`);
  await run('mkfifo', ['-m', '600', path]);
  const stop = new AbortController();
  // Waits for the engine to open its end, on a thread of the pool.
  const written = pipeline(oneList(stored.chunks), createWriteStream(path), { signal: stop.signal });
  written.catch(() => undefined); // awaited below
  try {
    const source = await sourceOf(connection, path, stored);
    yield* writeParquet(duckDb, connection, { ...query, source, columns: stored.columns });
    await written;
  } finally {
    stop.abort();
    await unblock(path);
    rmSync(path, { force: true });
  }
}

/** Opens and closes the reading end, because opening the writing end waits for it even if the engine never opens the pipe. */
async function unblock(path: string): Promise<void> {
  const reader = await open(path, 'r+').catch(() => undefined);
  await reader?.close();
}

/** Joins lists of rows to one list. */
async function* oneList(chunks: StoredResult['chunks']): AsyncGenerator<Uint8Array> {
  yield Buffer.from('[');
  let isFirst = true;
  for await (const list of chunks) {
    if (!isFirst) yield Buffer.from(',');
    isFirst = false;
    yield list.subarray(1, -1);
  }
  yield Buffer.from(']');
}

async function sourceOf(
  connection: DuckDBConnection,
  path: string,
  { columns, fileTypes }: StoredResult,
): Promise<Source> {
  const typed = await connection.prepare(
    `SELECT ${fileTypes.map((type, index) => `NULL::${type} AS ${columnAlias(index)}`).join(', ')}`,
  );
  try {
    const { types } = shapeOf(typed);
    const values = types.map((type, index) => `${restoredValue(type, `r[${index + 1}]`)} AS ${columnAlias(index)}`);
    const lists = `SELECT ${textsOf('json')} AS r FROM read_json_objects(${sqlString(path)}, format = 'array', maximum_object_size = ${OBJECT_BYTES_MAX})`;
    const sql = `SELECT ${values.join(', ')} FROM (${lists})`;
    return { sql, shape: { columns, types }, bind: () => undefined };
  } finally {
    typed.destroySync();
  }
}
