/** Map of the most recently used entries. The least recently used one is dropped when there are too many. */
export class RecentEntries<V> {
  readonly #entriesMax: number;
  readonly #onDropped: (value: V) => void;
  /** A Map keeps the order of insertion, so the least recently used entry comes first. */
  readonly #entries = new Map<string, V>();

  constructor(entriesMax: number, onDropped: (value: V) => void = () => undefined) {
    this.#entriesMax = entriesMax;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  /** Adds an entry whose key is not present. */
  add(key: string, value: V): void {
    this.#entries.set(key, value);
    const [oldest] = this.#entries;
    if (this.#entries.size <= this.#entriesMax || oldest === undefined) return;
    this.#entries.delete(oldest[0]);
    this.#onDropped(oldest[1]);
  }

  /** Drops every entry. */
  clear(): void {
    const values = [...this.#entries.values()];
    this.#entries.clear();
    for (const value of values) this.#onDropped(value);
  }
}
