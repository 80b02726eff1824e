import type { PooledWorker, Workers } from './workers.ts';

interface Replacement {
  readonly engineKey: string;
  readonly resolve: (worker: PooledWorker) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Leases that wait for another worker because theirs was lost before it began. They keep their slots, so they precede all requests
 * that wait for one.
 */
export class Replacements {
  readonly #workers: Workers;
  readonly #waiting = new Set<Replacement>();

  constructor(workers: Workers) {
    this.#workers = workers;
  }

  get enginesWanted(): readonly string[] {
    return [...this.#waiting].map(({ engineKey }) => engineKey);
  }

  /** Waits for a worker. Rejects with the signal's reason when it aborts, and with a problem when workers do not start. */
  acquire(engineKey: string, signal: AbortSignal): Promise<PooledWorker> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => replacement.reject(signal.reason);
      const end = (): void => {
        this.#waiting.delete(replacement);
        signal.removeEventListener('abort', onAbort);
      };
      const replacement: Replacement = {
        engineKey,
        resolve: (worker) => {
          end();
          resolve(worker);
        },
        reject: (reason) => {
          end();
          reject(reason);
        },
      };
      this.#waiting.add(replacement);
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      else this.#workers.fill();
    });
  }

  /**
   * Assigns ready workers, in the order in which the leases lost theirs. The last one is left to requests while another one is
   * starting or can be started: a statement that costs a worker must not cost others theirs.
   */
  serve(): void {
    for (const replacement of this.#waiting) {
      const isLast = this.#workers.canGrow && this.#workers.countReady(replacement.engineKey) < 2;
      const worker = isLast ? undefined : this.#workers.tryAcquire(replacement.engineKey);
      if (worker !== undefined) replacement.resolve(worker);
    }
  }

  /** Returns whether a lease was waiting. */
  rejectFirst(problem: unknown): boolean {
    const [first] = this.#waiting;
    first?.reject(problem);
    return first !== undefined;
  }

  rejectAll(problem: unknown): void {
    while (this.rejectFirst(problem));
  }
}
