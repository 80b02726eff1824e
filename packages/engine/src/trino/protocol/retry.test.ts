import { describe, expect, it } from '@jest/globals';
import type { HttpResponse } from './http-client.ts';
import { withRetries } from './retry.ts';
import { TransportTimeout } from './transport-failure.ts';

const response = (status: number): HttpResponse => ({ status, headers: {}, body: Buffer.alloc(0) });
const failure = (code: string): Error => Object.assign(new Error('failed'), { code });

/** Sends the given outcomes one after the other, the last one again and again. */
function sender(...outcomes: readonly (number | Error)[]) {
  const sent = { count: 0 };
  const send = async (): Promise<HttpResponse> => {
    const outcome = outcomes[Math.min(sent.count, outcomes.length - 1)] ?? 200;
    sent.count += 1;
    if (typeof outcome === 'number') return response(outcome);
    throw outcome;
  };
  return { send, sent };
}

describe('withRetries', () => {
  it.each([429, 502, 503, 504, failure('ECONNRESET'), new TransportTimeout()])('retries after %s', async (outcome) => {
    const { send, sent } = sender(outcome, outcome, 200);
    expect((await withRetries(send, { retryForMs: 60_000 })).status).toBe(200);
    expect(sent.count).toBe(3);
  });

  it.each([200, 400, 401, 404, 500])('returns a response with status %i immediately', async (status) => {
    const { send, sent } = sender(status);
    expect((await withRetries(send, { retryForMs: 60_000 })).status).toBe(status);
    expect(sent.count).toBe(1);
  });

  it('fails immediately for a failure that a retry cannot cure', async () => {
    const { send, sent } = sender(failure('ENOTFOUND'));
    await expect(withRetries(send, { retryForMs: 60_000 })).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(sent.count).toBe(1);
  });

  it('makes a second attempt even if no time is left, and then fails', async () => {
    const { send, sent } = sender(503);
    await expect(withRetries(send, { retryForMs: -1 })).rejects.toMatchObject({ code: 'engine_unavailable' });
    expect(sent.count).toBe(2);
  });

  it('fails with the reason of the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const { send } = sender(503);
    const stopping = async (): Promise<HttpResponse> => {
      stop.abort(reason);
      return await send();
    };
    await expect(withRetries(stopping, { retryForMs: 60_000, signal: stop.signal })).rejects.toBe(reason);
  });
});
