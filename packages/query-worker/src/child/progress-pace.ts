import type { JobProgress } from '../protocol/query-job.ts';

/** Nobody is told more often than once a second, so more of it would only fill the channel. */
const PACE_MS = 500;

/** Lets news of progress pass when something of it is new, and now and then only. */
export class ProgressPace {
  #last: JobProgress | undefined;
  #lastMs = 0;

  /** Another statement begins, of which nothing was told. */
  reset(): void {
    this.#last = undefined;
  }

  isNews(progress: JobProgress): boolean {
    const now = performance.now();
    const isTurn = this.#last?.isQueued !== progress.isQueued;
    const isMore = this.#last?.splitsDone !== progress.splitsDone || this.#last.splitsTotal !== progress.splitsTotal;
    if (!isTurn && !(isMore && now - this.#lastMs >= PACE_MS)) return false;
    this.#last = progress;
    this.#lastMs = now;
    return true;
  }
}
