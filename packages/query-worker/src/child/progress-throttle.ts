import type { EngineProgress } from '@sluice/engine';

/** Clients receive progress at most once a second, so more frames would only fill the channel. */
const INTERVAL_MS = 500;

/** Limits how often progress is sent: on every change of state, and on new counts at most once per interval. */
export class ProgressThrottle {
  #last: EngineProgress | undefined;
  #lastMs = 0;

  /** Starts over for the next statement. */
  reset(): void {
    this.#last = undefined;
  }

  shouldSend(progress: EngineProgress): boolean {
    const now = performance.now();
    const hasNewState = this.#last?.isQueued !== progress.isQueued;
    const hasNewCounts =
      this.#last?.splitsDone !== progress.splitsDone || this.#last.splitsTotal !== progress.splitsTotal;
    if (!hasNewState && !(hasNewCounts && now - this.#lastMs >= INTERVAL_MS)) return false;
    this.#last = progress;
    this.#lastMs = now;
    return true;
  }
}
