import { totalmem } from 'node:os';
import { expect, it } from '@jest/globals';
import { workerSlots } from './worker-slots.ts';

it('returns the configured number of workers, or as many as fit into the memory, from 2 to 16 or four per processor', () => {
  expect(workerSlots({ workersMax: 40, workerMemoryBytes: totalmem() })).toBe(40);
  expect(workerSlots({ workersMax: undefined, workerMemoryBytes: totalmem() })).toBe(2);
  const unbounded = { workersMax: undefined, workerMemoryBytes: 1024 };
  expect([1, 2, 4, 16, 64].map((processors) => workerSlots(unbounded, processors))).toEqual([16, 16, 16, 64, 256]);
  const slots = workerSlots({ workersMax: undefined, workerMemoryBytes: 2 * 1024 ** 3 });
  expect(slots * 2 * 1024 ** 3).toBeLessThanOrEqual(Math.max(totalmem() * 0.75, 4 * 1024 ** 3));
});
