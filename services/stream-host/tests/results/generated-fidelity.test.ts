import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { DUCKDB } from '@sluice/engine/testing';
import { basicOf } from '../client/requests.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { PythonReader } from './foreign-readers.ts';
import { expectGeneratedTables } from './generated-tables.ts';
import type { Reading } from './read-formats.ts';

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

describe('200 generated tables', () => {
  it(
    'are read by foreign parsers as they were made, from a stream, a JSON and a CSV download',
    () => expectGeneratedTables(reading, DUCKDB, 200),
    120_000,
  );
});
