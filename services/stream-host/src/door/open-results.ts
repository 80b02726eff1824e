import { type Principal, ProblemError } from '@sluice/contract';
import type { KeptResultStore } from '@sluice/store/queries';
import type { OpenResult } from './open-result.ts';

interface OpenResultsDependencies {
  readonly hostId: string;
  readonly records: Pick<KeptResultStore, 'listAsked'>;
  /** Time without a request for a page after which a statement is cancelled, and the rows of an ended one are forgotten. */
  readonly waitMs: number;
}

/**
 * Memory for the rows of ended statements, on one host. Running ones are bounded by the workers, each with two pages. Beyond it, the rows
 * are forgotten that are in the store, and then those that no client has asked for the longest.
 */
const ENDED_BYTES_MAX = 32 * 1024 * 1024;
/** Memory of a result besides its rows, rounded up. */
const RESULT_BYTES = 4 * 1024;
/** Age of the last known request from which on the database is asked for requests to other hosts. */
const ASK_AFTER_SHARE = 0.25;
/** Time for stopped statements to record their outcomes before their host ends. */
const STOP_TIMEOUT_MS = 3_000;
const STOP_CHECK_MS = 20;

/** Results of the statements of Trino clients whose rows this host makes, or has made and still holds. */
export class OpenResults {
  readonly #dependencies: OpenResultsDependencies;
  readonly #byId = new Map<string, OpenResult>();

  constructor(dependencies: OpenResultsDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#byId.size;
  }

  add(result: OpenResult): void {
    this.#byId.set(result.id, result);
    this.#forgetEnded();
  }

  /** Returns a result of an account, and notes that it is wanted. */
  find(id: string, account: Principal): OpenResult | undefined {
    const result = this.#byId.get(id);
    if (result === undefined || !result.isOf(account)) return undefined;
    result.wantedMs = performance.now();
    return result;
  }

  /** Forgets a result that its client has closed. A running one stays until it has ended. */
  close(id: string, account: Principal): void {
    const result = this.find(id, account);
    if (result !== undefined && !result.isRunning) this.#byId.delete(id);
  }

  /**
   * Cancels statements for whose pages no client has asked within the wait, on any host, and forgets ended ones. Call it periodically. While
   * the database cannot be read, the requests to this host count. Throws the error of the database.
   */
  async removeAbandoned(): Promise<void> {
    const { waitMs } = this.#dependencies;
    try {
      await this.#noteOtherHosts();
    } finally {
      const overdueMs = performance.now() - waitMs;
      for (const result of this.#byId.values()) {
        if (result.wantedMs > overdueMs) continue;
        if (result.isRunning) result.stop(abandoned(waitMs));
        else this.#byId.delete(result.id);
      }
      this.#forgetEnded();
    }
  }

  /** Stops all statements, for the end of this host, and waits a short time for their outcomes. */
  async stopAll(reason: ProblemError): Promise<void> {
    for (const result of this.#byId.values()) result.stop(reason);
    const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
    while (this.#running().length > 0 && performance.now() < deadlineMs)
      await new Promise((resolve) => setTimeout(resolve, STOP_CHECK_MS));
  }

  async #noteOtherHosts(): Promise<void> {
    const { hostId, records, waitMs } = this.#dependencies;
    const since = performance.now() - waitMs * ASK_AFTER_SHARE;
    if (!this.#running().some(({ wantedMs }) => wantedMs < since)) return;
    const listed = await records.listAsked(hostId);
    const nowMs = performance.now();
    for (const { queryId, agoMs } of listed) {
      const result = this.#byId.get(queryId);
      if (result !== undefined) result.wantedMs = Math.max(result.wantedMs, nowMs - agoMs);
    }
  }

  #running(): readonly OpenResult[] {
    return [...this.#byId.values()].filter(({ isRunning }) => isRunning);
  }

  #forgetEnded(): void {
    const ended = [...this.#byId.values()].filter(({ isRunning }) => !isRunning);
    let bytes = ended.reduce((sum, result) => sum + result.bytes + RESULT_BYTES, 0);
    if (bytes <= ENDED_BYTES_MAX) return;
    ended.sort((one, other) => Number(other.isKept) - Number(one.isKept) || one.wantedMs - other.wantedMs);
    for (const result of ended) {
      if (bytes <= ENDED_BYTES_MAX) return;
      bytes -= result.bytes + RESULT_BYTES;
      this.#byId.delete(result.id);
    }
  }
}

const abandoned = (waitMs: number): ProblemError => {
  const wait = waitMs % 1_000 === 0 ? `${waitMs / 1_000} s` : `${waitMs} ms`;
  return new ProblemError('query_cancelled', `No client asked for a page within ${wait}, so the query was cancelled.`, {
    engineError: { name: 'ABANDONED_QUERY', code: 2, type: 'USER_ERROR' },
  });
};
