import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseBlock, startsRow, takeIds } from './parse-events.ts';
import { readBlocks } from './read-blocks.ts';

const encoder = new TextEncoder();
const options = { idleTimeoutMs: undefined, signal: new AbortController().signal, ids: {} };

const eventText = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

async function parseInChunks(text: string, sizes: readonly number[]): Promise<unknown[]> {
  const bytes = encoder.encode(text);
  let offset = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const size = sizes.length === 0 ? bytes.length : (sizes[offset % sizes.length] ?? 1);
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(offset, offset + size));
      offset += size;
    },
  });
  const events: unknown[] = [];
  for await (const block of readBlocks(body, options))
    for (const part of parseBlock(block))
      if ('rows' in part) events.push(...part.rows.map((data) => ({ type: 'row', data })));
      else events.push(part.event);
  return events;
}

describe('an event stream', () => {
  const row = fc.record({ type: fc.constant('row'), data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })) });
  const other = fc.constantFrom(
    { type: 'metadata', columns: [] },
    { type: 'progress', rows: 1 },
    { type: 'complete', note: '}\n\ndata: {"type":"row","data":' },
  );

  it('is read as its events, wherever its chunks end and whatever stands between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 5, arbitrary: row }, other), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 5 }),
        fc.boolean(),
        async (events, sizes, hasHeartbeats) => {
          const plain = events.map((event) => JSON.parse(JSON.stringify(event)) as object);
          const text = plain.map(eventText).join(hasHeartbeats ? ': keep-alive\n\n' : '');
          expect(await parseInChunks(text, sizes)).toEqual(plain);
        },
      ),
    );
  });

  it('never yields an event that was cut', async () => {
    const text = eventText({ type: 'row', data: { a: 1 } });
    for (let end = 0; end < text.length; end += 1) expect(await parseInChunks(text.slice(0, end), [7])).toEqual([]);
  });

  it('with bytes that are not UTF-8 is an error', async () => {
    const body = new Blob([new Uint8Array([0xff])]).stream();
    const read = async () => {
      for await (const _block of readBlocks(body as ReadableStream<Uint8Array>, options));
    };
    await expect(read()).rejects.toMatchObject({ reason: 'malformed' });
  });
});

describe('takeIds', () => {
  it.each([
    ['data: {"type":"row","data":{"a":1}}\n\n', 'data: {"type":"row","data":{"a":1}}\n\n', undefined],
    [
      'id: 4\ndata: {"type":"row","data":{"a":1}}\n\nid: 5\ndata: {"type":"row","data":{"a":2}}\n\n',
      'data: {"type":"row","data":{"a":1}}\n\ndata: {"type":"row","data":{"a":2}}\n\n',
      4,
    ],
    [
      'id: 3\ndata: {"type":"metadata","columns":[]}\n\nid: 4\ndata: {"type":"row","data":{"a":1}}\n\n',
      'data: {"type":"metadata","columns":[]}\n\ndata: {"type":"row","data":{"a":1}}\n\n',
      4,
    ],
    ['id: 3\n\n: keep-alive\n\n', ': keep-alive\n\n', undefined],
    [
      'id: 4\ndata: {"type":"row","data":{"a":"\u2028id: 9"}}\n\n',
      'data: {"type":"row","data":{"a":"\u2028id: 9"}}\n\n',
      4,
    ],
  ])('takes the numbers of rows out of %j', (block, without, firstId) => {
    expect(takeIds(block)).toEqual({ block: without, firstId });
  });
});

it('startsRow reads the beginning of a row with and without its number', () => {
  expect(startsRow('id: 12\ndata: {"type":"row","data":{"a":')).toBe(true);
  expect(startsRow('data: {"type":"row","data":{"a":')).toBe(true);
  expect(startsRow('id: 12\ndata: {"type":"metadata"')).toBe(false);
});
