import { expect, it } from '@jest/globals';
import { watchSuspension } from './suspension-watch.ts';

it('reports the longest gap of either clock, and none in a busy process', () => {
  const clock = { monotonic: 0, wall: 1_000_000 };
  using watch = watchSuspension({ monotonicMs: () => clock.monotonic, wallMs: () => clock.wall });
  const pass = (monotonic: number, wall = monotonic): void => {
    clock.monotonic += monotonic;
    clock.wall += wall;
  };
  pass(9_000);
  expect(watch.since(0)).toBeUndefined();
  pass(25_000);
  expect(watch.since(0)).toEqual({ endedMs: 34_000, durationMs: 25_000 });
  // A paused virtual machine: only the wall clock advances.
  pass(10, 60_000);
  expect(watch.since(0)).toEqual({ endedMs: 34_010, durationMs: 60_000 });
  expect(watch.since(34_005)).toEqual({ endedMs: 34_010, durationMs: 60_000 });
  expect(watch.since(34_010)).toBeUndefined();
  // A wall clock that is set back.
  pass(1_000, -3_600_000);
  expect(watch.since(34_010)).toBeUndefined();
});
