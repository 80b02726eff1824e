/** Longest time that a loop may keep the thread: below the 50 ms of a long task (W3C Long Tasks), with room for the caller's work. */
const BUSY_MS = 10;

/** Resolves in a new task, so that timers, input and painting come first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}

/**
 * Returns a function to await between pieces of work. Bytes that have already arrived are read without leaving the task, so a fast
 * connection would otherwise block a page until the end of the result.
 */
export function createTaskBreaks(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < BUSY_MS) return undefined;
    return nextTask().then(() => {
      since = performance.now();
    });
  };
}
