import { expect, it } from '@jest/globals';
import type { Operation } from './operation.ts';
import { streamOperations } from './stream-operations.ts';

it('every operation of the stream host that needs a credential takes Basic, on which clients without a session rely', () => {
  const guarded = Object.values<Operation>(streamOperations).filter(({ credentials }) => credentials.length > 0);
  expect(guarded.length).toBeGreaterThan(20);
  expect(guarded.filter(({ credentials }) => !credentials.includes('basic'))).toEqual([]);
});
