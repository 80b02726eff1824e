import { describe, expect, it } from '@jest/globals';
import { HEARTBEAT } from '@sluice/encoders';
import type { SentEvent } from '@sluice/engine';
import { ResultEvents } from './result-events.ts';

const COLUMNS: SentEvent = { kind: 'columns', columns: [] };
const ROWS: SentEvent = { kind: 'rows', rows: 1, bytes: new Uint8Array(1) };
const END: SentEvent = { kind: 'end', limited: false };

/** Events of a job, which waits for `hold` before the last one. */
function fixture(events: readonly SentEvent[], { hold, signal }: { hold?: Promise<void>; signal?: AbortSignal } = {}) {
  let read = 0;
  let isClosed = false;
  async function* source() {
    try {
      for (const event of events) {
        if (event === events.at(-1)) await hold;
        read++;
        yield event;
      }
    } finally {
      isClosed = true;
    }
  }
  const results = new ResultEvents(source(), signal ?? new AbortController().signal);
  return { results, read: () => read, isClosed: () => isClosed };
}

describe('ResultEvents', () => {
  it.each([
    ['rows', [COLUMNS, ROWS, END]],
    ['no rows', [COLUMNS, END]],
  ])('reads no further than the first result with %s, and returns all events again', async (_name, events) => {
    const { results, read } = fixture(events);
    await results.readFirst();
    expect(read()).toBe(2);
    const seen: unknown[] = [];
    for (const _event of events) seen.push(await results.next(undefined));
    expect(seen).toEqual(events);
  });

  it('throws internal for a source that ends without an end event', async () => {
    const { results } = fixture([COLUMNS, ROWS]);
    await results.readFirst();
    await results.next(undefined);
    await results.next(undefined);
    await expect(results.next(undefined)).rejects.toMatchObject({ code: 'internal' });
  });

  it('throws the reason of an abort for a source that ends early', async () => {
    const reason = new Error('the client left');
    const { results } = fixture([], { signal: AbortSignal.abort(reason) });
    await expect(results.readFirst()).rejects.toBe(reason);
  });

  it('returns heartbeats while the source is silent, and then the event they preceded', async () => {
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { results, read } = fixture([COLUMNS, ROWS], { hold });
    expect(await results.next(undefined)).toEqual(COLUMNS);
    expect([await results.next(1), await results.next(1)]).toEqual([HEARTBEAT, HEARTBEAT]);
    release();
    expect(await results.next(undefined)).toEqual(ROWS);
    expect(read()).toBe(2);
  });

  it('ends the source when it is closed', async () => {
    const { results, isClosed } = fixture([COLUMNS, ROWS, END]);
    await results.next(undefined);
    expect(isClosed()).toBe(false);
    await results.close();
    expect(isClosed()).toBe(true);
  });
});
