import { describe, expect, it } from '@jest/globals';
import { DATE_MARK, ROW_MARK } from './cell-xml.ts';
import { writeDateCells } from './date-cells.ts';
import type { RowsChunk } from './rows-chunk.ts';

/** Writes values as cells in pieces of `size` bytes, and returns the cells and the counts. */
async function write(values: readonly string[], timeZone: string, size = Number.POSITIVE_INFINITY) {
  const row = `${ROW_MARK}${values.map((value) => `${DATE_MARK.open}${value}${DATE_MARK.close}`).join('')}</row>`;
  const bytes = Buffer.from(row);
  const pieces = (async function* (): AsyncGenerator<RowsChunk> {
    for (let at = 0; at < bytes.length; at += size)
      yield { rows: at + size < bytes.length ? 0 : 1, bytes: bytes.subarray(at, at + size) };
  })();
  const counts = { rounded: 0, text: 0 };
  let [xml, rows] = ['', 0];
  for await (const piece of writeDateCells(pieces, timeZone, counts)) {
    xml += Buffer.from(piece.bytes).toString();
    rows += piece.rows;
  }
  return { xml, rows, counts };
}

/** Returns the local time of a cell, or its text. */
function cellOf(xml: string): string {
  const [, serial] = /<v>(.*)<\/v>/.exec(xml) ?? [];
  const [, text = ''] = /<t>(.*)<\/t>/.exec(xml) ?? [];
  return serial === undefined
    ? text
    : new Date(Math.round((Number(serial) - 25_569) * 86_400_000)).toISOString().slice(0, -1);
}

describe('writeDateCells', () => {
  it.each([
    ['2024-07-01 12:00:00 UTC', 'Europe/Berlin', '2024-07-01T14:00:00.000'],
    ['2024-07-01 12:00:00 UTC', 'utc', '2024-07-01T12:00:00.000'],
    ['2024-07-01 12:00:00.123456789999 +05:30', 'UTC', '2024-07-01T06:30:00.123'],
    ['2024-07-01 12:00:00 America/New_York', 'Asia/Kolkata', '2024-07-01T21:30:00.000'],
    ['2024-03-31 03:00:00 Europe/Berlin', 'UTC', '2024-03-31T01:00:00.000'],
    ['2024-10-27 02:30:00 Europe/Berlin', 'Europe/Berlin', '2024-10-27T02:30:00.000'],
    ['2024-10-27 02:30:00 Europe/Berlin', 'UTC', '2024-10-27 02:30:00 Europe/Berlin'],
    ['2024-03-31 02:30:00 Europe/Berlin', 'UTC', '2024-03-31 02:30:00 Europe/Berlin'],
    ['2024-10-27 03:00:00 Europe/Berlin', 'UTC', '2024-10-27T02:00:00.000'],
    ['2024-01-01 00:00:00 Mars/Olympus', 'UTC', '2024-01-01 00:00:00 Mars/Olympus'],
    ['0050-01-01 00:00:00 Europe/Berlin', 'UTC', '0050-01-01 00:00:00 Europe/Berlin'],
    ['9999-12-31 23:30:00 UTC', 'Europe/Berlin', '9999-12-31 23:30:00 UTC'],
    ['1910-01-01 00:00:00 +00:53:28', 'UTC', '1909-12-31T23:06:32.000'],
    ['-infinity', 'UTC', '-infinity'],
  ])('writes %s in %s as %s', async (value, timeZone, expected) => {
    const { xml, counts } = await write([value], timeZone);
    expect(cellOf(xml)).toBe(expected);
    expect(counts.text).toBe(expected === value ? 1 : 0);
  });

  it('writes the same cells whatever the pieces of a large row are', async () => {
    const values = ['2024-02-29', '12:00:00.0005', '2024-02-29 12:00:00', 'infinity', '2024-02-29 12:00:00.1 UTC'];
    const whole = await write(values, 'Asia/Tokyo');
    expect(whole.xml.match(/<c s="\d"/g)).toEqual(['<c s="1"', '<c s="6"', '<c s="2"', '<c s="4"', '<c s="2"']);
    expect(whole.counts).toEqual({ rounded: 1, text: 1 });
    for (let size = 1; size < 90; size += 1) expect(await write(values, 'Asia/Tokyo', size)).toEqual(whole);
  });
});
