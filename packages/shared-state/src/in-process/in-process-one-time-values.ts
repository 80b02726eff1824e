import type { OneTimeValue, OneTimeValues } from '../one-time-values.ts';

interface Entry extends OneTimeValue {
  readonly untilMs: number;
}

/** One-time values of one process. Expired values are removed before each new one. */
export class InProcessOneTimeValues implements OneTimeValues {
  readonly #entries = new Map<string, Entry>();
  readonly #groups = new Map<string, Set<string>>();

  async put(value: OneTimeValue, limits: Parameters<OneTimeValues['put']>[1]): Promise<boolean> {
    this.#removeExpired();
    const group = this.#groups.get(value.group) ?? new Set();
    if (group.size >= limits.groupMax) return false;
    this.#groups.set(value.group, group.add(value.key));
    this.#entries.set(value.key, { ...value, untilMs: performance.now() + limits.ttlMs });
    return true;
  }

  async read(key: string): Promise<string | undefined> {
    const entry = this.#entries.get(key);
    return entry === undefined || entry.untilMs <= performance.now() ? undefined : entry.value;
  }

  async take({ key, group }: Pick<OneTimeValue, 'key' | 'group'>): Promise<string | undefined> {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.group !== group) return undefined;
    this.#remove(entry);
    return entry.untilMs <= performance.now() ? undefined : entry.value;
  }

  #removeExpired(): void {
    const now = performance.now();
    for (const entry of this.#entries.values()) if (entry.untilMs <= now) this.#remove(entry);
  }

  #remove({ key, group }: Entry): void {
    this.#entries.delete(key);
    const keys = this.#groups.get(group);
    keys?.delete(key);
    if (keys?.size === 0) this.#groups.delete(group);
  }
}
