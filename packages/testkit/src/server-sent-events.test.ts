import { describe, expect, it } from '@jest/globals';
import { collectEvents, readServerSentEvents } from './server-sent-events.ts';

async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

describe('readServerSentEvents', () => {
  it('keeps the order of events and comments that are split across chunks', async () => {
    const items = [];
    for await (const item of readServerSentEvents(chunks('data: {"a"', ':1}\n', '\n: keep-alive\n\ndata: 2\n\n'))) {
      items.push(item);
    }
    expect(items).toEqual([
      { kind: 'event', data: '{"a":1}', event: undefined },
      { kind: 'comment', text: 'keep-alive' },
      { kind: 'event', data: '2', event: undefined },
    ]);
  });

  it('joins a character that is split across chunks', async () => {
    const bytes = new TextEncoder().encode('data: "é"\n\n');
    expect(await collectEvents(chunks(bytes.subarray(0, 8), bytes.subarray(8)))).toEqual(['é']);
  });

  it('drops an unfinished event', async () => {
    expect(await collectEvents(chunks('data: 1\n\ndata: 2'))).toEqual([1]);
  });
});
