/** A time in which this process did not run: stopped by a signal, or with its machine. */
export interface Suspension {
  /** When it went on, on the clock of `performance.now()`. */
  readonly endedMs: number;
  readonly durationMs: number;
}

export interface SuspensionWatch extends Disposable {
  /** The longest that ended after a moment of `performance.now()`; undefined where there is none. */
  since(momentMs: number): Suspension | undefined;
}

export interface SuspensionWatchOptions {
  /** Clocks; tests give their own. The monotonic one stands still while a virtual machine is paused, the other does not. */
  readonly monotonicMs?: () => number;
  readonly wallMs?: () => number;
}

const TICK_MS = 1_000;
/** No garbage collection and no busy machine keeps the event loop for as long. */
const SUSPENDED_FROM_MS = 10_000;
const SUSPENSIONS_MAX = 20;

/** Notices suspensions by the jump that a clock makes between two ticks. */
export function watchSuspension(options: SuspensionWatchOptions = {}): SuspensionWatch {
  const { monotonicMs = () => performance.now(), wallMs = Date.now } = options;
  const found: Suspension[] = [];
  let last = { monotonic: monotonicMs(), wall: wallMs() };

  const tick = (): void => {
    const next = { monotonic: monotonicMs(), wall: wallMs() };
    const durationMs = Math.max(next.monotonic - last.monotonic, next.wall - last.wall);
    last = next;
    if (durationMs < SUSPENDED_FROM_MS) return;
    found.push({ endedMs: next.monotonic, durationMs });
    if (found.length > SUSPENSIONS_MAX) found.shift();
  };

  const timer = setInterval(tick, TICK_MS).unref();
  return {
    since(momentMs) {
      // What goes on after a suspension may ask before the timer does.
      tick();
      return found.filter(({ endedMs }) => endedMs > momentMs).sort((a, b) => b.durationMs - a.durationMs)[0];
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
