/** Time and frames of a page, so that the reader of a stream can be tested without one. */
export interface FrameClock {
  /** Milliseconds, as `performance.now()`. */
  now(): number;
  /** Resolves in the next frame, or soon in a page that is hidden and has no frames. */
  nextFrame(): Promise<void>;
}

/** Longest wait for a frame in milliseconds. */
const FRAME_TIMEOUT_MS = 50;

/** Resolves in a new task. Unlike a timer, a message is not delayed in a hidden page. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Returns the clock of this page. A page that becomes hidden while it waits for a frame goes on immediately. */
export function createPageClock(): FrameClock {
  return {
    now: () => performance.now(),
    nextFrame: () => {
      if (document.visibilityState === 'hidden') return nextTask();
      return new Promise((resolve) => {
        const go = () => {
          cancelAnimationFrame(frame);
          clearTimeout(timer);
          document.removeEventListener('visibilitychange', go);
          resolve();
        };
        const frame = requestAnimationFrame(go);
        // A page that is covered by another window is visible and may have no frames.
        const timer = setTimeout(go, FRAME_TIMEOUT_MS);
        document.addEventListener('visibilitychange', go);
      });
    },
  };
}

/**
 * Returns a function to await between pieces of work. It lets a frame pass when the work of this frame has taken `budgetMs`.
 */
export function createFrameBudget(clock: FrameClock, budgetMs: number): () => Promise<void> | undefined {
  let startedAt = clock.now();
  return () => {
    if (clock.now() - startedAt < budgetMs) return undefined;
    return clock.nextFrame().then(() => {
      startedAt = clock.now();
    });
  };
}
