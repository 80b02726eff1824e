import { describe, expect, it } from '@jest/globals';
import { ConnectionError, IncompleteResultError, QueryFailedError, ResponseError } from '../errors.ts';
import { mayResume, Resumer } from './resume.ts';

const CUT = new IncompleteResultError('cut', 'Cut.', { queryId: 'q' });

describe('mayResume', () => {
  it.each([
    [CUT, true],
    [new IncompleteResultError('stalled', ''), true],
    [new IncompleteResultError('malformed', ''), false],
    [new IncompleteResultError('row_count', ''), false],
    [new IncompleteResultError('hash', ''), false],
    [new ConnectionError('connection_failed', ''), true],
    [new ResponseError('unexpected_response', '', { status: 502 }), true],
    [new ResponseError('too_many_requests', '', { status: 429 }), true],
    [new ResponseError('not_found', '', { status: 404 }), false],
    [new ResponseError('unexpected_response', '', { status: 200 }), false],
    [new QueryFailedError('data_error', ''), false],
    [new Error('enough'), false],
  ])('decides whether another request may succeed (%#)', (error, expected) => {
    expect(mayResume(error)).toBe(expected);
  });
});

describe('a resumer', () => {
  it('allows as many attempts as the caller, and reports each of them', async () => {
    const seen: unknown[] = [];
    const resumer = new Resumer({ resumeAttempts: 2, onResume: (each) => void seen.push(each) }, undefined);
    expect(await resumer.next(CUT, 5)).toBe(true);
    expect(await resumer.next(CUT, 7)).toBe(true);
    expect(await resumer.next(CUT, 9)).toBe(false);
    expect(seen).toEqual([
      { attempt: 1, received: 5, error: CUT },
      { attempt: 2, received: 7, error: CUT },
    ]);
  });

  it('does not count, wait or report for an error that another request does not cure', async () => {
    const resumer = new Resumer({ onResume: () => expect(true).toBe(false) }, undefined);
    expect(await resumer.next(new ResponseError('not_found', '', { status: 404 }), 0)).toBe(false);
    expect(await new Resumer({ resumeAttempts: 0 }, undefined).next(CUT, 0)).toBe(false);
    expect(resumer.attempts).toBe(0);
  });

  it('ends where the host asks for a longer wait than the client allows', async () => {
    const busy = new ResponseError('server_shutdown', '', { status: 503, retryAfterSeconds: 2 });
    expect(await new Resumer({}, undefined, 1000).next(busy, 0)).toBe(false);
  });

  it('rejects with the reason of the signal', async () => {
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(new Resumer({}, stop.signal).next(CUT, 0)).rejects.toThrow('enough');
  });

  it('explains a cut with why it was not continued, and leaves other failures unchanged', async () => {
    const resumer = new Resumer({}, undefined);
    expect(resumer.explain(CUT, CUT, 'Run it again.')).toBe(CUT);
    await resumer.next(CUT, 0);
    const gone = new ResponseError('not_found', 'It is gone.', { status: 404 });
    expect(resumer.explain(CUT, gone, 'Run it again.')).toMatchObject({
      reason: 'cut',
      queryId: 'q',
      cause: gone,
      message: 'The connection was cut, and the result could not be continued in 1 attempt (It is gone). Run it again.',
    });
    const failed = new QueryFailedError('data_error', 'Failed.');
    expect(resumer.explain(failed, failed, '')).toBe(failed);
    const malformed = new IncompleteResultError('malformed', 'Malformed.');
    expect(resumer.explain(malformed, malformed, '')).toBe(malformed);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects resumeAttempts: %d', (resumeAttempts) => {
    expect(() => new Resumer({ resumeAttempts }, undefined)).toThrow(TypeError);
  });
});
