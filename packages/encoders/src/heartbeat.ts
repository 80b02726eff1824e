/** Stands between the items of a source while it has nothing to say. */
export const HEARTBEAT = Symbol('beat');

/**
 * Hands on the items of a source, and a beat each time it is silent for `intervalMs`, so that a waiting stream can still say
 * that it lives. The source stays its owner's: leaving early does not end it, since it may be in the middle of a long wait.
 */
export async function* withHeartbeat<T>(
  source: AsyncIterator<T>,
  intervalMs: number,
): AsyncGenerator<T | typeof HEARTBEAT> {
  let next = source.next();
  next.catch(() => undefined); // it is awaited below, but maybe only after a beat that nobody takes
  for (;;) {
    const step = await nextOrBeat(next, intervalMs);
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

async function nextOrBeat<T>(
  next: Promise<IteratorResult<T>>,
  intervalMs: number,
): Promise<IteratorResult<T> | typeof HEARTBEAT> {
  let timer: NodeJS.Timeout | undefined;
  const beat = new Promise<typeof HEARTBEAT>((resolve) => {
    timer = setTimeout(() => resolve(HEARTBEAT), intervalMs);
  });
  try {
    return await Promise.race([next, beat]);
  } finally {
    clearTimeout(timer);
  }
}
