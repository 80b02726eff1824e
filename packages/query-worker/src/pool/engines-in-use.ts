/** An engine counts as in use for this long after its last statement began. */
const IN_USE_MS = 5 * 60_000;

/** Engines that ran something lately, with the number of idle workers that each needs. */
export class EnginesInUse {
  readonly #warmEach: number;
  readonly #lastMs = new Map<string, number>();

  constructor(warmEach: number) {
    this.#warmEach = warmEach;
  }

  note(engineKey: string): void {
    this.#lastMs.set(engineKey, performance.now());
  }

  /** Idle workers that are missing, given the engines of those that are idle. */
  countMissing(idleKeys: readonly (string | undefined)[]): number {
    let missing = 0;
    for (const key of this.#inUse()) missing += Math.max(0, this.#warmEach - countOf(idleKeys, key));
    return missing;
  }

  /** Whether an idle worker of this engine is one of those that it should find. */
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
