import { expect, it } from '@jest/globals';
import { TIMEOUTS, TIMING } from './timing.ts';

it('no lease of a live host expires before its silence is noticed', () => {
  expect(TIMING.silenceMs).toBeLessThanOrEqual(TIMING.leaseMs - 2 * TIMING.heartbeatMs);
});

it('every host reports what it holds before slots are granted again', () => {
  expect(TIMING.graceMs).toBeGreaterThanOrEqual(2 * TIMING.heartbeatMs);
  expect(TIMING.graceMs).toBeGreaterThanOrEqual(TIMING.heartbeatMs + TIMEOUTS.commandMs + TIMEOUTS.reconnectMs);
});
