import { describe, expect, it } from '@jest/globals';
import { createClient } from '../client.ts';

const ROWS_PER_CHUNK = 500;
const CHUNKS = 600;
const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

/** Returns a client whose query receives these events, all of them ready before they are read. */
function clientOf(chunks: readonly string[]) {
  const encoder = new TextEncoder();
  const url = 'http://127.0.0.1';
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
        controller.close();
      },
    });
  const headers = { 'content-type': 'text/event-stream', 'x-query-id': 'id' };
  const fetchEvents = async () => new Response(body(), { headers });
  return createClient({ tenant: 'acme', streamUrl: url, apiUrl: url, auth: { token: () => 'x' }, fetch: fetchEvents });
}

const METADATA = event({ type: 'metadata', columns: [{ name: 'n', type: 'bigint' }] });
const row = (n: number): string => event({ type: 'row', data: { n: String(n) } });
const chunk = Array.from({ length: ROWS_PER_CHUNK }, (_, n) => row(n)).join('');

describe('a query', () => {
  it('lets timers run while it reads bytes that have all arrived', async () => {
    const total = ROWS_PER_CHUNK * CHUNKS;
    const complete = event({ type: 'complete', rows: total });
    const client = clientOf([METADATA, ...new Array<string>(CHUNKS).fill(chunk), complete]);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    let rows = 0;
    for await (const _row of client.query('SELECT 1')) rows += 1;
    clearInterval(timer);
    expect(rows).toBe(total);
    // About one for every 10 ms of work; without breaks there is none.
    expect(ticks).toBeGreaterThan(3);
  });

  it('is incomplete when the count of the host differs from the rows received', async () => {
    const client = clientOf([METADATA, row(1), event({ type: 'complete', rows: 2 })]);
    const read = async () => {
      for await (const _row of client.query('SELECT 1'));
    };
    await expect(read()).rejects.toMatchObject({ code: 'incomplete_result', reason: 'row_count' });
  });

  it.each([
    ['events that are not JSON', ['data: {"type":"row","da\n\n']],
    ['rows before the columns', [row(1), event({ type: 'complete', rows: 1 })]],
  ])('is malformed with %s', async (_name, chunks) => {
    const read = async () => {
      for await (const _row of clientOf(chunks).query('SELECT 1'));
    };
    await expect(read()).rejects.toMatchObject({ reason: 'malformed' });
  });
});
