import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { bytesOf, HEADER, IDENTITY, rowText, storeRows } from '../../testing/memory-result.ts';
import { ChunkCipher, tenantKeyOf, unwrapResultKey, wrapResultKey } from './chunk-cipher.ts';
import type { Codec } from './codec.ts';
import { DamagedResultError } from './damaged-result.ts';
import { ResultKeyMismatchError } from './result-key-mismatch.ts';
import { ResultReader } from './result-reader.ts';
import { ResultWriter } from './result-writer.ts';
import { rowsOfList } from './rows-of-list.ts';
import { LENGTH_BYTES, ROW_BYTES_MAX } from './stored-form.ts';

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, id) => rowText(id));
const CODECS: readonly Codec[] =
  'zstdCompress' in process.getBuiltinModule('node:zlib') ? ['none', 'deflate', 'zstd'] : ['none', 'deflate'];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function readAll(reader: ResultReader, range?: { from: number; to: number }): Promise<string> {
  const texts: string[] = [];
  for await (const { firstRow, rows, list } of reader.chunks(range)) {
    const from = Math.max(0, (range?.from ?? 0) - firstRow);
    const to = Math.min(rows, (range?.to ?? Number.POSITIVE_INFINITY) - firstRow);
    texts.push(Buffer.from(rowsOfList(list, from, to)).toString('utf8'));
  }
  return texts.join(',');
}

/** Returns the records of a stored form, without the length at its end. */
function recordsOf(stored: Buffer): Buffer[] {
  const records: Buffer[] = [];
  for (let at = 0; at < stored.byteLength - LENGTH_BYTES; ) {
    const end = at + LENGTH_BYTES + stored.readUInt32LE(at);
    records.push(stored.subarray(at, end));
    at = end;
  }
  return records;
}

const joined = (records: readonly Buffer[], stored: Buffer): Buffer =>
  Buffer.concat([...records, stored.subarray(stored.byteLength - LENGTH_BYTES)]);

async function assertDamaged(stored: Buffer, cipher: ChunkCipher): Promise<void> {
  const reading = ResultReader.open(bytesOf(stored), cipher).then((reader) => readAll(reader));
  await expect(reading).rejects.toBeInstanceOf(DamagedResultError);
}

