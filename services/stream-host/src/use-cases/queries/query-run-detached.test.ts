import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import {
  CANCELLED,
  COLUMNS,
  createRun,
  END,
  FAILURE,
  readBody,
  rows,
} from '../../../tests/queries/query-run-fixture.ts';
import { DetachedQueries } from '../../queries/detached-queries.ts';
import type { Keeping } from '../../queries/kept-results.ts';

const CLIENT_GONE = new ProblemError('query_cancelled', 'The client closed the connection.');
const ROW = 'data: {"type":"row","data":{"n":1}}\n\n';

interface Given {
  readonly steps: Parameters<typeof createRun>[0]['steps'];
  readonly waitMs?: number;
  readonly failure?: string;
  readonly notKept?: string;
  readonly recordFails?: Error;
}

/** A query whose result is kept, and the queries of its host that wait for a client. */
function fixture({ steps, waitMs = 60_000, failure, notKept, recordFails }: Given) {
  const ends: string[] = [];
  const keeping: Keeping = {
    spec: {} as Keeping['spec'],
    onStored: () => true,
    failure,
    finish: async () => {
      ends.push('finish');
      return notKept === undefined ? { untilMs: 5 } : { notKept };
    },
    abandon: async () => void ends.push('abandon'),
    revoke: async () => void ends.push('revoke'),
  };
  const records = { listAsked: async () => [] };
  const detached = new DetachedQueries({ hostId: 'h', records, waitMs });
  const made = createRun({ format: 'sse', steps, keeping, detached, ...(recordFails && { recordFails }) });
  const body = made.run.eventBody()[Symbol.asyncIterator]();
  const leave = async (): Promise<void> => {
    made.client.abort(CLIENT_GONE);
    await body.return?.();
  };
  return { ...made, detached, ends, body, leave };
}

/** A step that waits until it is released. */
function pause() {
  let release = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { wait, release: () => release() };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

describe('a kept query whose client leaves', () => {
  it('runs to its end, and its receipt has all rows, the bytes that were sent, and no digest', async () => {
    const { wait, release } = pause();
    const steps = [COLUMNS, rows(ROW), wait, rows(ROW), rows(ROW), END];
    const { body, leave, detached, recorded, ends, live, stop, calls } = fixture({ steps });
    const sent = [await body.next(), await body.next()].map(({ value }) => (value as Uint8Array).byteLength);
    const bytes = sent.reduce((sum, length) => sum + length, 0);
    await leave();
    await settled();
    expect([detached.size, recorded, stop.signal.aborted, live.pace]).toEqual([1, [], false, undefined]);
    release();
    await settled();
    expect(recorded).toMatchObject([{ state: 'FINISHED', rows: 3, bytes, sha256: null, error: null }]);
    expect([detached.size, ends, live.bytes]).toEqual([0, ['finish'], bytes]);
    expect(calls.filter((call) => call === 'release worker')).toHaveLength(1);
  });

  it('before it has read anything runs on too', async () => {
    const { leave, recorded } = fixture({ steps: [COLUMNS, rows(ROW), END] });
    await leave();
    await settled();
    expect(recorded).toMatchObject([{ state: 'FINISHED', rows: 1, bytes: 0, sha256: null }]);
  });

  it('returns the memory of rows that are not sent', async () => {
    const returned: string[] = [];
    const lent = (name: string) => ({
      ...{ kind: 'rows' as const, rows: 1, bytes: Buffer.from(ROW) },
      release: () => void returned.push(name),
    });
    const { leave } = fixture({ steps: [COLUMNS, lent('1'), lent('2'), END] });
    await leave();
    await settled();
    expect(returned).toEqual(['1', '2']);
  });

  it('is cancelled if no client comes back in time', async () => {
    const { wait, release } = pause();
    const { leave, detached, recorded, ends } = fixture({ steps: [COLUMNS, wait, rows(ROW), END], waitMs: 0 });
    await leave();
    await detached.cancelAbandoned();
    release();
    await settled();
    const message = 'The client left and did not come back within 0 s, so the query was cancelled.';
    expect(recorded).toMatchObject([{ state: 'CANCELLED', rows: 0, sha256: null, error: { message } }]);
    expect([ends, detached.size]).toEqual([['abandon'], 0]);
  });

  it('is stopped like any other query, by its caller or with its host', async () => {
    for (const reason of [CANCELLED, new ProblemError('server_shutdown', 'The server stopped.')]) {
      const { wait, release } = pause();
      const { leave, detached, recorded, ends } = fixture({ steps: [COLUMNS, rows(ROW), wait, rows(ROW), END] });
      await leave();
      await settled();
      const stopped = detached.stopAll(reason);
      release();
      await stopped;
      const state = reason === CANCELLED ? 'CANCELLED' : 'FAILED';
      expect(recorded).toMatchObject([{ state, rows: 1, sha256: null, error: { message: reason.message } }]);
      expect([ends, detached.size]).toEqual([['abandon'], 0]);
    }
  });

  it('fails like any other query', async () => {
    const { leave, recorded, ends, detached } = fixture({ steps: [COLUMNS, rows(ROW), FAILURE] });
    await leave();
    await settled();
    expect(recorded).toMatchObject([{ state: 'FAILED', rows: 1, sha256: null, error: { message: FAILURE.message } }]);
    expect([ends, detached.size]).toEqual([['abandon'], 0]);
  });

  it('loses its result if its receipt is not durable', async () => {
    const recordFails = new ProblemError('receipt_unavailable', 'The receipt is not durable.');
    const { leave, ends, detached } = fixture({ steps: [COLUMNS, END], recordFails });
    await leave();
    await settled();
    expect([ends, detached.size]).toEqual([['finish', 'revoke', 'abandon'], 0]);
  });

  it('does not end as complete if its result is not kept in the end', async () => {
    const { leave, recorded, detached } = fixture({ steps: [COLUMNS, rows(ROW), END], notKept: 'It is too large.' });
    await leave();
    await settled();
    const message = expect.stringContaining('cannot be kept for it, so the query was cancelled: It is too large.');
    expect(recorded).toMatchObject([{ state: 'CANCELLED', rows: 1, sha256: null, error: { message } }]);
    expect(detached.size).toBe(0);
  });

  it('is cancelled at once if its result cannot be kept any more', async () => {
    const { body, leave, recorded, detached } = fixture({
      steps: [COLUMNS, rows(ROW), rows(ROW), END],
      failure: 'The result store failed.',
    });
    await body.next();
    await leave();
    expect(recorded).toMatchObject([{ state: 'CANCELLED', rows: 0, sha256: null }]);
    expect(detached.size).toBe(0);
  });
});

describe('a kept query whose request ends in another way', () => {
  it('is stopped by the end of its host, and reports that', async () => {
    const { wait, release } = pause();
    const { body, client, recorded } = fixture({ steps: [COLUMNS, wait, END] });
    await body.next();
    client.abort(new ProblemError('server_shutdown', 'The server stopped before the response was complete.'));
    release();
    const { text } = await readBody({ [Symbol.asyncIterator]: () => body });
    expect(text).toContain('SERVER_SHUTDOWN');
    expect(recorded).toMatchObject([{ state: 'FAILED' }]);
  });

  it('is complete if it is read to its end', async () => {
    const { body, recorded, detached } = fixture({ steps: [COLUMNS, rows(ROW), END] });
    const { sha256 } = await readBody({ [Symbol.asyncIterator]: () => body });
    expect(recorded).toMatchObject([{ state: 'FINISHED', rows: 1, sha256 }]);
    expect(detached.size).toBe(0);
  });
});
