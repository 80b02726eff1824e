import { expect } from '@jest/globals';
import { eventsOf } from '../client/requests.ts';
import { CUT } from '../statements/statements.ts';
import { FAILURES, type Transfer } from './foreign-clients.ts';

export const PATHS = {
  stream: '/query',
  json: '/query/download/json',
  csv: '/query/download/csv',
  ndjson: '/query/download/ndjson',
} as const;
export type FormatName = keyof typeof PATHS;
export const FORMATS = Object.keys(PATHS) as readonly FormatName[];

/** How a result ended before its end. */
export interface Cut {
  /** The row that did not come. */
  readonly row: number;
  readonly code: string;
  /** Of a download of which nothing has left. */
  readonly status: number;
  readonly message: RegExp;
  readonly location?: object;
}

const told = ({ code, message, location }: Cut): object =>
  expect.objectContaining({
    code,
    error: expect.stringMatching(message),
    ...(location === undefined ? {} : { location }),
  });

/** What has left is a part of what should have, and when the engine was far, it is something. */
function expectPart(left: number, row: number): void {
  expect(left).toBeLessThanOrEqual(row);
  if (row >= CUT.farRow) expect(left).toBeGreaterThan(0);
}

/** A stream: whole as a transfer, one error event at its end, and no complete. */
async function expectStreamCut({ status, text, failure }: Transfer, cut: Cut): Promise<void> {
  expect([status, failure]).toEqual([200, undefined]);
  const events = await eventsOf({ bytes: Buffer.from(text) });
  expectPart(events.filter(({ type }) => type === 'row').length, cut.row);
  expect(events.filter(({ type }) => type === 'error' || type === 'complete')).toEqual([events.at(-1)]);
  expect(events.at(-1)).toEqual(told(cut));
}

/** A JSON download: whole as a transfer, valid, and with its error; a 4xx when nothing had left. */
function expectJsonCut({ status, text, failure }: Transfer, cut: Cut): void {
  expect(failure).toBeUndefined();
  const result = JSON.parse(text);
  expect(result).toEqual(told(cut));
  expectPart(result.data.length, cut.row);
  expect(status).toBe(result.data.length === 0 ? cut.status : 200);
}

/** A download that cannot express a failure: a failed transfer; a 4xx when nothing had left. */
function expectTextCut({ status, text, failure }: Transfer, cut: Cut, headerLines: number): void {
  if (failure === undefined) {
    expect([cut.row < CUT.farRow, status]).toEqual([true, cut.status]);
    const { error, message } = JSON.parse(text);
    expect([error, message]).toEqual([cut.code.toLowerCase(), expect.stringMatching(cut.message)]);
    return;
  }
  expect([status, failure]).toEqual([200, expect.stringMatching(FAILURES)]);
  expectPart(text.split('\n').length - 1 - headerLines, cut.row);
}

/** An NDJSON download: the lines that left are whole objects, and the last bytes may be a part of one. */
function expectNdjsonCut(transfer: Transfer, cut: Cut): void {
  expectTextCut(transfer, cut, 0);
  if (transfer.failure !== undefined) for (const line of transfer.text.split('\n').slice(0, -1)) JSON.parse(line);
}

export const EXPECT_CUT: Readonly<Record<FormatName, (transfer: Transfer, cut: Cut) => Promise<void> | void>> = {
  stream: expectStreamCut,
  json: expectJsonCut,
  csv: (transfer, cut) => expectTextCut(transfer, cut, 1),
  ndjson: expectNdjsonCut,
};
