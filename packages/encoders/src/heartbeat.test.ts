import { describe, expect, it, jest } from '@jest/globals';
import { HEARTBEAT, orHeartbeat, withHeartbeat } from './heartbeat.ts';

/** A source whose items the test sends. */
class Source implements AsyncIterator<string> {
  asked = 0;
  returned = 0;
  #waiting: { resolve: (step: IteratorResult<string>) => void; reject: (reason: unknown) => void } | undefined;

  next(): Promise<IteratorResult<string>> {
    this.asked += 1;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  async return(): Promise<IteratorResult<string>> {
    this.returned += 1;
    return { done: true, value: undefined };
  }

  give(value: string): void {
    this.#waiting?.resolve({ done: false, value });
  }

  end(): void {
    this.#waiting?.resolve({ done: true, value: undefined });
  }

  fail(reason: unknown): void {
    this.#waiting?.reject(reason);
  }
}

describe('withHeartbeat', () => {
  it('passes items on in order, and ends with its source', async () => {
    const source = new Source();
    const stream = withHeartbeat(source, 60_000);
    for (const item of ['a', 'b']) {
      const next = stream.next();
      source.give(item);
      expect(await next).toEqual({ done: false, value: item });
    }
    const last = stream.next();
    source.end();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it('sends heartbeats while its source is silent, without reading from it twice', async () => {
    const source = new Source();
    const stream = withHeartbeat(source, 1);
    expect([(await stream.next()).value, (await stream.next()).value]).toEqual([HEARTBEAT, HEARTBEAT]);
    expect(source.asked).toBe(1);
    source.give('late');
    expect((await stream.next()).value).toBe('late');
  });

  it('throws what its source throws', async () => {
    const source = new Source();
    const stream = withHeartbeat(source, 60_000);
    const next = stream.next();
    source.fail(new Error('lost'));
    await expect(next).rejects.toThrow('lost');
  });

  it('does not dispose of the source: a failure that no caller awaits is not an unhandled rejection', async () => {
    const source = new Source();
    const stream = withHeartbeat(source, 1);
    expect((await stream.next()).value).toBe(HEARTBEAT);
    await stream.return(undefined);
    source.fail(new Error('not awaited'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(source.returned).toBe(0);
  });
});

describe('orHeartbeat', () => {
  const NEVER = new Promise<never>(() => undefined);
  const HANG_MS = 30_000;

  it(
    'is due in time after a wait whose clock was behind',
    async () => {
      const behindMs = performance.now() - 100_000;
      const clock = jest.spyOn(performance, 'now').mockReturnValue(behindMs);
      void orHeartbeat(NEVER, 60_000);
      clock.mockRestore();
      await expect(orHeartbeat(NEVER, 1)).resolves.toBe(HEARTBEAT);
    },
    HANG_MS,
  );
});
