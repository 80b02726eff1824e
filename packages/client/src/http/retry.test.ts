import { describe, expect, it } from '@jest/globals';
import { ConnectionError, ResponseError } from '../errors.ts';
import { mayRepeat, type Repeatability, retryDelayMs, wait } from './retry.ts';

const response = (status: number, code = 'service_unavailable', queryId?: string) =>
  new ResponseError(code, 'text', { status, queryId });
const refused = new ConnectionError('connection_failed', 'text', {
  cause: new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
});
const reset = new ConnectionError('connection_failed', 'text', { cause: new TypeError('terminated') });

/** The failures that may be repeated, for every kind of request. */
const TABLE: Record<string, { error: unknown } & Record<Repeatability, boolean>> = {
  '429': { error: response(429), safe: true, statement: true, change: true },
  '502': { error: response(502), safe: true, statement: false, change: false },
  '503': { error: response(503), safe: true, statement: true, change: false },
  '503 of an admitted query': {
    error: response(503, 'engine_crashed', 'id'),
    safe: true,
    statement: false,
    change: false,
  },
  '503 of a proxy': { error: response(503, 'unexpected_response'), safe: true, statement: false, change: false },
  '503 without audit log': { error: response(503, 'audit_unavailable'), safe: true, statement: true, change: true },
  '504': { error: response(504), safe: true, statement: false, change: false },
  '500': { error: response(500), safe: false, statement: false, change: false },
  '400': { error: response(400), safe: false, statement: false, change: false },
  'a refused connection': { error: refused, safe: true, statement: true, change: true },
  'a lost connection': { error: reset, safe: true, statement: false, change: false },
  'a time-out': { error: new ConnectionError('timeout', 'text'), safe: false, statement: false, change: false },
  'any other error': { error: new Error('text'), safe: false, statement: false, change: false },
};

describe.each(Object.entries(TABLE))('%s', (_name, { error, ...expected }) => {
  it.each(Object.entries(expected))('of a request that is %s: repeated %s', (repeatability, wanted) => {
    expect(mayRepeat(error, repeatability as Repeatability)).toBe(wanted);
  });
});

describe('the delay before a retry', () => {
  it('doubles, and is never below Retry-After', () => {
    expect([1, 2, 3].map((attempt) => retryDelayMs(refused, attempt, () => 1))).toEqual([250, 500, 1000]);
    const limited = new ResponseError('too_many_requests', 'text', { status: 429, retryAfterSeconds: 2 });
    expect(retryDelayMs(limited, 1, () => 0)).toBe(2000);
  });

  it('ends immediately when the signal is aborted', async () => {
    const stop = new AbortController();
    const waiting = wait(60_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
