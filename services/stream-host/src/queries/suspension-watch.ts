/** Period in which this process did not run, because the process or its machine was stopped. */
interface Suspension {
  /** Time when the process resumed, by `performance.now()`. */
  readonly endedMs: number;
  readonly durationMs: number;
}

export interface SuspensionWatch extends Disposable {
  /** Returns the longest suspension that ended after a time of `performance.now()`, or undefined. */
  since(momentMs: number): Suspension | undefined;
}

interface SuspensionWatchOptions {
  /** Least duration of a suspension: longer than any garbage collection or busy machine blocks the event loop. */
  readonly suspendedFromMs?: number;
  /** Clocks, which tests replace. The monotonic clock stops while a virtual machine is paused; the wall clock does not. */
  readonly monotonicMs?: () => number;
  readonly wallMs?: () => number;
}

const TICK_MS = 1_000;
const SUSPENDED_FROM_MS_DEFAULT = 10_000;
const SUSPENSIONS_MAX = 20;

/** Detects suspensions by the jump of a clock between two ticks. */
export function watchSuspension(options: SuspensionWatchOptions = {}): SuspensionWatch {
  const {
    suspendedFromMs = SUSPENDED_FROM_MS_DEFAULT,
    monotonicMs = () => performance.now(),
    wallMs = Date.now,
  } = options;
  const found: Suspension[] = [];
  let last = { monotonic: monotonicMs(), wall: wallMs() };

  const tick = (): void => {
    const next = { monotonic: monotonicMs(), wall: wallMs() };
    const durationMs = Math.max(next.monotonic - last.monotonic, next.wall - last.wall);
    last = next;
    if (durationMs < suspendedFromMs) return;
    found.push({ endedMs: next.monotonic, durationMs });
    if (found.length > SUSPENSIONS_MAX) found.shift();
  };

  const timer = setInterval(tick, TICK_MS).unref();
  return {
    since(momentMs) {
      // After a suspension this function may run before the timer.
      tick();
      return found.filter(({ endedMs }) => endedMs > momentMs).sort((a, b) => b.durationMs - a.durationMs)[0];
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
