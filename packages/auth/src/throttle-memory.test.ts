import { describe, expect, it } from '@jest/globals';
import { createThrottleMemory } from './throttle-memory.ts';

const startMemory = () => {
  const clock = { nowMs: 0 };
  return { clock, memory: createThrottleMemory({ windowMs: 60_000, now: () => clock.nowMs }) };
};

describe('createThrottleMemory', () => {
  it('counts failures until none has happened for the length of the window', () => {
    const { clock, memory } = startMemory();
    memory.addFailure('a');
    clock.nowMs = 60_000;
    memory.addFailure('a');
    expect([memory.failuresOf('a'), memory.failuresOf('b')]).toEqual([2, 0]);
    clock.nowMs = 120_001;
    expect(memory.failuresOf('a')).toBe(0);
    memory.addFailure('a');
    expect(memory.failuresOf('a')).toBe(1);
  });

  it('returns the rest of a block for a second, after which the database is queried again', () => {
    const { clock, memory } = startMemory();
    memory.addBlock('key', 5000);
    clock.nowMs = 1000;
    expect(memory.blockedMs('key')).toBe(4000);
    clock.nowMs = 1001;
    expect(memory.blockedMs('key')).toBe(0);
    memory.addBlock('short', 10);
    clock.nowMs = 1500;
    expect([memory.blockedMs('short'), memory.blockedMs('unknown')]).toEqual([0, 0]);
  });

  it('removes the oldest of more than 10,000 entries', () => {
    const { memory } = startMemory();
    for (let index = 0; index <= 10_000; index += 1) memory.addFailure(`prefix ${index}`);
    expect([0, 1, 10_000].map((index) => memory.failuresOf(`prefix ${index}`))).toEqual([0, 1, 1]);
  });
});
