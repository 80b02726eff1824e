import { expect, it } from '@jest/globals';
import { fieldChunks } from './fact-repository.ts';

it.each([0, 1, 4999, 5000, 5001, 12_000])(
  'fieldChunks splits %i fields in order, into chunks of at most 5000',
  (length) => {
    const fields = Array.from({ length }, (_, index) => index);
    const chunks = [...fieldChunks(fields)];
    expect(chunks.flat()).toEqual(fields);
    expect(chunks).toHaveLength(Math.ceil(length / 5000));
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(5000);
  },
);
