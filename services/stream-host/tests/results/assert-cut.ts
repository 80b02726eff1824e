import { expect } from '@jest/globals';
import { type DownloadFormatName, downloadFormats } from '@sluice/contract';
import { eventsOf } from '@sluice/testkit/requests';
import { CUT } from '@sluice/testkit/statements';
import { FAILURES, type Transfer } from './third-party-clients.ts';

/** The stream, or a format whose file is text. */
export type FormatName = 'stream' | DownloadFormatName;
export const FORMATS: readonly FormatName[] = [
  'stream',
  ...downloadFormats.filter(([, { assembly }]) => assembly === 'text').map(([name]) => name),
];
export const pathOf = (format: FormatName): string => (format === 'stream' ? '/query' : `/query/download/${format}`);

/** Expected error of a cut result, and the row at which it occurs. */
export interface Cut {
  /** Row at which the result was cut. */
  readonly row: number;
  readonly code: string;
  /** Status of a download that failed before its first byte. */
  readonly status: number;
  readonly message: RegExp;
  readonly location?: object;
}

const problemOf = ({ code, message, location }: Cut): object =>
  expect.objectContaining({
    code,
    error: expect.stringMatching(message),
    ...(location === undefined ? {} : { location }),
  });

/** Asserts that the sent rows are a part of the result, and not empty when the engine had progressed far. */
function expectPart(left: number, row: number): void {
  expect(left).toBeLessThanOrEqual(row);
  if (row >= CUT.farRow) expect(left).toBeGreaterThan(0);
}

/** Asserts a complete transfer of a stream with one error event at its end, and no complete event. */
async function expectStreamCut({ status, text, failure }: Transfer, cut: Cut): Promise<void> {
  expect([status, failure]).toEqual([200, undefined]);
  const events = await eventsOf({ bytes: Buffer.from(text) });
  expectPart(events.filter(({ type }) => type === 'row').length, cut.row);
  expect(events.filter(({ type }) => type === 'error' || type === 'complete')).toEqual([events.at(-1)]);
  expect(events.at(-1)).toEqual(problemOf(cut));
}

/** Asserts a complete transfer of valid JSON with its error, or a 4xx when nothing was sent before. */
function expectJsonCut({ status, text, failure }: Transfer, cut: Cut): void {
  expect(failure).toBeUndefined();
  const result = JSON.parse(text);
  expect(result).toEqual(problemOf(cut));
  expectPart(result.data.length, cut.row);
  expect(status).toBe(result.data.length === 0 ? cut.status : 200);
}

/** Asserts a failed transfer of a format that cannot report a failure, or a 4xx when nothing was sent before. */
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

/** Asserts a failed transfer whose complete lines are valid JSON. The last line may be incomplete. */
function expectNdjsonCut(transfer: Transfer, cut: Cut): void {
  expectTextCut(transfer, cut, 0);
  if (transfer.failure !== undefined) for (const line of transfer.text.split('\n').slice(0, -1)) JSON.parse(line);
}

type AssertCut = (transfer: Transfer, cut: Cut) => Promise<void> | void;

/** Ends of failed results in formats that say more than the failed transfer of a text with one line for each row. */
const ASSERT_CUT: Readonly<Partial<Record<FormatName, AssertCut>>> = {
  stream: expectStreamCut,
  json: expectJsonCut,
  csv: (transfer, cut) => expectTextCut(transfer, cut, 1),
  ndjson: expectNdjsonCut,
};

export const assertCut = (format: FormatName): AssertCut =>
  ASSERT_CUT[format] ?? ((transfer, cut) => expectTextCut(transfer, cut, 0));
