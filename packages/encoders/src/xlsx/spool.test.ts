import type { FileHandle } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { openNameless, Spool } from './spool.ts';

/** Opens a file whose calls write and read only half of what they are given, as on a disk that is full for a moment. */
async function openHalving(): Promise<FileHandle> {
  const file = await openNameless();
  const half = (bytes: number): number => Math.ceil(bytes / 2);
  const [write, read] = [file.write.bind(file), file.read.bind(file)];
  return Object.assign(file, {
    write: (bytes: Buffer, from: number, length: number, to: number) => write(bytes, from, half(length), to),
    read: (buffer: Buffer, at: number, length: number, from: number) => read(buffer, at, half(length), from),
  });
}

it('returns every byte when the file takes and returns only a part at a time', async () => {
  await using spool = new Spool(1_000_000, openHalving);
  const parts = ['first', 'é'.repeat(5_000), 'last'];
  for (const part of parts) await spool.write(part);
  const read: Uint8Array[] = [];
  for await (const bytes of spool.read()) read.push(bytes);
  expect(Buffer.concat(read).toString()).toBe(parts.join(''));
});

it('throws the error of a write that follows a partial one', async () => {
  const openFilling = async (): Promise<FileHandle> => {
    const file = await openHalving();
    const { write } = file;
    let writes = 0;
    return Object.assign(file, {
      write: (...values: Parameters<typeof write>) => {
        writes += 1;
        return writes === 1 ? write(...values) : Promise.reject(new Error('ENOSPC'));
      },
    });
  };
  await using spool = new Spool(1_000_000, openFilling);
  await expect(spool.write('more than one byte')).rejects.toThrow('ENOSPC');
});
