import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryEnd } from '@sluice/store/queries';
import { OutcomeKeeper } from './outcome-keeper.ts';

const FINISHED: QueryEnd = {
  tenantId: 't',
  queryId: 'q',
  state: 'FINISHED',
  rows: 3,
  bytes: 90,
  sha256: 'digest',
  limited: false,
  error: null,
};
const FAILED: QueryEnd = { ...FINISHED, state: 'FAILED', sha256: null, error: { code: 'SQL_ERROR', message: 'no' } };
const TRANSFER = { bytesSent: 80, beganMs: 0 };

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.spyOn(performance, 'now').mockRestore();
});

/** A write takes effect, is refused because the query is closed, fails, or takes effect although its reply is lost. */
type Write = 'written' | 'refused' | 'fails' | 'reply lost';

/** `writes` are the results of the writes in turn; the last one repeats. Each failed write takes `failsAfterMs`. */
function fixture(writes: readonly Write[], { failsAfterMs = 0, suspendedMs = 0 } = {}) {
  const calls: unknown[] = [];
  const left = [...writes];
  const stored = new Map<string, QueryEnd>();
  const finish = async (end: QueryEnd): Promise<boolean> => {
    const write = left.length > 1 ? left.shift() : left[0];
    calls.push(['finish', end.queryId, end.state]);
    if (write === 'written' || write === 'reply lost') stored.set(end.queryId, end);
    if (write === 'written') return true;
    if (write === 'refused') return false;
    nowMs += failsAfterMs;
    throw new Error('no database');
  };
  const keeper = new OutcomeKeeper(
    {
      finish,
      find: async (_tenantId, queryId) => ({ receipt: stored.get(queryId) ?? { state: 'UNKNOWN' } }) as never,
      async correct(end) {
        calls.push(['correct', end.queryId, end.state]);
        return true as never;
      },
    },
    {
      since: () => (suspendedMs === 0 ? undefined : ({ durationMs: suspendedMs } as never)),
    },
  );
  const setWrites = (...next: Write[]) => left.splice(0, left.length, ...next);
  return { keeper, calls, stored, setWrites };
}

describe('an outcome', () => {
  it('is durable when it is written', async () => {
    const { keeper, stored } = fixture(['written']);
    await keeper.record(FINISHED, TRANSFER);
    expect([stored.get('q'), keeper.waiting]).toEqual([FINISHED, 0]);
  });

  it('is written again after a failure within 5 s', async () => {
    const { keeper, calls } = fixture(['fails', 'written']);
    await keeper.record(FINISHED, TRANSFER);
    expect([calls.length, keeper.waiting]).toEqual([2, 0]);
  });

  it('counts as written if the reply to an earlier attempt was lost', async () => {
    const { keeper, calls, setWrites } = fixture(['reply lost', 'refused']);
    await keeper.record(FINISHED, TRANSFER);
    expect(calls.length).toBe(2);
    setWrites('refused');
    await expect(keeper.record({ ...FINISHED, sha256: 'another' }, TRANSFER)).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it.each([
    [FINISHED, 'receipt_unavailable', 'All rows were sent, but their receipt could not be written in time'],
    [{ ...FINISHED, sha256: null }, 'receipt_unavailable', 'so the result is not kept'],
    [FAILED, 'audit_unavailable', 'The receipt could not be written in time'],
  ])('that cannot be written for 5 s never ends as complete: %j', async (end, code, message) => {
    const { keeper, calls } = fixture(['fails'], { failsAfterMs: 4_900 });
    await expect(keeper.record(end, TRANSFER)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect([calls.length, keeper.waiting]).toEqual([1, 1]);
  });

  it.each([
    [0, 'internal', 'Another host closed this query as lost'],
    [41_400, 'host_suspended', 'suspended for 41 s'],
  ])(
    'of a query that another host closed is an error, after a suspension of %i ms',
    async (suspendedMs, code, message) => {
      const { keeper } = fixture(['refused'], { suspendedMs });
      await expect(keeper.record(FINISHED, TRANSFER)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
      expect(keeper.waiting).toBe(0);
    },
  );
});

describe('a kept outcome', () => {
  const keep = async (...writes: Write[]) => {
    const made = fixture(['fails'], { failsAfterMs: 5_000 });
    await expect(made.keeper.record(FINISHED, TRANSFER)).rejects.toThrow();
    made.setWrites(...writes);
    made.calls.length = 0;
    return made;
  };

  it('is written as the failure that was reported to the client, with the bytes that were sent', async () => {
    const { keeper, stored } = await keep('written');
    await keeper.retry();
    expect(stored.get('q')).toEqual({
      ...FINISHED,
      state: 'FAILED',
      sha256: null,
      bytes: 80,
      error: { code: 'RECEIPT_UNAVAILABLE', message: expect.any(String) },
    });
    expect(keeper.waiting).toBe(0);
  });

  it('corrects the outcome of an attempt that took effect after its timeout', async () => {
    const { keeper, calls } = await keep('refused');
    await keeper.retry();
    expect(calls).toEqual([
      ['finish', 'q', 'FAILED'],
      ['correct', 'q', 'FAILED'],
    ]);
    expect(keeper.waiting).toBe(0);
  });

  it('is kept until the store is available; the first failure ends the round', async () => {
    const { keeper, calls, setWrites } = await keep('fails');
    keeper.enqueueFailure({ ...FAILED, queryId: 'never ran' });
    await keeper.retry();
    expect([calls, keeper.waiting]).toEqual([[['finish', 'q', 'FAILED']], 2]);
    setWrites('written');
    await keeper.retry();
    expect(keeper.waiting).toBe(0);
  });

  it('of queries that never ran takes a limited amount of memory', () => {
    const { keeper } = fixture(['fails']);
    for (let index = 0; index < 10_002; index += 1) keeper.enqueueFailure({ ...FAILED, queryId: String(index) });
    expect(keeper.waiting).toBe(10_000);
  });
});
