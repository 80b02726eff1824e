/** Time after the start of its last statement during which an engine counts as in use. */
const IN_USE_MS = 5 * 60_000;

/** Recently used engines, and the number of idle workers that each should keep. */
export class EnginesInUse {
  readonly #warmEach: number;
  readonly #lastMs = new Map<string, number>();

  constructor(warmEach: number) {
    this.#warmEach = warmEach;
  }

  note(engineKey: string): void {
    this.#lastMs.set(engineKey, performance.now());
  }

  /** Returns how many idle workers are missing, given the engines of the idle ones. */
  countMissing(idleKeys: readonly (string | undefined)[]): number {
    let missing = 0;
    for (const key of this.#inUse()) missing += Math.max(0, this.#warmEach - countOf(idleKeys, key));
    return missing;
  }

  /** Returns whether an idle worker of this engine should be kept. */
  needs(engineKey: string | undefined, idleKeys: readonly (string | undefined)[]): boolean {
    if (engineKey === undefined || !this.#inUse().includes(engineKey)) return false;
    return countOf(idleKeys, engineKey) <= this.#warmEach;
  }

  #inUse(): readonly string[] {
    const since = performance.now() - IN_USE_MS;
    for (const [key, lastMs] of this.#lastMs) if (lastMs < since) this.#lastMs.delete(key);
    return [...this.#lastMs.keys()];
  }
}

const countOf = (keys: readonly (string | undefined)[], key: string): number =>
  keys.filter((each) => each === key).length;
