import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealedFile } from './sealed-file.ts';

const IDENTITY = {
  tenantId: '11111111-1111-4111-8111-111111111111',
  queryId: '22222222-2222-4222-8222-222222222222',
};
const MIB = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-sealed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes content in pieces of odd sizes to a file with a name. */
async function write(content: Buffer, name: string): Promise<{ file: SealedFile; handle: FileHandle; sha256: Buffer }> {
  const handle = await open(join(folder, name), 'wx+');
  const file = await SealedFile.create(IDENTITY, async () => handle);
  for (let from = 0, size = 1; from < content.byteLength; from += size, size = (size * 7) % 400_009)
    await file.append(content.subarray(from, from + size));
  return { file, handle, sha256: await file.end() };
}

async function read(file: SealedFile, start: number, end: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file.read(start, end)) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a sealed file', () => {
  it.each([0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, MIB, MIB + 12_345])(
    'of %i bytes returns any part as it was written',
    async (bytes) => {
      const content = randomBytes(bytes);
      const { file, sha256 } = await write(content, `whole-${bytes}`);
      expect(file.bytes).toBe(bytes);
      expect(sha256.equals(createHash('sha256').update(content).digest())).toBe(true);
      const ends = [0, 1, bytes >> 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, bytes - 1, bytes];
      for (const start of ends)
        for (const end of ends) {
          if (start < 0 || end < start || end > bytes) continue;
          expect([start, end, (await read(file, start, end)).equals(content.subarray(start, end))]).toEqual([
            start,
            end,
            true,
          ]);
        }
      await file[Symbol.asyncDispose]();
    },
  );

  it('is only ciphertext on the disk', async () => {
    const { file } = await write(Buffer.from('the-very-secret-word,'.repeat(50_000)), 'secret');
    expect((await readFile(join(folder, 'secret'))).includes('secret')).toBe(false);
    await file[Symbol.asyncDispose]();
  });

  it('yields nothing of a chunk that was changed, moved or cut', async () => {
    const content = randomBytes(3 * 256 * 1024);
    const { file, handle } = await write(content, 'damaged');
    const record = 256 * 1024 + 16;
    const second = Buffer.alloc(record);
    await handle.read(second, 0, record, record);
    await handle.write(Buffer.from([(second[100] ?? 0) ^ 1]), 0, 1, record + 100);
    const seen: Buffer[] = [];
    const reading = (async () => {
      for await (const piece of file.read(0, content.byteLength)) seen.push(Buffer.from(piece));
    })();
    await expect(reading).rejects.toThrow('was changed, or belongs elsewhere');
    expect(Buffer.concat(seen).equals(content.subarray(0, 256 * 1024))).toBe(true);
    await handle.write(second, 0, record, 0);
    await expect(read(file, 0, 1)).rejects.toThrow('was changed, or belongs elsewhere');
    await handle.truncate(2 * record);
    await expect(read(file, 2 * 256 * 1024, content.byteLength)).rejects.toThrow('shorter than when it was written');
    await file[Symbol.asyncDispose]();
  });
});