describe('the stored form', () => {
  it.each(CODECS)('returns the rows that were written, with %s', async (codec) => {
    const rows = numbered(70_000);
    const { stored, cipher } = await storeRows(rows, { codec });
    const reader = await ResultReader.open(bytesOf(stored), cipher);
    expect(reader.header).toEqual(HEADER);
    expect(await readAll(reader)).toBe(rows.join(','));
    const sha256 = createHash('sha256').update(rows.join(',')).digest('hex');
    expect(reader.end).toMatchObject({ rows: rows.length, limited: false, sha256 });
    expect(reader.end.rowBytes).toBe(Buffer.byteLength(rows.join(',')));
  });

  it('returns any rows of any chunk', async () => {
    const rows = numbered(60_000);
    const { stored, cipher } = await storeRows(rows);
    expect(recordsOf(stored).length).toBeGreaterThan(3);
    const reader = await ResultReader.open(bytesOf(stored), cipher);
    for (const [from, to] of [
      [0, 1],
      [59_999, 60_000],
      [59_999, 99_999],
      [20_000, 50_000],
      [33_333, 33_334],
      [5, 5],
    ] as const)
      expect(await readAll(reader, { from, to })).toBe(rows.slice(from, to).join(','));
    expect(await readAll(reader, { from: 60_000, to: 70_000 })).toBe('');
  });

  it('keeps an empty result', async () => {
    const { stored, cipher } = await storeRows([]);
    const reader = await ResultReader.open(bytesOf(stored), cipher);
    expect(reader.end.rows).toBe(0);
    expect(await readAll(reader)).toBe('');
  });

  it('keeps a large row that arrives in pieces, and rejects one that is too large', async () => {
    const cipher = new ChunkCipher(Buffer.alloc(32, 1), IDENTITY);
    const emitted: Uint8Array[] = [];
    const writer = new ResultWriter({ cipher, header: HEADER, emit: (bytes) => void emitted.push(bytes) });
    const large = `[1,"${'x'.repeat(3_000_000)}"]`;
    const rows = ['[0,"a"]', large, '[2,"b"]'];
    await writer.add(1, Buffer.from(rows[0] ?? ''));
    for (let from = 0; from < large.length; from += 262_144) {
      const piece = large.slice(from, from + 262_144);
      await writer.add(from + piece.length === large.length ? 1 : 0, Buffer.from(`${from === 0 ? ',' : ''}${piece}`));
    }
    await writer.add(1, Buffer.from(`,${rows[2]}`));
    await writer.end(false);
    const reader = await ResultReader.open(bytesOf(Buffer.concat(emitted)), cipher);
    expect((await readAll(reader)) === rows.join(',')).toBe(true);

    const other = new ResultWriter({ cipher, header: HEADER, emit: () => undefined });
    const piece = Buffer.alloc(1024 * 1024, 0x78);
    expect(() => {
      for (let bytes = 0; bytes <= ROW_BYTES_MAX; bytes += piece.byteLength) other.add(0, piece);
    }).toThrow('A row is larger than 16 MiB');
  });

  it('contains no text of the result', async () => {
    const { stored } = await storeRows(numbered(1_000), { codec: 'none' });
    for (const text of ['row 1', 'label', 'bigint', 'duckdb', 'aaaa']) expect(stored.includes(text)).toBe(false);
  });

  it('uses constant memory for a result of any size', async () => {
    const cipher = new ChunkCipher(Buffer.alloc(32, 1), IDENTITY);
    let bytes = 0;
    const writer = new ResultWriter({ cipher, header: HEADER, emit: ({ byteLength }) => (bytes += byteLength) });
    const some = Buffer.from(numbered(1_000).join(','));
    // Only what is still referenced counts: when the collector frees the rest depends on the machine.
    const referencedBytes = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = referencedBytes();
    let most = 0;
    for (let count = 0; count < 1_000; count += 1) {
      const full = writer.add(1_000, some);
      if (count % 250 === 249) most = Math.max(most, referencedBytes() - before);
      await full;
    }
    await writer.end(false);
    expect(bytes).toBeGreaterThan(50_000); // zstd of newer versions of Node.js makes little of rows that repeat
    expect(most).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a damaged result', () => {
  it('is detected for every changed byte and every shorter length of a small result', async () => {
    const { stored, cipher } = await storeRows(numbered(3), { codec: 'none' });
    for (let at = 0; at < stored.byteLength; at += 1) {
      const changed = Buffer.from(stored);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      // The header is read only while a result is written, and the end contains it again.
      if (at >= (recordsOf(stored)[0]?.byteLength ?? 0)) await assertDamaged(changed, cipher);
      await assertDamaged(stored.subarray(0, at), cipher);
    }
    await assertDamaged(Buffer.concat([stored, Buffer.from('x')]), cipher);
  });

  it('is detected for swapped, dropped, repeated and foreign chunks', async () => {
    const { stored, cipher, key } = await storeRows(numbered(90_000));
    const records = recordsOf(stored);
    const [header, first, second, ...rest] = records as [Buffer, Buffer, Buffer, ...Buffer[]];
    expect(rest.length).toBeGreaterThan(2);
    await assertDamaged(joined([header, second, first, ...rest], stored), cipher);
    await assertDamaged(joined([header, first, ...rest], stored), cipher);
    await assertDamaged(joined([header, first, first, ...rest], stored), cipher);
    await assertDamaged(joined(records.slice(0, -2).concat(records.slice(-1)), stored), cipher);

    const { queryId, tenantId } = IDENTITY;
    for (const identity of [
      { tenantId, queryId: '33333333-3333-4333-8333-333333333333' },
      { tenantId: '33333333-3333-4333-8333-333333333333', queryId },
    ]) {
      const foreign = await storeRows(numbered(90_000), { identity, key });
      await assertDamaged(foreign.stored, cipher);
      const foreignFirst = recordsOf(foreign.stored)[1] as Buffer;
      await assertDamaged(joined([header, foreignFirst, second, ...rest], stored), cipher);
    }
    const otherKey = await storeRows(numbered(90_000));
    await assertDamaged(joined([header, recordsOf(otherKey.stored)[1] as Buffer, second, ...rest], stored), cipher);
  });
});

describe('the wrapped key of a result', () => {
  it('is unwrapped with the key of its tenant and for its own result only', () => {
    const storeKey = Buffer.alloc(32, 7);
    const tenantKey = tenantKeyOf(storeKey, IDENTITY.tenantId);
    const key = Buffer.alloc(32, 9);
    const wrapped = wrapResultKey(tenantKey, key, IDENTITY);
    expect(unwrapResultKey(tenantKey, wrapped, IDENTITY).equals(key)).toBe(true);
    expect(wrapped.includes(key)).toBe(false);
    const otherTenantKey = tenantKeyOf(storeKey, '33333333-3333-4333-8333-333333333333');
    expect(() => unwrapResultKey(otherTenantKey, wrapped, IDENTITY)).toThrow(ResultKeyMismatchError);
    expect(() => unwrapResultKey(tenantKey, wrapped, { ...IDENTITY, queryId: 'other' })).toThrow(
      ResultKeyMismatchError,
    );
    expect(() => unwrapResultKey(tenantKey, wrapped.subarray(1), IDENTITY)).toThrow(DamagedResultError);
  });
});
