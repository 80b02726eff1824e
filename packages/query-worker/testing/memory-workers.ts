import type { PooledWorker, Workers, WorkersClient } from '../src/pool/admission/workers.ts';

/** Workers that are ready immediately and run nothing, for tests of the order of grants. */
export class MemoryWorkers implements Workers {
  readonly canGrow: boolean = false;
  readonly startingUp = { count: 0, eachMs: 0 };
  #client: WorkersClient | undefined;
  #ready: number;

  readonly #engineKey: string | undefined;

  /** Creates workers. If `engineKey` is given, they serve that engine only. */
  constructor(count: number, engineKey?: string) {
    this.#ready = count;
    this.#engineKey = engineKey;
  }

  get ready(): number {
    return this.#ready;
  }

  connect(client: WorkersClient): void {
    this.#client = client;
  }

  tryAcquire(engineKey: string): PooledWorker | undefined {
    if (this.#ready === 0 || engineKey !== (this.#engineKey ?? engineKey)) return undefined;
    this.#ready -= 1;
    return {
      isAlive: true,
      engineKey: undefined,
      lastRunMs: -1,
      wasLostBeforeFirstFrame: false,
      run: () => {
        throw new Error('A MemoryWorkers worker runs no jobs.');
      },
    };
  }

  release(): boolean {
    this.#ready += 1;
    return true;
  }

  countReady(): number {
    return this.#ready;
  }

  fill(): void {
    this.#client?.onReady();
  }
}
