import { expect, it } from '@jest/globals';
import { collectFile } from './collect-file.ts';

const MIB = 1024 * 1024;

it('returns every byte in order, and reports them as they arrive', async () => {
  const seen: number[] = [];
  async function* parts() {
    for (let part = 0; part < 20; part += 1) yield new Uint8Array(MIB).fill(part);
  }
  const file = await collectFile(parts(), 'text/csv', (bytes) => seen.push(bytes));
  expect([file.size, file.type, seen.length, seen.at(-1)]).toEqual([20 * MIB, 'text/csv', 20, 20 * MIB]);
  const bytes = new Uint8Array(await file.arrayBuffer());
  expect(Array.from({ length: 20 }, (_, part) => bytes[part * MIB + 5])).toEqual(
    Array.from({ length: 20 }, (_, part) => part),
  );
});

it('returns nothing if the parts end with an error', async () => {
  async function* parts() {
    yield new Uint8Array(3);
    throw new Error('cut');
  }
  await expect(collectFile(parts(), '', () => undefined)).rejects.toThrow('cut');
});
