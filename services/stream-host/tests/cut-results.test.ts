import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finalReceipt } from './receipts.ts';
import { type Answered, basicOf, type Credential, eventsOf, post, queryIdOf } from './requests.ts';
import { startHosts, type TestHosts } from './start-hosts.ts';

const ROWS = 100_001;
/** The first and the last of the result, either side of the engine's chunk of 2,048, and far behind. */
const FAILING_ROWS = [0, 1, 2047, 2048, 2049, 100_000];

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '8', WORKERS_WARM: '3' });
  ann = basicOf(hosts.ann);
}, 60_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

interface Failure {
  readonly name: string;
  readonly sql: (row: number) => string;
  readonly message: RegExp;
  readonly location?: (row: number) => object;
}

const FAILURES: readonly Failure[] = [
  {
    name: 'error()',
    sql: (row) =>
      `SELECT n,\n  CASE WHEN n = ${row} THEN error('boom at ' || n) ELSE 'fine' END AS word\nFROM range(${ROWS}) t(n)`,
    message: /^boom at \d+$/,
  },
  {
    name: 'a failed cast',
    sql: (row) =>
      `SELECT n,\n  CAST(CASE WHEN n = ${row} THEN 'no number' ELSE n::VARCHAR END AS INTEGER) AS number\nFROM range(${ROWS}) t(n)`,
    message: /^Could not convert string 'no number' to INT32/,
    location: () => ({ line: 2, column: 3 }),
  },
];

const CASES = FAILURES.flatMap((failure) => FAILING_ROWS.map((row) => [failure.name, row, failure] as const));
const query = (path: string, sql: string): Promise<Answered> => post(`${hosts.url}${path}`, { sql }, ann);

/** What a stream says of its own end. */
const lastWords = async (answer: Answered) =>
  (await eventsOf(answer)).filter(({ type }) => type === 'error' || type === 'complete');

const expectReceipt = async (answer: Answered, code: string): Promise<void> => {
  const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential: ann, withinMs: 2000 });
  expect(receipt).toMatchObject({ error: { code } });
};

describe.each(CASES)('%s in row %i', (_name, row, failure) => {
  const sql = failure.sql(row);
  const location = failure.location?.(row);
  const problem = { code: 'DATA_ERROR', ...(location === undefined ? {} : { location }) };

  it('ends a stream with one error event, in the engine’s words', async () => {
    const answer = await query('/query', sql);
    expect(answer.isWhole).toBe(true);
    const words = await lastWords(answer);
    expect(words).toEqual([expect.objectContaining({ type: 'error', ...problem })]);
    expect(words[0]?.['error']).toMatch(failure.message);
    await expectReceipt(answer, 'DATA_ERROR');
  });

  it('ends JSON, still valid, with its error', async () => {
    const answer = await query('/query/download/json', sql);
    expect(answer.isWhole).toBe(true);
    expect(answer.body).toMatchObject({ code: 'DATA_ERROR', error: expect.stringMatching(failure.message) });
    expect(answer.status).toBe(answer.body.data.length === 0 ? 400 : 200);
    expect(answer.body.data.length).toBeLessThanOrEqual(row);
    await expectReceipt(answer, 'DATA_ERROR');
  });

  it('fails a CSV transfer, or its status says so', async () => {
    const answer = await query('/query/download/csv', sql);
    expect(row === 100_000 ? [200] : [200, 400]).toContain(answer.status);
    expect(answer.isWhole).toBe(answer.status === 400);
    if (answer.status === 400)
      expect(answer.body).toMatchObject({ error: 'data_error', message: expect.stringMatching(failure.message) });
    await expectReceipt(answer, 'DATA_ERROR');
  });
});
