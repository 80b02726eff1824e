import type { Workers } from './workers.ts';

const SECONDS_UNKNOWN = 5;
const SECONDS_MAX = 30;
/** Weight of the newest time in the moving average. */
const NEWEST = 0.2;

/** Estimates when a request that is refused now would find a worker, for `Retry-After`. */
export class WaitEstimate {
  readonly #slots: number;
  readonly #workers: Pick<Workers, 'startingUp'>;
  #heldMs: number | undefined;

  constructor(slots: number, workers: Pick<Workers, 'startingUp'>) {
    this.#slots = slots;
    this.#workers = workers;
  }

  /** A worker was held this long. */
  noteHeld(ms: number): void {
    this.#heldMs = this.#heldMs === undefined ? ms : this.#heldMs + (ms - this.#heldMs) * NEWEST;
  }

  /** The sooner of: workers that are starting serve those before it, or running statements end. */
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
