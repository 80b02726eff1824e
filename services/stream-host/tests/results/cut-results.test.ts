import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finalReceipt } from '../client/receipts.ts';
import { basicOf, type Credential, eventsOf, post, queryIdOf, type ReceivedResponse } from '../client/requests.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { CUT } from '../statements/statements.ts';

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
  readonly message: (row: number) => string;
  readonly location?: object | undefined;
}

const FAILURES: readonly Failure[] = [
  { name: 'an error', sql: CUT.errorInOnly, message: (row) => `boom at row ${row}` },
  { name: 'a failed cast', sql: CUT.failedCastInOnly, message: CUT.failedCast, location: CUT.castInOnlyLocation },
];

const CASES = FAILURES.flatMap((failure) => CUT.rows.map((row) => [failure.name, row, failure] as const));
const query = (path: string, sql: string): Promise<ReceivedResponse> => post(`${hosts.url}${path}`, { sql }, ann);

/** Returns how a stream reports its end. */
const lastWords = async (answer: ReceivedResponse) =>
  (await eventsOf(answer)).filter(({ type }) => type === 'error' || type === 'complete');

const expectReceipt = async (answer: ReceivedResponse, code: string): Promise<void> => {
  const receipt = await finalReceipt(hosts.url, queryIdOf(answer), { credential: ann, withinMs: 2000 });
  expect(receipt).toMatchObject({ error: { code } });
};

describe.each(CASES)('%s in row %i', (_name, row, failure) => {
  const sql = failure.sql(row);
  const { location } = failure;
  const message = new RegExp(`^${failure.message(row)}`);
  const problem = { code: 'DATA_ERROR', ...(location === undefined ? {} : { location }) };

  it('ends a stream with one error event that has the engine’s message', async () => {
    const answer = await query('/query', sql);
    expect(answer.isWhole).toBe(true);
    const words = await lastWords(answer);
    expect(words).toEqual([expect.objectContaining({ type: 'error', ...problem })]);
    expect(words[0]?.['error']).toMatch(message);
    await expectReceipt(answer, 'DATA_ERROR');
  });

  it('ends JSON with its error and keeps it valid', async () => {
    const answer = await query('/query/download/json', sql);
    expect(answer.isWhole).toBe(true);
    expect(answer.body).toMatchObject({ code: 'DATA_ERROR', error: expect.stringMatching(message) });
    expect(answer.status).toBe(answer.body.data.length === 0 ? 400 : 200);
    expect(answer.body.data.length).toBeLessThanOrEqual(row);
    await expectReceipt(answer, 'DATA_ERROR');
  });

  it.each(['csv', 'ndjson'])('fails a transfer of %s or returns an error status', async (format) => {
    const answer = await query(`/query/download/${format}`, sql);
    expect(row >= CUT.farRow ? [200] : [200, 400]).toContain(answer.status);
    expect(answer.isWhole).toBe(answer.status === 400);
    if (answer.status === 400)
      expect(answer.body).toMatchObject({ error: 'data_error', message: expect.stringMatching(message) });
    await expectReceipt(answer, 'DATA_ERROR');
  });
});
