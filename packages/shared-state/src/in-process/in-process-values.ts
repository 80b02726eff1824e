import type { ExpiringValues } from '../expiring-values.ts';

/** Bounds the memory. Beyond this number the oldest value is dropped, which the contract allows. */
const VALUES_MAX = 100_000;

/** Expiring values of one process, in the order in which they were put. */
export class InProcessValues implements ExpiringValues {
  readonly #values = new Map<string, { readonly value: string; readonly untilMs: number }>();

  async put(key: string, value: string, ttlMs: number): Promise<void> {
    this.#values.delete(key);
    this.#values.set(key, { value, untilMs: performance.now() + ttlMs });
    this.#dropOldest();
  }

  async get(key: string): Promise<string | undefined> {
    const found = this.#values.get(key);
    if (found === undefined || found.untilMs > performance.now()) return found?.value;
    this.#values.delete(key);
    return undefined;
  }

  /** Drops values from the oldest on while they are expired or too many. A live value delays the removal of those behind it. */
  #dropOldest(): void {
    const now = performance.now();
    for (const [key, { untilMs }] of this.#values) {
      if (untilMs > now && this.#values.size <= VALUES_MAX) return;
      this.#values.delete(key);
    }
  }
}
