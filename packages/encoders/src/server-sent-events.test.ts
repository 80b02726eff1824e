import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { sseEvent, withSseHeartbeat } from './server-sent-events.ts';

describe('sseEvent', () => {
  it('writes data and an optional id, ended by a blank line', () => {
    expect(sseEvent({ data: '{}' })).toBe('data: {}\n\n');
    expect(sseEvent({ id: 7, data: '{"a":1}' })).toBe('id: 7\ndata: {"a":1}\n\n');
  });
});

describe('withSseHeartbeat', () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  it('passes events on and sends heartbeats while the source is silent', async () => {
    let resume = (): void => undefined;
    const silence = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const source = (async function* () {
      await silence;
      yield new TextEncoder().encode('data: 1\n\n');
    })();
    const texts: string[] = [];
    for await (const bytes of withSseHeartbeat(source, 1)) {
      texts.push(text(bytes));
      resume();
    }
    expect(texts[0]).toBe(': keep-alive\n\n');
    expect(texts.filter((item) => item.startsWith('data'))).toEqual(['data: 1\n\n']);
    expect(texts.at(-1)).toBe('data: 1\n\n');
  });

  it('ends the source if the reader stops', async () => {
    let isReleased = false;
    const source = (async function* () {
      try {
        for (;;) {
          await wait(1);
          yield new Uint8Array();
        }
      } finally {
        isReleased = true;
      }
    })();
    for await (const _ of withSseHeartbeat(source, 60_000)) break;
    expect(isReleased).toBe(true);
  });
});
