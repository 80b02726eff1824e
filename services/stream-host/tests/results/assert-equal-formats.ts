import { expect } from '@jest/globals';
import {
  csvFieldOf,
  type Reading,
  type ReadResult,
  readCsv,
  readJson,
  readNdjson,
  readStream,
} from './read-formats.ts';
import type { Lossless } from './third-party-parsers.ts';

/** Asserts that a CSV field equals a JSON value. `what` names it in the failure. */
export async function assertCsvField({ python }: Reading, field: string, value: Lossless, what: string): Promise<void> {
  const text = csvFieldOf(value);
  if (text === undefined) expect([what, await python.json(field)]).toEqual([what, value]);
  else expect([what, field]).toEqual([what, text]);
}

/** Asserts that all formats contain the same rows. Returns the stream's result. */
export async function assertEqualFormats(reading: Reading, sql: string): Promise<ReadResult> {
  const [stream, json, ndjson, [header, ...lines]] = await Promise.all([
    readStream(reading, sql),
    readJson(reading, sql),
    readNdjson(reading, sql),
    readCsv(reading, sql),
  ]);
  expect(json).toEqual(stream);
  expect(ndjson).toEqual(stream.rows);
  expect(header).toEqual(stream.columns.map(({ name }) => name));
  expect(lines).toHaveLength(stream.rows.length);
  for (const [index, row] of stream.rows.entries()) {
    const { object } = row as Extract<Lossless, { object: unknown }>;
    const fields = lines[index] ?? [];
    expect(fields).toHaveLength(object.length);
    for (const [position, [name, value]] of object.entries()) {
      await assertCsvField(reading, fields[position] ?? '', value, name);
    }
  }
  return stream;
}
