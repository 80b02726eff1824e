import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Lossless, PythonReader } from './foreign-readers.ts';
import type { HostileType } from './hostile/hostile-type.ts';
import { NESTED } from './hostile/nested.ts';
import { NUMBERS } from './hostile/numbers.ts';
import { TEXTS } from './hostile/texts.ts';
import { TIMES } from './hostile/times.ts';
import { csvFieldOf, type Reading, readCsv, readJson, readStream } from './read-formats.ts';
import { basicOf } from './requests.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';

let hosts: TestHosts;
let python: PythonReader;
let reading: Reading;
/** A DuckDB of the test's own, which knows nothing of how results are written. */
let connection: DuckDBConnection;
let instance: DuckDBInstance;
beforeAll(async () => {
  hosts = await startHosts();
  python = new PythonReader();
  reading = { url: hosts.url, credential: basicOf(hosts.ann), python };
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
}, 120_000);
afterAll(async () => {
  connection?.closeSync();
  instance?.closeSync();
  python?.[Symbol.dispose]();
  await hosts?.[Symbol.asyncDispose]();
});

const HOSTILE_TYPES = [...NUMBERS, ...TIMES, ...TEXTS, ...NESTED].map(
  (hostile) => [`${hostile.type}${hostile.timeZone === undefined ? '' : ` in ${hostile.timeZone}`}`, hostile] as const,
);

const select = ({ values }: HostileType): string =>
  `SELECT ${values.map(([sql], index) => `${sql} AS c${index}`).join(', ')}`;

async function askDuckDb(sql: string, parameters: string[] = []): Promise<unknown> {
  return (await connection.runAndReadAll(sql, parameters)).getRows()[0]?.[0];
}

describe.each(HOSTILE_TYPES)('%s', (_, hostile) => {
  const { column, values, back, isOwnText = false, timeZone } = hostile;
  const options = timeZone === undefined ? {} : { time_zone: timeZone };
  const columns = values.map((_value, index) => ({ name: `c${index}`, type: column }));
  const expectedRow = async (): Promise<Lossless> => ({
    object: await Promise.all(values.map(async ([, json], index) => [`c${index}`, await python.json(json)] as const)),
  });

  it('is what was written down, in a stream and in a JSON download', async () => {
    const expected = { columns, rows: [await expectedRow()] };
    expect(await readStream(reading, select(hostile), options)).toEqual(expected);
    expect(await readJson(reading, select(hostile), options)).toEqual(expected);
  });

  it('is what was written down in a CSV download, and DuckDB’s own value again', async () => {
    const [header, fields = [], ...more] = await readCsv(reading, select(hostile), options);
    expect([header, more]).toEqual([columns.map(({ name }) => name), []]);
    for (const [index, [sql, json]] of values.entries()) {
      const field = fields[index] ?? '';
      const value = await python.json(json);
      const text = csvFieldOf(value);
      if (text === undefined) expect([sql, await python.json(field)]).toEqual([sql, value]);
      else expect([sql, field]).toEqual([sql, text]);
      if (value === null) continue;
      if (isOwnText) expect([sql, await askDuckDb(`SELECT (${sql})::VARCHAR = $1`, [field])]).toEqual([sql, true]);
      if (back === undefined) continue;
      expect([sql, await askDuckDb(`SELECT ${back} IS NOT DISTINCT FROM (${sql})`, [field])]).toEqual([sql, true]);
    }
  });
});

describe('results', () => {
  it('of every type that DuckDB has say the same in every format', async () => {
    const sql = 'SELECT * FROM test_all_types()';
    const [stream, json, [header, ...lines]] = [
      await readStream(reading, sql),
      await readJson(reading, sql),
      await readCsv(reading, sql),
    ];
    expect(stream).toEqual(json);
    expect(stream.rows).toHaveLength(3);
    expect(header).toEqual(stream.columns.map(({ name }) => name));
    for (const [index, row] of stream.rows.entries()) {
      const { object } = row as Extract<Lossless, { object: unknown }>;
      for (const [position, [name, value]] of object.entries()) {
        const field = lines[index]?.[position] ?? '';
        const text = csvFieldOf(value);
        if (text === undefined) expect([name, await python.json(field)]).toEqual([name, value]);
        else expect([name, field]).toEqual([name, text]);
      }
    }
  });
});
