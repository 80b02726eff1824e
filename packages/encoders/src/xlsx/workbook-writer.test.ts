import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import exceljs from 'exceljs';
import { LONG_STRING, ROW_MARK } from './cell-xml.ts';
import type { RowsChunk } from './rows-chunk.ts';
import { Spool } from './spool.ts';
import { type WorkbookResult, WorkbookWriter } from './workbook-writer.ts';

const row = (value: number | string): string =>
  `${ROW_MARK}${typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`}</row>`;

/** Splits rows into chunks of the given size. */
async function* chunks(rows: readonly (number | string)[], each: number): AsyncGenerator<RowsChunk> {
  for (let from = 0; from < rows.length; from += each) {
    const part = rows.slice(from, from + each);
    yield { rows: part.length, bytes: Buffer.from(part.map(row).join('')) };
  }
}

const count = (rows: number): number[] => Array.from({ length: rows }, (_, index) => index);

async function write(results: readonly WorkbookResult[], sheetRowsMax: number): Promise<Buffer> {
  const writer = new WorkbookWriter({ queryId: 'q', started: new Date(0), overflowBytesMax: 1_000_000, sheetRowsMax });
  const written: Uint8Array[] = [];
  const source = (async function* () {
    yield* results;
  })();
  for await (const bytes of writer.write(source)) written.push(bytes);
  return Buffer.concat([...written, writer.end()]);
}

async function read(file: Buffer): Promise<Readonly<Record<string, unknown[]>>> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(file as unknown as ArrayBuffer);
  return Object.fromEntries(
    workbook.worksheets.map((sheet) => {
      const values: unknown[] = [];
      sheet.eachRow((each) => values.push(each.getCell(1).value));
      return [sheet.name, values];
    }),
  );
}

const result = (name: string, rows: AsyncIterable<RowsChunk>): WorkbookResult => ({
  name,
  columns: [{ name: 'n', type: 'integer' }],
  rows,
  about: 'x'.repeat(40_000),
});

describe('WorkbookWriter', () => {
  it.each([1, 3, 4, 7, 100])('continues on another sheet where one is full, with chunks of %d rows', async (each) => {
    const sheets = await read(await write([result('numbers', chunks(count(10), each))], 5));
    expect(sheets).toMatchObject({
      numbers: ['n', 0, 1, 2, 3],
      'numbers (2)': ['n', 4, 5, 6, 7],
      'numbers (3)': ['n', 8, 9],
    });
    expect(Object.keys(sheets)).toEqual(['numbers', 'numbers (2)', 'numbers (3)', 'About']);
  });

  it('starts no further sheet when the last one is exactly full', async () => {
    expect(Object.keys(await read(await write([result('numbers', chunks(count(8), 3))], 5)))).toHaveLength(3);
  });

  it('gives every sheet a unique name that spreadsheets accept', async () => {
    const names = ['About', "'quoted'", 'a/b', 'A/B', 'x'.repeat(40), 'x'.repeat(41), '', 'History'];
    const sheets = await read(
      await write(
        names.map((name) => result(name, chunks([1], 1))),
        5,
      ),
    );
    expect(Object.keys(sheets)).toEqual([
      ...[
        'About (2)',
        'quoted',
        'a_b',
        'A_B (2)',
        'x'.repeat(31),
        `${'x'.repeat(27)} (2)`,
        'Sheet',
        'History (2)',
        'About',
      ],
    ]);
  });

  it('reads a large row in several pieces as one row', async () => {
    const whole = Buffer.from([row(1), row('y'.repeat(20_000)), row(2)].join(''));
    const pieces = async function* (): AsyncGenerator<RowsChunk> {
      const first = row(1).length;
      yield { rows: 1, bytes: whole.subarray(0, first) };
      const last = whole.length - row(2).length;
      for (let from = first; from < last; from += 7_000) {
        const end = Math.min(from + 7_000, last);
        yield { rows: end === last ? 1 : 0, bytes: whole.subarray(from, end) };
      }
      yield { rows: 1, bytes: whole.subarray(last) };
    };
    expect(await read(await write([result('pieces', pieces())], 3))).toMatchObject({
      pieces: ['n', 1, 'y'.repeat(20_000)],
      'pieces (2)': ['n', 2],
    });
  });

  it('throws storage_unavailable with its cause when the disk has no room for the long strings', async () => {
    const full = class extends Spool {
      override write = async (): Promise<void> => await writeFile('/dev/full', 'x');
    };
    const writer = new WorkbookWriter({
      queryId: 'q',
      started: new Date(0),
      overflowBytesMax: 1_000_000,
      openSpool: (bytesMax) => new full(bytesMax),
    });
    const long = `${LONG_STRING.open}${'x'.repeat(60_000)}${LONG_STRING.close}`;
    const source = (async function* () {
      yield result('long', chunks([long], 1));
    })();
    const written = (async () => {
      for await (const _ of writer.write(source));
    })();
    await expect(written).rejects.toMatchObject({ code: 'storage_unavailable', cause: { code: 'ENOSPC' } });
  });
});
