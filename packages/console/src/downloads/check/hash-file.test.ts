import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { hashFile } from './hash-file.ts';

it('hashes a file part by part, and reports the bytes', async () => {
  const content = new Uint8Array(3_000_000).map((_, index) => index % 251);
  let bytes = 0;
  let parts = 0;
  // Node.js 20 reads each part of a Blob at once.
  const file = new Blob([content.subarray(0, 1_000_000), content.subarray(1_000_000)]);
  const sha256 = await hashFile(file, (added) => {
    bytes += added;
    parts += 1;
  });
  expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
  expect(bytes).toBe(content.length);
  expect(parts).toBeGreaterThan(1);
});
