import { describe, expect, it } from '@jest/globals';
import { PAGE_BYTES, PageBuffer } from './page-buffer.ts';

const textOf = (pieces: readonly Uint8Array[] = []): string => Buffer.concat(pieces).toString();

/** Rows as an engine writes them: with a separator before all but the first of the result. */
const chunk = (from: number, rows: number, width = 1) => {
  const texts = Array.from({ length: rows }, (_, index) => `["${String(from + index).padEnd(width, '.')}"]`);
  return { rows, bytes: Buffer.from(`${from === 0 ? '' : ',\n'}${texts.join(',\n')}`) };
};

/** Adds rows until a buffer is full. Returns their number. */
function fill(buffer: PageBuffer): number {
  let rows = 0;
  for (; !buffer.isFull; rows += 1) buffer.add(chunk(rows, 1, 100_000));
  return rows;
}

describe('PageBuffer', () => {
  it('returns the rows that are there as a page, without the separator before them', () => {
    const buffer = new PageBuffer();
    buffer.add(chunk(0, 2));
    expect(buffer.take(0)).toMatchObject({ firstRow: 0, rows: 2 });
    buffer.add(chunk(2, 1));
    buffer.add(chunk(3, 1));
    const page = buffer.take(2);
    expect([page?.rows, textOf(page?.pieces)]).toEqual([2, '["2"],\n["3"]']);
    expect([buffer.take(4), buffer.endRow]).toEqual([undefined, 4]);
  });

  it('returns the last page again, and forgets it with the next one', () => {
    const buffer = new PageBuffer();
    buffer.add(chunk(0, 1));
    const first = buffer.take(0);
    expect(buffer.take(0)).toEqual(first);
    buffer.add(chunk(1, 1));
    expect(buffer.take(0)).toEqual(first);
    expect(textOf(buffer.take(1)?.pieces)).toBe('["1"]');
    expect(buffer.take(0)).toBeUndefined();
    expect(buffer.bytes).toBe('["1"]'.length);
  });

  it('ends pages at about a mebibyte, at the end of a row, and is full with two', () => {
    const buffer = new PageBuffer();
    const rows = fill(buffer);
    expect(buffer.bytes).toBeLessThan(2.2 * PAGE_BYTES);
    let read = 0;
    for (;;) {
      const page = buffer.take(read);
      if (page === undefined) break;
      expect(page.bytes).toBeLessThanOrEqual(PAGE_BYTES);
      expect(JSON.parse(`[${textOf(page.pieces)}]`)).toHaveLength(page.rows);
      read += page.rows;
    }
    expect([read, buffer.isFull]).toEqual([rows, false]);
  });

  it('ends the first page earlier, so that a client has rows soon', () => {
    const buffer = new PageBuffer();
    fill(buffer);
    const first = buffer.take(0);
    expect(first?.bytes).toBeLessThanOrEqual(PAGE_BYTES / 4);
    expect(buffer.take(first?.rows ?? 0)?.bytes).toBeGreaterThan(PAGE_BYTES / 2);
  });

  it('keeps the pieces of a large row together', () => {
    const buffer = new PageBuffer();
    buffer.add({ rows: 0, bytes: Buffer.from(`["${'x'.repeat(3 * PAGE_BYTES)}`) });
    expect([buffer.isFull, buffer.take(0)]).toEqual([false, undefined]);
    buffer.add({ rows: 1, bytes: Buffer.from('y"]') });
    expect(buffer.isFull).toBe(true);
    expect(JSON.parse(textOf(buffer.take(0)?.pieces))[0]).toHaveLength(3 * PAGE_BYTES + 1);
  });

  it('does not share memory with its source', () => {
    const buffer = new PageBuffer();
    const { rows, bytes } = chunk(0, 1);
    buffer.add({ rows, bytes });
    bytes.fill(0);
    expect(textOf(buffer.take(0)?.pieces)).toBe('["0"]');
  });
});
