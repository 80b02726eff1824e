import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import type { ResultEvent } from '../../engine.ts';
import type { StoredResult } from '../../stored/stored-result.ts';
import type { DuckDb } from '../instance.ts';
import { columnAlias, type Source, shapeOf } from '../source.ts';
import { sqlString } from '../sql-text.ts';
import { restoredValue, textsOf } from './restored-value.ts';
import { type ParquetQuery, writeParquet } from './write-parquet.ts';

const run = promisify(execFile);

/** Largest row that the engine reads. */
const OBJECT_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Returns the rows of a kept result as one Parquet file. The engine reads them from a named pipe, restores the values that the statement
 * had, and writes the same file from them as `writeParquet`. Throws what `chunks` throws.
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
  const failure: SourceFailure = {};
  // Waits for the engine to open its end, on a thread of the pool.
  const written = pipeline(oneList(stored.chunks, failure), createWriteStream(path), { signal: stop.signal });
  written.catch(() => undefined); // awaited below
  try {
    const source = await sourceOf(connection, path, stored);
    for await (const event of writeParquet(duckDb, connection, { ...query, source, columns: stored.columns })) {
      if (event.kind === 'end') await written; // the engine must not have taken a list that was cut for a whole one
      yield event;
    }
  } catch (thrown) {
    throw failure.thrown ?? thrown; // the engine only knows that its list was cut
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

/** Why the rows ended early, if they did. */
interface SourceFailure {
  thrown?: unknown;
}

/** Joins lists of rows to one list. */
async function* oneList(chunks: StoredResult['chunks'], failure: SourceFailure): AsyncGenerator<Uint8Array> {
  yield Buffer.from('[');
  let isFirst = true;
  try {
    for await (const list of chunks) {
      if (!isFirst) yield Buffer.from(',');
      isFirst = false;
      yield list.subarray(1, -1);
    }
  } catch (thrown) {
    failure.thrown = thrown;
    throw thrown;
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
