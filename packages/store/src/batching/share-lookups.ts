interface PendingLookup<T> {
  readonly result: Promise<T>;
  /** Lookup of later calls. It starts when `result` has settled, so its result is never older than those calls. */
  next: Promise<T> | undefined;
}

/**
 * Shares lookups between concurrent calls with equal arguments. A thousand requests of one user cost a few statements instead of a thousand
 * connections, for which they would wait longer than the time limit of a working database. No call gets a result that was looked up before
 * the call, so results are never stale. An error rejects all pending calls.
 */
export function shareLookups<A extends readonly string[], T>(
  find: (...parts: A) => Promise<T>,
): (...parts: A) => Promise<T> {
  const inFlight = new Map<string, PendingLookup<T>>();

  const start = (key: string, parts: A): Promise<T> => {
    const lookup: PendingLookup<T> = { result: find(...parts), next: undefined };
    inFlight.set(key, lookup);
    const remove = (): void => void inFlight.delete(key);
    const startNext = (): void => {
      if (lookup.next === undefined) remove();
    };
    lookup.result.then(startNext, remove);
    return lookup.result;
  };

  return (...parts) => {
    const key = JSON.stringify(parts);
    const lookup = inFlight.get(key);
    if (lookup === undefined) return start(key, parts);
    lookup.next ??= lookup.result.then(() => start(key, parts));
    return lookup.next;
  };
}
