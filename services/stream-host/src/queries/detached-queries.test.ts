import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { DetachedQueries } from './detached-queries.ts';

type Asked = readonly { readonly queryId: string; readonly agoMs: number }[];

/** Queries of a host, of which clients ask for some, and the reasons with which they are stopped. */
function fixture(waitMs: number, listAsked: () => Promise<Asked> = async () => []) {
  const stopped: Record<string, string> = {};
  const detached = new DetachedQueries({ hostId: 'h', records: { listAsked }, waitMs });
  const add = (queryId: string, failure?: string) =>
    detached.add({
      live: {
        queryId,
        stop: ({ message }) => {
          stopped[queryId] ??= message;
        },
      },
      keeping: { failure },
    });
  return { detached, stopped, add };
}

describe('a query without its client', () => {
  it('is cancelled after the wait, unless a client asked for it meanwhile', async () => {
    const { detached, stopped, add } = fixture(20, async () => [
      { queryId: 'wanted', agoMs: 1 },
      { queryId: 'forgotten', agoMs: 5_000 },
      { queryId: 'of another host', agoMs: 1 },
    ]);
    for (const id of ['wanted', 'forgotten', 'unknown']) add(id);
    await detached.cancelAbandoned();
    expect(stopped).toEqual({});
    await wait(30);
    await detached.cancelAbandoned();
    const message = 'The client left and did not come back within 20 ms, so the query was cancelled.';
    expect(stopped).toEqual({ forgotten: message, unknown: message });
  });

  it('is cancelled at once when its result can no longer be kept', async () => {
    const { detached, stopped, add } = fixture(60_000);
    add('q', 'The result store failed.');
    await detached.cancelAbandoned();
    expect(stopped['q']).toContain(
      'the result cannot be kept for it, so the query was cancelled: The result store failed.',
    );
  });

  it('is cancelled after the wait although the database does not respond', async () => {
    const { detached, stopped, add } = fixture(0, () => Promise.reject(new Error('no database')));
    add('q');
    await expect(detached.cancelAbandoned()).rejects.toThrow('no database');
    expect(stopped['q']).toContain('did not come back within 0 s');
  });

  it('is stopped with its host, which waits for its end', async () => {
    const { detached, stopped, add } = fixture(60_000);
    const reason = new ProblemError('server_shutdown', 'The server stopped.');
    await detached.stopAll(reason);
    const ends = [add('one'), add('other')];
    let isOver = false;
    const over = detached.stopAll(reason).then(() => {
      isOver = true;
    });
    expect(stopped).toEqual({ one: 'The server stopped.', other: 'The server stopped.' });
    ends[0]?.();
    await wait(5);
    expect([isOver, detached.size]).toEqual([false, 1]);
    ends[1]?.();
    await over;
    expect(detached.size).toBe(0);
  });

  it('costs nothing once it is over', async () => {
    let reads = 0;
    const { detached, add } = fixture(0, async () => {
      reads += 1;
      return [];
    });
    add('q')();
    await detached.cancelAbandoned();
    expect([detached.size, reads]).toEqual([0, 0]);
  });
});
