import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AskedEngine, expectAsWritten, expectAsWrittenInCsv, nameOf } from './hostile/as-written.ts';
import { NESTED } from './hostile/duckdb/nested.ts';
import { NUMBERS } from './hostile/duckdb/numbers.ts';
import { TEXTS } from './hostile/duckdb/texts.ts';
import { TIMES } from './hostile/duckdb/times.ts';
import { expectSameInEveryFormat } from './same-in-every-format.ts';
import { startReading } from './start-reading.ts';

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

const duckDb: AskedEngine = {
  textOf: (sql) => `(${sql})::VARCHAR`,
  judge: async (condition, text) => (await connection.runAndReadAll(`SELECT ${condition}`, [text])).getRows()[0]?.[0],
};

describe.each([...NUMBERS, ...TIMES, ...TEXTS, ...NESTED].map((hostile) => [nameOf(hostile), hostile] as const))(
  '%s',
  (_, hostile) => {
    it('is what was written down, in a stream and in a JSON download', () => expectAsWritten(reading, hostile));

    it('is what was written down in a CSV download, and DuckDB’s own value again', () =>
      expectAsWrittenInCsv(reading, hostile, duckDb));
  },
);

describe('results', () => {
  it('of every type that DuckDB has say the same in every format', async () => {
    const { rows } = await expectSameInEveryFormat(reading, 'SELECT * FROM test_all_types()');
    expect(rows).toHaveLength(3);
  });
});
