import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Lossless, PythonReader } from './foreign-readers.ts';
import { type Reading, readCsv, readJson, readStream } from './read-formats.ts';
import { basicOf } from './requests.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';

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

describe('names of columns', () => {
  const NAMES = [
    ...['__proto__', 'constructor', 'toJSON', 'hasOwnProperty', '10', '2', '-1', ' ', 'a"b', "it's", 'a,b', 'x\ny'],
    ...[
      '\r\n',
      '\t',
      '\u2028',
      '\u0001',
      '😀',
      '=1',
      'data:',
      'error',
      'type',
      'a.b',
      '\\',
      '{"a":1}',
      'é',
      'e\u0301',
      '\ufeff',
    ],
  ];
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const select = (names: readonly string[]): string =>
    `SELECT ${names.map((name, index) => `${index} AS ${quoted(name)}`).join(', ')}`;
  const rowOf = (names: readonly string[]): Lossless => ({
    object: names.map((name, index) => [name, { number: String(index) }] as const),
  });

  it.each([
    ['odd', NAMES, NAMES],
    [
      'doubled',
      ['a', 'a', 'a_2', 'a', 'A', '__proto__', '__proto__'],
      ['a', 'a_3', 'a_2', 'a_4', 'A', '__proto__', '__proto___2'],
    ],
    [
      'as many as 2000',
      Array.from({ length: 2000 }, (_, i) => `column ${i}`),
      Array.from({ length: 2000 }, (_, i) => `column ${i}`),
    ],
  ])('that are %s arrive, in their order, in every format', async (_, names, written) => {
    const sql = select(names);
    const expected = { columns: written.map((name) => ({ name, type: 'integer' })), rows: [rowOf(written)] };
    expect(await readStream(reading, sql)).toEqual(expected);
    expect(await readJson(reading, sql)).toEqual(expected);
    expect(await readCsv(reading, sql)).toEqual([written, written.map((_name, index) => String(index))]);
  });
});
