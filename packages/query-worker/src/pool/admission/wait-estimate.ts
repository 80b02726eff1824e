import type { Workers } from './workers.ts';

const SECONDS_UNKNOWN = 5;
const SECONDS_MAX = 30;
/** Weight of the newest value in the moving average. */
const NEWEST = 0.2;

/** Estimates for `Retry-After` when a request that is refused now would get a worker. */
export class WaitEstimate {
  readonly #slots: number;
  readonly #workers: Pick<Workers, 'startingUp'>;
  #heldMs: number | undefined;

  constructor(slots: number, workers: Pick<Workers, 'startingUp'>) {
    this.#slots = slots;
    this.#workers = workers;
  }

  /** Records how long a worker was held. */
  noteHeld(ms: number): void {
    this.#heldMs = this.#heldMs === undefined ? ms : this.#heldMs + (ms - this.#heldMs) * NEWEST;
  }

  /** Returns the seconds until a request behind this many others is served, by starting workers or by ending statements. */
  seconds(before: number): number {
    const { count, eachMs } = this.#workers.startingUp;
    const byStarts = count === 0 ? undefined : (Math.ceil((before + 1) / count) * eachMs) / 1000;
    const byEnds =
      this.#heldMs === undefined ? undefined : (Math.ceil((before + 1) / this.#slots) * this.#heldMs) / 1000;
    const known = [byStarts, byEnds].filter((seconds) => seconds !== undefined);
    if (known.length === 0) return SECONDS_UNKNOWN;
    return Math.min(SECONDS_MAX, Math.max(1, Math.ceil(Math.min(...known))));
  }
}
