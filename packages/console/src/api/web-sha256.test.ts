import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createSha256 as createNodeSha256 } from '../../../audit/src/node-sha256.ts';
import { createSha256 } from './web-sha256.ts';

it('hashes as the module that it replaces', () => {
  const parts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 200 })));
  fc.assert(
    fc.property(parts, (each) => {
      const hashes = [createSha256(), createNodeSha256()];
      for (const hash of hashes) for (const part of each) hash.update(part);
      const [web, node] = hashes.map((hash) => Buffer.from(hash.digest()).toString('hex'));
      expect(web).toBe(node);
    }),
    { numRuns: 50 },
  );
});
