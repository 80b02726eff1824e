import { totalmem } from 'node:os';
import { expect, it } from '@jest/globals';
import { workerSlots } from './worker-slots.ts';

it('returns the configured number of workers, or as many as fit into the memory, between 2 and 16', () => {
  expect(workerSlots({ workersMax: 40, workerMemoryBytes: totalmem() })).toBe(40);
  expect(workerSlots({ workersMax: undefined, workerMemoryBytes: totalmem() })).toBe(2);
  expect(workerSlots({ workersMax: undefined, workerMemoryBytes: 1024 })).toBe(16);
  const slots = workerSlots({ workersMax: undefined, workerMemoryBytes: 2 * 1024 ** 3 });
  expect(slots * 2 * 1024 ** 3).toBeLessThanOrEqual(Math.max(totalmem() * 0.75, 4 * 1024 ** 3));
});
