import type { PooledWorker } from './workers.ts';

/** A statement counts as starting for this long, or until it ends: longer than a small query takes on a busy machine. */
const STARTING_MS = 25;

/** A granted request with its worker. Until its statement starts, the worker may be exchanged for another one of the same engine. */
export interface GrantedWorker {
  readonly engineKey: string;
  worker: PooledWorker;
}

interface StartTurn {
  readonly granted: GrantedWorker;
  readonly resolve: () => void;
}

/**
 * Limits how many statements start at once, and starts them on the workers that were used last. A granted request waits for its audit
 * record without using its worker. When several records become durable together, all their workers would run at once, each with cold
 * caches: twice the processor time for small queries on two processors (measured). Statements that run longer do not count, so they
 * delay others by at most `STARTING_MS`.
 */
export class StatementStarts {
  readonly #startingMax: number;
  readonly #unstarted = new Set<GrantedWorker>();
  readonly #starting = new Map<GrantedWorker, NodeJS.Timeout>();
  #turns: StartTurn[] = [];

  constructor(startingMax: number) {
    this.#startingMax = startingMax;
  }

  /** Registers a granted request. `end` must follow. */
  add(granted: GrantedWorker): void {
    this.#unstarted.add(granted);
  }

  /** Resolves when the statement may start, immediately if few are starting. Never rejects; `end` resolves it too. */
  async waitForTurn(granted: GrantedWorker): Promise<void> {
    if (this.#starting.size < this.#startingMax) this.#startTurn(granted);
    else await new Promise<void>((resolve) => this.#turns.push({ granted, resolve }));
  }

  /** Starts the statement, and gives it the worker that was used last of those that wait for their statements. */
  begin(granted: GrantedWorker): void {
    this.#unstarted.delete(granted);
    let warmest = granted;
    for (const other of this.#unstarted) {
      const { isAlive, engineKey, lastRunMs } = other.worker;
      if (isAlive && engineKey === granted.engineKey && lastRunMs > warmest.worker.lastRunMs) warmest = other;
    }
    const { worker } = warmest;
    warmest.worker = granted.worker;
    granted.worker = worker;
  }

  /** Must be called when the request has ended, also before its statement has started. */
  end(granted: GrantedWorker): void {
    this.#unstarted.delete(granted);
    const waiting = this.#turns.find((turn) => turn.granted === granted);
    if (waiting !== undefined) {
      this.#turns = this.#turns.filter((turn) => turn !== waiting);
      waiting.resolve();
    }
    this.#endTurn(granted);
  }

  #startTurn(granted: GrantedWorker): void {
    this.#starting.set(granted, setTimeout(() => this.#endTurn(granted), STARTING_MS).unref());
  }

  #endTurn(granted: GrantedWorker): void {
    clearTimeout(this.#starting.get(granted));
    if (!this.#starting.delete(granted)) return;
    const next = this.#turns.shift();
    if (next === undefined) return;
    this.#startTurn(next.granted);
    next.resolve();
  }
}
