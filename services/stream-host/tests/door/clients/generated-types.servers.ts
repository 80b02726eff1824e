import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatedColumns, selectGenerated, TRINO, TRINO_SQL } from '@sluice/engine/testing';
import { shortOrLong } from '@sluice/testkit';
import { TRINO_URL } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';
import fc from 'fast-check';
import { type Followed, run } from '../trino-client.ts';
import { type Door, startDoor } from './start-door.ts';

const ROWS = 4;
const LONG_MS = 600_000;

let door: Door;
let credential: Credential;
beforeAll(async () => {
  door = await startDoor('trino');
  credential = basicOf(door.hosts.ann);
}, LONG_MS);
afterAll(async () => await door?.[Symbol.asyncDispose]());

/** Rows and columns of a statement. Trino has no line ends between its rows, and none is in a row of JSON. */
const answerOf = ({ pages, last, rowsText }: Followed) => ({
  error: last.error,
  columns: pages.find(({ columns }) => columns !== undefined)?.columns,
  rows: rowsText.replaceAll(',\n', ','),
});

/** Asserts that the door and Trino send the same columns and the same bytes of rows. */
async function assertSameAnswers(sql: string): Promise<void> {
  const trino = answerOf(await run(TRINO_URL, sql, { 'x-trino-user': 'ann' }));
  expect(trino).toMatchObject({ error: undefined, rows: expect.stringMatching(/^\[/) });
  expect(answerOf(await run(door.hosts.url, sql, credential))).toEqual(trino);
}

describe('the JSON of the door is that of Trino, byte for byte', () => {
  it('for every type', () => assertSameAnswers(TRINO_SQL.everyType.sql), LONG_MS);

  it(
    'for generated tables of nested types',
    () =>
      fc.assert(
        fc.asyncProperty(generatedColumns(ROWS, TRINO), (columns) =>
          assertSameAnswers(selectGenerated(columns, ROWS, TRINO)),
        ),
        { numRuns: shortOrLong(25, 100, 1_000) },
      ),
    LONG_MS,
  );
});
