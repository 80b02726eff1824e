import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { DUCKDB_SQL } from '../../../testing/duckdb-fixture.ts';
import { runKept } from '../../../testing/kept-rows.ts';
import { EMPTY_DUCKDB } from '../../../testing/open-duckdb.ts';
import { RANDOM_COLUMNS, selectRandom } from '../../../testing/random-columns.ts';
import { formatSpec } from '../../../testing/read-result.ts';
import type { ResultEvent } from '../../engine.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

let folder: string;
let engine: DuckDbEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-parquet-'));
  engine = await DuckDbEngine.open({ ...EMPTY_DUCKDB, tempFolder: folder });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const forever = new AbortController().signal;

async function bytesOf(events: AsyncIterable<ResultEvent>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const event of events) if (event.kind === 'rows') pieces.push(Buffer.from(event.bytes));
  return Buffer.concat(pieces);
}

function directFile(sql: string, timeZone: string): Promise<Buffer> {
  const format = createFormat(formatSpec({ name: 'parquet' }));
  const statement = { sql, queryId: '00000000-0000-4000-8000-000000000000', user: 'reader@acme.example', timeZone };
  return bytesOf(engine.run(statement, (columns) => format.row(columns), forever));
}

/** Compares the file from the store with the one that the engine writes directly. */
async function assertSameFile(sql: string, timeZone = 'UTC'): Promise<void> {
  const { columns, fileTypes, chunks } = await runKept(engine, sql, { format: { name: 'csv' }, timeZone });
  const stored = await bytesOf(engine.storedParquet({ columns, fileTypes, chunks, timeZone }, forever));
  const direct = await directFile(sql, timeZone);
  expect([sql, stored.byteLength, stored.equals(direct)]).toEqual([sql, direct.byteLength, true]);
}

describe('a Parquet file from a kept result', () => {
  it('equals the direct one for random values of every type that it can store', async () => {
    const finite = RANDOM_COLUMNS.filter(({ name }) => name !== 'time');
    await assertSameFile(selectRandom(finite, { from: 0, end: 3_000 }));
    await assertSameFile(selectRandom(finite, { from: 3_000, end: 3_200 }), 'America/New_York');
  });

  it('equals the direct one for nested values, NULL, and text with any character', async () => {
    await assertSameFile(`SELECT * FROM (VALUES
      ([1.50::DECIMAL(38,20), NULL], {'a b': 1, 'l': [{'x': 'é"\\\\'}]}, MAP {'k "1"': [1], '': NULL}, chr(0) || 'x', ''),
      (NULL, NULL, NULL, NULL, NULL),
      ([], {'a b': NULL, 'l': NULL}, MAP {}, E'a\\r\\nb', 'null')) AS t(d, s, m, z, e)`);
    await assertSameFile(`SELECT i AS id, 'row ' || i AS label, i * 1.5e300 AS d, -0.0::DOUBLE AS zero, 'nan'::FLOAT AS f,
      [{'b': i::HUGEINT * 1000000000000000000000, 'u': i::UBIGINT}] AS n FROM range(5000) AS r(i)`);
  });

  it('equals the direct one over several groups of rows', async () => {
    await assertSameFile(
      `SELECT i AS id, md5(i::VARCHAR) AS text, (i % 100)::DECIMAL(9,2) AS price FROM range(300000) AS r(i)`,
    );
  });

  it('rejects what the direct one rejects', async () => {
    const sql = `SELECT 'infinity'::DATE AS d`;
    const { columns, fileTypes, chunks } = await runKept(engine, sql, { format: { name: 'csv' } });
    const failure = bytesOf(engine.storedParquet({ columns, fileTypes, chunks, timeZone: 'UTC' }, forever));
    await expect(failure).rejects.toMatchObject({ message: expect.stringContaining('which Parquet cannot store') });
    await expect(directFile(sql, 'UTC')).rejects.toMatchObject({
      message: expect.stringContaining('which Parquet cannot store'),
    });
  });

  it('fails with the reason of a source that fails, wherever that happens', async () => {
    const { columns, fileTypes, chunks } = await runKept(engine, DUCKDB_SQL.rows(50_000), { format: { name: 'csv' } });
    for (const before of [0, 1, chunks.length]) {
      async function* failing(): AsyncGenerator<Uint8Array> {
        yield* chunks.slice(0, before);
        throw new Error('the source failed');
      }
      const pieces = bytesOf(engine.storedParquet({ columns, fileTypes, chunks: failing(), timeZone: 'UTC' }, forever));
      await expect(pieces).rejects.toThrow();
    }
  });

  it('stops at once when its reader leaves, and leaves no pipe', async () => {
    const { columns, fileTypes, chunks } = await runKept(engine, DUCKDB_SQL.rows(200_000), { format: { name: 'csv' } });
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield* chunks;
    }
    const stop = new AbortController();
    const events = engine.storedParquet({ columns, fileTypes, chunks: endless(), timeZone: 'UTC' }, stop.signal);
    const reading = (async () => {
      for await (const event of events) if (event.kind === 'rows') stop.abort(new Error('the reader left'));
    })();
    await expect(reading).rejects.toThrow('the reader left');
    expect((await readdir(folder)).filter((name) => name.startsWith('rows-'))).toEqual([]);
    await assertSameFile('SELECT 1 AS a');
  });
});
