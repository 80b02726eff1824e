import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowBytes } from './row-bytes.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** Returns the chunks of a statement with one VARCHAR column, and the same strings as the library reads them. */
async function chunksOf(sql: string): Promise<readonly (readonly [DuckDBDataChunk, readonly string[]])[]> {
  const result = await connection.stream(sql);
  const chunks: (readonly [DuckDBDataChunk, readonly string[]])[] = [];
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    chunks.push([chunk, chunk.getColumnValues(0).map(String)]);
  }
  return chunks;
}

/** The C API does not guarantee the layout of DuckDB's strings: these tests compare it byte for byte with what the library reads. */
describe('RowBytes', () => {
  it.each([
    [
      'as long as fits inline and around it',
      "SELECT repeat('é', i % 8) || repeat('x', i % 3) FROM range(5000) AS r(i)",
    ],
    ['long ones, one after the other', "SELECT 'a longer text, number ' || i FROM range(5000) AS r(i)"],
    ['mixed', "SELECT repeat('ab', (i * 7919) % 40) FROM range(10000) AS r(i)"],
    ['all empty', "SELECT '' FROM range(3000)"],
    ['one constant for all rows', "SELECT 'the very same long text for all rows' FROM range(3000)"],
    ['from a dictionary', "SELECT ['short', 'a rather long text', ''][1 + i % 3] FROM range(3000) AS r(i)"],
    ['large', "SELECT repeat('0123456789', 30000 + i::INTEGER) FROM range(3) AS r(i)"],
    ['one row', "SELECT 'single'"],
    ['with NUL', "SELECT 'a' || chr(0) || repeat('b', i % 20) FROM range(100) AS r(i)"],
  ])('returns exactly the bytes of strings: %s', async (_, sql) => {
    for (const [chunk, strings] of await chunksOf(sql)) {
      const rows = new RowBytes(chunk);
      expect(rows.rows).toBe(strings.length);
      const target = Buffer.alloc(strings.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
      rows.copy(0, rows.rows, target);
      expect(target.equals(Buffer.from(strings.join('')))).toBe(true);
      for (const index of [0, 1, strings.length - 1].filter((row) => row < strings.length)) {
        expect(rows.byteLength(index)).toBe(Buffer.byteLength(strings[index] ?? ''));
        expect(Buffer.from(rows.view(index)).toString('utf8')).toBe(strings[index]);
      }
    }
  });

  it('copies any part of a chunk, and returns how many rows fit', async () => {
    const [first] = await chunksOf("SELECT repeat('x', (i * 31) % 30) FROM range(2048) AS r(i)");
    if (first === undefined) throw new Error('There is no chunk');
    const [chunk, strings] = first;
    const rows = new RowBytes(chunk);
    fc.assert(
      fc.property(fc.nat(strings.length - 1), fc.nat(strings.length), fc.nat(4_000), (from, end, bytesMax) => {
        const fit = rows.rowsWithin(from, bytesMax, end);
        const expected = strings.slice(from, from + fit.rows).join('');
        expect(fit.bytes).toBe(expected.length);
        expect(fit.bytes).toBeLessThanOrEqual(bytesMax);
        const next = from + fit.rows;
        if (next < end) expect(fit.bytes + (strings[next] ?? '').length).toBeGreaterThan(bytesMax);
        const target = Buffer.alloc(fit.bytes);
        rows.copy(from, fit.rows, target);
        expect(target.toString('latin1')).toBe(expected);
      }),
    );
  });
});
