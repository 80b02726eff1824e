import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FakeResult } from '../../testing/fake-result.ts';
import { FakeTrinoEngine } from '../../testing/fake-trino-engine.ts';
import { ROW_FORMATS, replay, runKept } from '../../testing/kept-rows.ts';
import { EMPTY_DUCKDB } from '../../testing/open-duckdb.ts';
import { DuckDbEngine } from '../duckdb/duckdb-engine.ts';

/** Pages of a real Trino, as `capture-pages.mjs` beside them wrote them. */
interface CapturedPages {
  readonly version: string;
  readonly columns: FakeResult['columns'];
  /** Number of rows of each page. */
  readonly rows: readonly number[];
  /** Text of `data` of each page. */
  readonly pages: readonly string[];
}

/** Position of the first column, a key. */
const KEY = 0;

let captured: CapturedPages;
let trino: FakeTrinoEngine;
beforeAll(async () => {
  const file = new URL('../../testing/captured/trino-pages.json', import.meta.url);
  captured = JSON.parse(await readFile(file, 'utf8')) as CapturedPages;
  const { version, columns, pages } = captured;
  const result = { columns, pages: [...pages.map((rows) => ({ rows })), {}] };
  trino = await FakeTrinoEngine.start({ version, result });
});
afterAll(() => trino?.[Symbol.asyncDispose]());

const rowsOf = (): readonly unknown[][] => captured.pages.flatMap((page) => JSON.parse(page) as unknown[][]);
const withoutBrackets = (list: string): string => list.slice(1, -1);

describe('ten pages that a real Trino sent', () => {
  it('are kept as they are, byte for byte', async () => {
    const kept = await runKept(trino.engine, 'SELECT 1', { format: { name: 'csv' } });
    expect(captured.pages).toHaveLength(10);
    expect([kept.sentRows, kept.storedRows]).toEqual([rowsOf().length, captured.rows.reduce((sum, n) => sum + n, 0)]);
    const stored = kept.chunks.map((chunk) => withoutBrackets(chunk.toString('utf8'))).join(',');
    expect(stored === captured.pages.map(withoutBrackets).join(',')).toBe(true);
  });

  it.each(ROW_FORMATS)('have the bytes of the direct path when they are read from the store: %j', async (format) => {
    const direct = (await trino.read({ format })).rowsText;
    const kept = await runKept(trino.engine, 'SELECT 1', { format: { name: 'ndjson' } });
    for (const usesModule of [true, false]) {
      const stored = (await replay(kept, format, usesModule)).toString('utf8');
      expect([usesModule, stored === direct]).toEqual([usesModule, true]);
    }
    expect(direct.length).toBeGreaterThan(10_000);
  });

  it('become a Parquet file with their values', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-captured-'));
    try {
      const { columns, fileTypes, chunks } = await runKept(trino.engine, 'SELECT 1', { format: { name: 'csv' } });
      await using duckDb = await DuckDbEngine.open({ ...EMPTY_DUCKDB, tempFolder: folder });
      const pieces: Uint8Array[] = [];
      const stored = { columns, fileTypes, chunks, timeZone: 'UTC' };
      for await (const event of duckDb.storedParquet(stored, new AbortController().signal))
        if (event.kind === 'rows') pieces.push(Buffer.from(event.bytes));
      const file = join(folder, 'pages.parquet');
      await writeFile(file, pieces);
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const reader = await connection.runAndReadAll(
        `SELECT k::VARCHAR, text, price::VARCHAR, big::VARCHAR, day::VARCHAR, isnan(ratio), isinf(ratio), even FROM '${file}'`,
      );
      const place = new Map(captured.columns.map(({ name }, index) => [name, index]));
      const cellOf = (row: readonly unknown[], name: string): unknown => row[place.get(name) ?? KEY];
      const expected = rowsOf().map((row) => [
        String(row[KEY]),
        ...['text', 'price', 'big', 'day'].map((name) => cellOf(row, name)),
        cellOf(row, 'ratio') === 'NaN',
        String(cellOf(row, 'ratio')).endsWith('Infinity'),
        cellOf(row, 'even'),
      ]);
      expect(reader.getRows()).toEqual(expected);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
