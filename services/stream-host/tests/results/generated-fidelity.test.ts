import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { DUCKDB } from '@sluice/engine/testing';
import { shortOrLong } from '@sluice/testkit';
import { assertGeneratedTables } from './assert-generated-tables.ts';
import { startReading } from './start-reading.ts';

let reading: Awaited<ReturnType<typeof startReading>>;
beforeAll(async () => {
  reading = await startReading();
}, 120_000);
afterAll(async () => {
  await reading?.[Symbol.asyncDispose]();
});

describe('generated tables', () => {
  it(
    'are read by third-party parsers as generated, from a stream, a JSON and a CSV download',
    () => assertGeneratedTables(reading, DUCKDB, shortOrLong(15, 80, 400)),
    120_000,
  );
});
