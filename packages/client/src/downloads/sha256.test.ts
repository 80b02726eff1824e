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
