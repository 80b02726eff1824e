import { expect } from '@jest/globals';
import { type GeneratedColumn, generatedColumns, type SqlDialect, selectGenerated } from '@sluice/engine/testing';
import fc from 'fast-check';
import type { Lossless } from './foreign-readers.ts';
import type { Reading } from './read-formats.ts';
import { expectSameInEveryFormat } from './same-in-every-format.ts';

const ROWS = 4;

/** The rows as the generator wrote them down, read by the same reader of JSON as the answers. */
const writtenRows = ({ python }: Reading, columns: readonly GeneratedColumn[]): Promise<readonly Lossless[]> =>
  Promise.all(
    Array.from({ length: ROWS }, (_, row) => {
      const members = columns.map(({ values }, index) => `"c${index}":${values[row]?.json}`);
      return python.json(`{${members.join(',')}}`);
    }),
  );

/** Tables of any types and any nesting of them are read by foreign parsers as they were made. */
export const expectGeneratedTables = (reading: Reading, dialect: SqlDialect, count: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(generatedColumns(ROWS, dialect), async (columns) => {
      const { columns: seen, rows } = await expectSameInEveryFormat(reading, selectGenerated(columns, ROWS, dialect));
      expect(seen.map(({ name }) => name)).toEqual(columns.map((_, index) => `c${index}`));
      expect(rows).toEqual(await writtenRows(reading, columns));
    }),
    { numRuns: count },
  );
