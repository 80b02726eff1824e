import type { ExpiringValues } from '../expiring-values.ts';

/** Beyond so many the one that was put first goes: they may vanish at any time, and memory is not theirs to fill. */
const VALUES_MAX = 100_000;

export class InProcessValues implements ExpiringValues {
  readonly #values = new Map<string, { readonly value: string; readonly untilMs: number }>();

  async put(key: string, value: string, ttlMs: number): Promise<void> {
    this.#values.delete(key);
    this.#values.set(key, { value, untilMs: performance.now() + ttlMs });
    this.#dropOver();
  }

  async get(key: string): Promise<string | undefined> {
    const found = this.#values.get(key);
    if (found === undefined || found.untilMs > performance.now()) return found?.value;
    this.#values.delete(key);
    return undefined;
  }

  /** Oldest first, as long as they are over or too many; one that lives long keeps those behind it a while, no more. */
  #dropOver(): void {
    const now = performance.now();
    for (const [key, { untilMs }] of this.#values) {
      if (untilMs > now && this.#values.size <= VALUES_MAX) return;
      this.#values.delete(key);
    }
  }
}
