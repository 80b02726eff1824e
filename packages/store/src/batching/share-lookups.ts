interface PendingLookup<T> {
  readonly answer: Promise<T>;
  /** For those who asked since: it begins when `answer` is there, so that it is never older than their question. */
  next: Promise<T> | undefined;
}

/**
 * Lets those who ask the same at the same time share the answer: a thousand requests of one user cost a few statements instead of
 * a thousand connections, for which they would wait longer than a database that lives may take. Nobody gets an answer that was
 * looked up before they asked, so nothing is ever stale. A failure is told to all who wait.
 */
export function shareLookups<A extends readonly string[], T>(
  find: (...parts: A) => Promise<T>,
): (...parts: A) => Promise<T> {
  const underWay = new Map<string, PendingLookup<T>>();

  const start = (key: string, parts: A): Promise<T> => {
    const lookup: PendingLookup<T> = { answer: find(...parts), next: undefined };
    underWay.set(key, lookup);
    const forget = (): void => void underWay.delete(key);
    const startNext = (): void => {
      if (lookup.next === undefined) forget();
    };
    lookup.answer.then(startNext, forget);
    return lookup.answer;
  };

  return (...parts) => {
    const key = JSON.stringify(parts);
    const lookup = underWay.get(key);
    if (lookup === undefined) return start(key, parts);
    lookup.next ??= lookup.answer.then(() => start(key, parts));
    return lookup.next;
  };
}
