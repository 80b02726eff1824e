/** Yielded between the items of a source that is silent. */
export const HEARTBEAT = Symbol('heartbeat');

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
    const step = await nextOrHeartbeat(next, intervalMs);
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

async function nextOrHeartbeat<T>(
  next: Promise<IteratorResult<T>>,
  intervalMs: number,
): Promise<IteratorResult<T> | typeof HEARTBEAT> {
  let timer: NodeJS.Timeout | undefined;
  const heartbeat = new Promise<typeof HEARTBEAT>((resolve) => {
    timer = setTimeout(() => resolve(HEARTBEAT), intervalMs);
  });
  try {
    return await Promise.race([next, heartbeat]);
  } finally {
    clearTimeout(timer);
  }
}
