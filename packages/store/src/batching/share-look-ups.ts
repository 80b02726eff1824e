interface UnderWay<T> {
  readonly answer: Promise<T>;
  /** For those who asked since: it begins when `answer` is there, so that it is never older than their question. */
  next: Promise<T> | undefined;
}

/**
 * Lets those who ask the same at the same time share the answer: a thousand requests of one user cost a few statements instead of
 * a thousand connections, for which they would wait longer than a database that lives may take. Nobody gets an answer that was
 * looked up before they asked, so nothing is ever stale. A failure is told to all who wait.
 */
export function shareLookUps<A extends readonly string[], T>(
  find: (...parts: A) => Promise<T>,
): (...parts: A) => Promise<T> {
  const underWay = new Map<string, UnderWay<T>>();

  const start = (key: string, parts: A): Promise<T> => {
    const lookUp: UnderWay<T> = { answer: find(...parts), next: undefined };
    underWay.set(key, lookUp);
    const forget = (): void => void underWay.delete(key);
    const goOn = (): void => {
      if (lookUp.next === undefined) forget();
    };
    lookUp.answer.then(goOn, forget);
    return lookUp.answer;
  };

  return (...parts) => {
    const key = JSON.stringify(parts);
    const lookUp = underWay.get(key);
    if (lookUp === undefined) return start(key, parts);
    lookUp.next ??= lookUp.answer.then(() => start(key, parts));
    return lookUp.next;
  };
}
