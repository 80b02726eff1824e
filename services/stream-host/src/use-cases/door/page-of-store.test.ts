import { beforeAll, describe, expect, it } from '@jest/globals';
import { ChunkCipher, newResultKey, ResultReader, ResultWriter } from '@sluice/result-store/form';
import { pageOfStore } from './page-of-store.ts';

const IDENTITY = {
  tenantId: '11111111-1111-4111-8111-111111111111',
  queryId: '22222222-2222-4222-8222-222222222222',
};
const HEADER = {
  columns: [{ name: 'n', type: 'varchar' }],
  fileTypes: ['VARCHAR'],
  ...{ engine: 'duckdb', ranAtMs: 1, timeZone: 'UTC', sqlSha256: 'ab' },
};
/** Several chunks. */
const ROWS = Array.from({ length: 50 }, (_, row) => `["${row}, ${'x'.repeat(100_000)}"]`);

/** Keeps rows as a worker sends them to a client of Trino, three in each event. */
async function kept(rows: readonly string[]): Promise<ResultReader> {
  const cipher = new ChunkCipher(newResultKey(), IDENTITY);
  const parts: Buffer[] = [];
  const writer = new ResultWriter({ cipher, header: HEADER, emit: (bytes) => void parts.push(Buffer.from(bytes)) });
  for (let row = 0; row < rows.length; row += 3) {
    const event = rows.slice(row, row + 3);
    await writer.add(event.length, Buffer.from(`${row === 0 ? '' : ',\n'}${event.join(',\n')}`));
  }
  await writer.end(false);
  const stored = Buffer.concat(parts);
  const bytes = { length: stored.byteLength, read: async (start: number, end: number) => stored.subarray(start, end) };
  return await ResultReader.open(bytes, cipher);
}

/** Reads all pages from a row on. */
async function readFrom(reader: ResultReader, from: number): Promise<readonly string[]> {
  const pages: string[] = [];
  for (let row: number | undefined = from; row !== undefined; ) {
    const page = await pageOfStore(reader, row);
    expect(page.columns).toEqual(HEADER.columns);
    pages.push(Buffer.concat(page.rows).toString('utf8'));
    row = page.nextRow;
  }
  return pages;
}

let reader: ResultReader;
beforeAll(async () => {
  reader = await kept(ROWS);
});

describe('the pages of a kept result', () => {
  it('have the bytes that were sent, from any row on', async () => {
    for (const from of [0, 1, 9, 10, 11, 12, 25, 49]) {
      const pages = await readFrom(reader, from);
      expect(pages.join(',\n') === ROWS.slice(from).join(',\n')).toBe(true);
    }
    expect((await readFrom(reader, 0)).length).toBeGreaterThan(3);
  });

  it('end after the last row, and have no rows beyond it', async () => {
    expect(await pageOfStore(reader, ROWS.length)).toEqual({ columns: HEADER.columns, rows: [], nextRow: undefined });
    expect(await pageOfStore(await kept([]), 0)).toEqual({ columns: HEADER.columns, rows: [], nextRow: undefined });
  });
});
