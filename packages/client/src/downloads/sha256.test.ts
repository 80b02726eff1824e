import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSha256 } from './sha256.ts';

it('equals the hash of Node.js for any bytes in any chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), (chunks) => {
      const hasher = createSha256();
      const expected = createHash('sha256');
      for (const chunk of chunks) {
        hasher.update(chunk);
        expected.update(chunk);
      }
      expect(hasher.digest()).toBe(expected.digest('hex'));
    }),
  );
});

it('has copies that go on from the same bytes and do not change each other', () => {
  const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const begin = 'x'.repeat(100);
  const hasher = createSha256();
  hasher.update(bytes(begin));
  expect(hasher.copy().digest()).toBe(hashOf(begin));
  const copy = hasher.copy();
  copy.update(bytes('a'.repeat(70)));
  hasher.update(bytes('b'));
  expect([copy.digest(), hasher.digest()]).toEqual([hashOf(begin + 'a'.repeat(70)), hashOf(`${begin}b`)]);
});
