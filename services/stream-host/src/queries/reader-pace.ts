/** Progress of a client that reads the body of a response. */
export interface Reader {
  readonly takenBytes: number;
  readonly isBehind: boolean;
}

export interface ReaderPaceLimits {
  /** A reader below this rate is slow. */
  readonly bytesPerSecond: number;
  /** Time over which the rate is measured. */
  readonly windowMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly takenBytes: number;
  readonly isBehind: boolean;
}

const SAMPLES = 12;
/** Share of samples in which the engine waited for the client. Below it, the client also waited for the engine. */
const BEHIND_SHARE = 0.9;

/** Read rate of a query's client. */
export class ReaderPace {
  readonly #reader: Reader;
  readonly #limits: ReaderPaceLimits;
  readonly #samples: Sample[] = [];

  constructor(reader: Reader, limits: ReaderPaceLimits) {
    this.#reader = reader;
    this.#limits = limits;
  }

  /** Takes a sample, unless the last one is recent. Call it several times per window. */
  sample(atMs: number): void {
    const { windowMs } = this.#limits;
    const last = this.#samples.at(-1);
    if (last !== undefined && atMs - last.atMs < windowMs / SAMPLES) return;
    const { takenBytes, isBehind } = this.#reader;
    this.#samples.push({ atMs, takenBytes, isBehind });
    // One sample older than the window is kept, so that the whole window is known.
    while ((this.#samples[1]?.atMs ?? atMs) <= atMs - windowMs) this.#samples.shift();
  }

  /** Bytes per second if the reader was slow for the whole window while the engine waited for it; otherwise undefined. */
  get slowBytesPerSecond(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < this.#limits.windowMs) return undefined;
    const behind = this.#samples.filter(({ isBehind }) => isBehind).length / this.#samples.length;
    const pace = ((last.takenBytes - first.takenBytes) * 1000) / (last.atMs - first.atMs);
    return behind >= BEHIND_SHARE && pace < this.#limits.bytesPerSecond ? pace : undefined;
  }
}
