import type { Codec } from '../src/form/codec.ts';
import { ChunkCipher, newResultKey, type ResultBytes, type ResultIdentity } from '../src/form/index.ts';
import { ResultWriter } from '../src/form/result-writer.ts';
import type { ResultHeader } from '../src/form/stored-form.ts';

export const IDENTITY: ResultIdentity = {
  tenantId: '11111111-1111-4111-8111-111111111111',
  queryId: '22222222-2222-4222-8222-222222222222',
};

export const HEADER: ResultHeader = {
  columns: [
    { name: 'id', type: 'bigint' },
    { name: 'label', type: 'varchar' },
  ],
  fileTypes: ['BIGINT', 'VARCHAR'],
  engine: 'duckdb',
  ranAtMs: Date.UTC(2026, 10, 29),
  timeZone: 'UTC',
  sqlSha256: 'a'.repeat(64),
};

export const bytesOf = (stored: Buffer): ResultBytes => ({
  length: stored.byteLength,
  read: (start, end) => Promise.resolve(stored.subarray(start, end)),
});

/** Rows of `HEADER`, whose text repeats and contains what a reader of JSON could stumble over. */
export const rowText = (id: number): string => JSON.stringify([id, `row ${id}, "[{\\" ${'é'.repeat(id % 7)}`]);

interface StoredResult {
  readonly key: Buffer;
  readonly cipher: ChunkCipher;
  readonly stored: Buffer;
}

/** Writes rows, a few in each call, and returns the bytes of the stored form. */
export async function storeRows(
  rows: readonly string[],
  options: { readonly identity?: ResultIdentity; readonly key?: Buffer; readonly codec?: Codec } = {},
): Promise<StoredResult> {
  const { identity = IDENTITY, key = newResultKey(), codec } = options;
  const cipher = new ChunkCipher(key, identity);
  const emitted: Uint8Array[] = [];
  const writer = new ResultWriter({
    cipher,
    header: HEADER,
    emit: (bytes) => void emitted.push(bytes),
    ...(codec && { codec }),
  });
  for (let from = 0; from < rows.length; from += 100) {
    const some = rows.slice(from, from + 100);
    await writer.add(some.length, Buffer.from(`${from === 0 ? '' : ','}${some.join(',')}`));
  }
  await writer.end(false);
  return { key, cipher, stored: Buffer.concat(emitted) };
}
