/** How a client takes the body of a response. */
export interface Reader {
  readonly takenBytes: number;
  readonly isBehind: boolean;
}

export interface ReaderPaceLimits {
  /** A reader that takes less is slow. */
  readonly bytesPerSecond: number;
  /** Time over which it is measured. */
  readonly windowMs: number;
}

interface Sample {
  readonly atMs: number;
  readonly takenBytes: number;
  readonly isBehind: boolean;
}

const SAMPLES = 12;
/** A client that waits for the engine now and then is not what the engine waits for. */
const BEHIND_SHARE = 0.9;

/** How fast the client of a query takes its result. */
export class ReaderPace {
  readonly #reader: Reader;
  readonly #limits: ReaderPaceLimits;
  readonly #samples: Sample[] = [];

  constructor(reader: Reader, limits: ReaderPaceLimits) {
    this.#reader = reader;
    this.#limits = limits;
  }

  /** Takes a sample, unless the last one is young; to be called often. */
  sample(atMs: number): void {
    const { windowMs } = this.#limits;
    const last = this.#samples.at(-1);
    if (last !== undefined && atMs - last.atMs < windowMs / SAMPLES) return;
    const { takenBytes, isBehind } = this.#reader;
    this.#samples.push({ atMs, takenBytes, isBehind });
    // One sample older than the window is kept, so that the whole window is known.
    while ((this.#samples[1]?.atMs ?? atMs) <= atMs - windowMs) this.#samples.shift();
  }

  /** Bytes a second, where the reader was slow for the whole window and the engine waited for it; otherwise undefined. */
  get slowBytesPerSecond(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < this.#limits.windowMs) return undefined;
    const behind = this.#samples.filter(({ isBehind }) => isBehind).length / this.#samples.length;
    const pace = ((last.takenBytes - first.takenBytes) * 1000) / (last.atMs - first.atMs);
    return behind >= BEHIND_SHARE && pace < this.#limits.bytesPerSecond ? pace : undefined;
  }
}
