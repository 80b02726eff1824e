import { ProblemError } from '@sluice/contract';
import type { QueuedRequest } from './queued-request.ts';

/** A request waits this long for the shared state to come back, then it fails. */
const OUTAGE_MS = 1_500;

/** Whether the shared state answers. */
export class Outage {
  #current: { readonly sinceMs: number; readonly problem: ProblemError } | undefined;

  get isOn(): boolean {
    return this.#current !== undefined;
  }

  /** An outage begins with the first call that failed, however long that took. */
  note(answer: string | ProblemError, askedMs: number): void {
    if (!(answer instanceof ProblemError)) this.#current = undefined;
    else this.#current ??= { sinceMs: askedMs, problem: answer };
  }

  end(): void {
    this.#current = undefined;
  }

  rejectLongWaits(queue: readonly QueuedRequest[]): void {
    if (this.#current === undefined) return;
    const { sinceMs, problem } = this.#current;
    for (const request of queue) {
      const waitedMs = performance.now() - Math.max(sinceMs, request.joinedMs);
      if (request.state !== 'over' && !request.isBackground && waitedMs >= OUTAGE_MS) request.reject(problem);
    }
  }
}
