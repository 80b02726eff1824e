import { expect } from '@jest/globals';
import { type GeneratedColumn, generatedColumns, type SqlDialect, selectGenerated } from '@sluice/engine/testing';
import fc from 'fast-check';
import { assertEqualFormats } from './assert-equal-formats.ts';
import type { Reading } from './read-formats.ts';
import type { Lossless } from './third-party-parsers.ts';

const ROWS = 4;

/** Returns the generated rows, parsed by the same JSON parser as the responses. */
const writtenRows = ({ python }: Reading, columns: readonly GeneratedColumn[]): Promise<readonly Lossless[]> =>
  Promise.all(
    Array.from({ length: ROWS }, (_, row) => {
      const members = columns.map(({ values }, index) => `"c${index}":${values[row]?.json}`);
      return python.json(`{${members.join(',')}}`);
    }),
  );

/** Asserts that third-party parsers read generated tables of nested types as they were generated. */
export const assertGeneratedTables = (reading: Reading, dialect: SqlDialect, count: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(generatedColumns(ROWS, dialect), async (columns) => {
      const { columns: seen, rows } = await assertEqualFormats(reading, selectGenerated(columns, ROWS, dialect));
      expect(seen.map(({ name }) => name)).toEqual(columns.map((_, index) => `c${index}`));
      expect(rows).toEqual(await writtenRows(reading, columns));
    }),
    { numRuns: count },
  );
