import { ProblemError } from '@sluice/contract/problems';
import type { QueuedRequest } from './queued-request.ts';

/** Time that a request waits for an unavailable shared state before it fails. */
const WAIT_MS = 1_500;

/** Outage of the shared state, as its calls report it. */
export class Outage {
  #current: { readonly sinceMs: number; readonly problem: ProblemError } | undefined;

  get isOn(): boolean {
    return this.#current !== undefined;
  }

  /** Records the result of a call. An outage begins when the first failed call was sent. */
  note(result: string | ProblemError, sentMs: number): void {
    if (!(result instanceof ProblemError)) this.#current = undefined;
    else this.#current ??= { sinceMs: sentMs, problem: result };
  }

  end(): void {
    this.#current = undefined;
  }

  rejectLongWaits(queue: readonly QueuedRequest[]): void {
    if (this.#current === undefined) return;
    const { sinceMs, problem } = this.#current;
    for (const request of queue) {
      const waitedMs = performance.now() - Math.max(sinceMs, request.joinedMs);
      if (request.state !== 'over' && !request.isBackground && waitedMs >= WAIT_MS) request.reject(problem);
    }
  }
}
