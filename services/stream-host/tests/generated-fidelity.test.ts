import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GeneratedColumn, generatedColumns, selectGenerated } from '@sluice/engine/testing';
import fc from 'fast-check';
import { type Lossless, PythonReader } from './foreign-readers.ts';
import { csvFieldOf, type Reading, readCsv, readJson, readStream } from './read-formats.ts';
import { basicOf } from './requests.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';

const SCHEMAS = 200;
const ROWS = 4;

let hosts: TestHosts;
let python: PythonReader;
let reading: Reading;
beforeAll(async () => {
  hosts = await startHosts();
  python = new PythonReader();
  reading = { url: hosts.url, credential: basicOf(hosts.ann), python };
}, 120_000);
afterAll(async () => {
  python?.[Symbol.dispose]();
  await hosts?.[Symbol.asyncDispose]();
});

/** The rows as the generator wrote them down, read by the same reader of JSON as the answers. */
const expectedRows = (columns: readonly GeneratedColumn[]): Promise<readonly Lossless[]> =>
  Promise.all(
    Array.from({ length: ROWS }, (_, row) => {
      const members = columns.map(({ values }, index) => `"c${index}":${values[row]?.json}`);
      return python.json(`{${members.join(',')}}`);
    }),
  );

async function expectCsv(rows: readonly Lossless[], lines: readonly string[][]): Promise<void> {
  expect(lines).toHaveLength(rows.length);
  for (const [index, row] of rows.entries()) {
    const { object } = row as Extract<Lossless, { object: unknown }>;
    const fields = lines[index] ?? [];
    expect(fields).toHaveLength(object.length);
    for (const [position, [, value]] of object.entries()) {
      const field = fields[position] ?? '';
      const text = csvFieldOf(value);
      if (text === undefined) expect(await python.json(field)).toEqual(value);
      else expect(field).toBe(text);
    }
  }
}

describe(`${SCHEMAS} generated tables`, () => {
  it('are read by foreign parsers as they were made, from a stream, a JSON and a CSV download', async () => {
    await fc.assert(
      fc.asyncProperty(generatedColumns(ROWS), async (columns) => {
        const sql = selectGenerated(columns, ROWS);
        const expected = await expectedRows(columns);
        const names = columns.map((_, index) => `c${index}`);
        const [stream, json, [header, ...lines]] = await Promise.all([
          readStream(reading, sql),
          readJson(reading, sql),
          readCsv(reading, sql),
        ]);
        expect(stream.columns.map(({ name }) => name)).toEqual(names);
        expect(stream.rows).toEqual(expected);
        expect(json).toEqual(stream);
        expect(header).toEqual(names);
        await expectCsv(expected, lines);
      }),
      { numRuns: SCHEMAS },
    );
  }, 120_000);
});
