/** Yielded between the items of a source that is silent. */
export const HEARTBEAT = Symbol('heartbeat');

/** A wait for the next item of a source. */
interface Wait {
  readonly dueMs: number;
  readonly onDue: () => void;
}

/** All waits of the process, with one timer: a stream of large results waits thousands of times a second, and hardly ever for long. */
const waits = new Set<Wait>();
let timer: NodeJS.Timeout | undefined;
let timerDueMs = Number.POSITIVE_INFINITY;

/** A timer that is late by this much was started by another clock, such as one that a test set: it may be late by its whole length. */
const LOST_AFTER_MS = 1000;

/** Resolves or rejects as `next` does, or resolves to HEARTBEAT if that takes longer than `intervalMs`. */
export function orHeartbeat<T>(next: Promise<T>, intervalMs: number): Promise<T | typeof HEARTBEAT> {
  return new Promise((resolve, reject) => {
    const nowMs = performance.now();
    const wait = { dueMs: nowMs + intervalMs, onDue: () => resolve(HEARTBEAT) };
    waits.add(wait);
    if (timerDueMs < nowMs - LOST_AFTER_MS) startTimer(nowMs);
    else if (wait.dueMs < timerDueMs) startTimer(wait.dueMs);
    next.then(
      (item) => {
        waits.delete(wait);
        resolve(item);
      },
      (reason: unknown) => {
        waits.delete(wait);
        reject(reason);
      },
    );
  });
}

/** The timer is not restarted when a wait ends, so it may find nothing due. */
function startTimer(dueMs: number): void {
  clearTimeout(timer);
  timerDueMs = dueMs;
  timer = setTimeout(onTimer, dueMs - performance.now());
  timer.unref(); // the last wait may have ended long before
}

function onTimer(): void {
  timerDueMs = Number.POSITIVE_INFINITY;
  const nowMs = performance.now();
  let nextMs = Number.POSITIVE_INFINITY;
  for (const wait of waits) {
    if (wait.dueMs > nowMs) {
      nextMs = Math.min(nextMs, wait.dueMs);
      continue;
    }
    waits.delete(wait);
    wait.onDue();
  }
  if (nextMs < timerDueMs) startTimer(nextMs);
}

/**
 * Passes on the items of a source, and yields HEARTBEAT each time the source is silent for `intervalMs`. The caller keeps
 * ownership of the source: returning early does not end it, because it may be in the middle of a long wait.
 */
export async function* withHeartbeat<T>(
  source: AsyncIterator<T>,
  intervalMs: number,
): AsyncGenerator<T | typeof HEARTBEAT> {
  let next = source.next();
  next.catch(() => undefined); // awaited below, but maybe only after a heartbeat that no consumer takes
  for (;;) {
    const step = await orHeartbeat(next, intervalMs);
    if (step === HEARTBEAT) {
      yield HEARTBEAT;
      continue;
    }
    if (step.done === true) return;
    yield step.value;
    next = source.next();
    next.catch(() => undefined);
  }
}
