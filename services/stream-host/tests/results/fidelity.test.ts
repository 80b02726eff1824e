import { createHash } from 'node:crypto';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { assertEqualFormats } from './assert-equal-formats.ts';
import {
  assertExpectedCsv,
  assertExpectedValues,
  type EngineQueries,
  nameOf,
} from './hostile/assert-expected-values.ts';
import { NESTED } from './hostile/duckdb/nested.ts';
import { NUMBERS } from './hostile/duckdb/numbers.ts';
import { STRINGS } from './hostile/duckdb/strings.ts';
import { TIMES } from './hostile/duckdb/times.ts';
import { startReading } from './start-reading.ts';
import { streamedHash } from './streamed-hash.ts';

/** Rows of 100 kB: together more than the 32 MiB that a worker reads ahead; in the short form only more than a frame. */
const ROWS = shortOrLong(20, 600, 2_000);
/** Repetitions of six bytes in one string, which is also larger than that. */
const REPETITIONS = shortOrLong(200_000, 6_000_000, 16_666_667);

let reading: Awaited<ReturnType<typeof startReading>>;
let connection: DuckDBConnection;
let instance: DuckDBInstance;
beforeAll(async () => {
  reading = await startReading();
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
}, 120_000);
afterAll(async () => {
  connection?.closeSync();
  instance?.closeSync();
  await reading?.[Symbol.asyncDispose]();
});

const duckDb: EngineQueries = {
  textOf: (sql) => `(${sql})::VARCHAR`,
  async evaluate(conditions) {
    const results: unknown[] = [];
    for (const { sql, text } of conditions) {
      results.push((await connection.runAndReadAll(`SELECT ${sql}`, [text])).getRows()[0]?.[0]);
    }
    return results;
  },
};

describe.each([...NUMBERS, ...TIMES, ...STRINGS, ...NESTED].map((hostile) => [nameOf(hostile), hostile] as const))(
  '%s',
  (_, hostile) => {
    it('equals the expected JSON in a stream and in a JSON download', () => assertExpectedValues(reading, hostile));

    it('equals the expected field in a CSV download, from which DuckDB reads the same value', () =>
      assertExpectedCsv(reading, hostile, duckDb));
  },
);

describe('results', () => {
  it('of every type of DuckDB are equal in all formats', async () => {
    const { rows } = await assertEqualFormats(reading, 'SELECT * FROM test_all_types()');
    expect(rows).toHaveLength(3);
  });
});

describe('rows of long strings stream within the memory of a worker', () => {
  const md5 = (index: number): string => createHash('md5').update(String(index)).digest('hex');
  const metadata = '{"columns":[{"name":"i","type":"bigint"},{"name":"t","type":"varchar"}],"type":"metadata"}';

  /** Hashes head, rows and end; the rows are generated one by one. */
  function expectedHash(
    parts: { head: string; row: (index: number) => string; separator: string; end: string },
    rows: number,
  ) {
    const hash = createHash('sha256').update(parts.head);
    for (let index = 0; index < rows; index += 1) hash.update((index === 0 ? '' : parts.separator) + parts.row(index));
    return hash.update(parts.end).digest('hex');
  }

  it.each([
    [
      `a row of ${Math.round((REPETITIONS * 6) / 1e6)} MB`,
      `SELECT i, repeat('a"\\é' || chr(10) || i, ${REPETITIONS}) AS t FROM range(1) AS r(i)`,
      1,
      () => String.raw`a\"\\é\n0`.repeat(REPETITIONS),
    ],
    [
      `${ROWS} rows of 100 kB`,
      `SELECT i, repeat(md5(i::VARCHAR), 3200) AS t FROM range(${ROWS}) AS r(i)`,
      ROWS,
      (index: number) => md5(index).repeat(3_200),
    ],
  ])(
    '%s',
    async (_, sql, rows, text) => {
      const object = (index: number): string => `{"i":${index},"t":"${text(index)}"}`;
      const json = await streamedHash(reading, '/query/download/json', sql);
      expect(json).toMatchObject({ tail: expect.stringMatching(/"\}\n\]\}$/), isReceipted: true });
      const jsonParts = { head: `{"metadata":${metadata},"data":[\n`, row: object, separator: ',\n', end: '\n]}' };
      expect(json.sha256).toBe(expectedHash(jsonParts, rows));
      const ndjson = await streamedHash(reading, '/query/download/ndjson', sql);
      expect(ndjson).toMatchObject({ tail: expect.stringMatching(/"\}\n$/), isReceipted: true });
      const line = (index: number): string => `${object(index)}\n`;
      expect(ndjson.sha256).toBe(expectedHash({ head: '', row: line, separator: '', end: '' }, rows));
      const stream = await streamedHash(reading, '/query', sql);
      expect(stream).toMatchObject({ tail: expect.stringMatching(/"complete"\}\n\n$/), isReceipted: true });
      const head =
        'data: {"type":"metadata","columns":[{"name":"i","type":"bigint"},{"name":"t","type":"varchar"}]}\n\n';
      const row = (index: number): string => `data: {"type":"row","data":${object(index)}}\n\n`;
      expect(stream.sha256).toBe(
        expectedHash({ head, row, separator: '', end: 'data: {"type":"complete"}\n\n' }, rows),
      );
    },
    240_000,
  );
});
