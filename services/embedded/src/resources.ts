/** What was opened, closed in reverse order. (Node 20 has no AsyncDisposableStack.) */
export interface Resources {
  add(close: () => Promise<unknown>): void;
  /** Closes everything, whatever fails on the way, and throws the first failure. A second call waits for the first. */
  close(): Promise<void>;
}

export function createResources(): Resources {
  const closers: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      await close().catch((failure: unknown) => failures.push(failure));
    }
    if (failures.length > 0) throw failures[0];
  };

  return {
    add: (close) => void closers.push(close),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
