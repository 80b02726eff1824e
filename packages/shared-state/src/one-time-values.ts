/** A value that can be taken once. */
export interface OneTimeValue {
  readonly key: string;
  /** Owner of the value, whose number of values is limited. */
  readonly group: string;
  readonly value: string;
}

interface OneTimeLimits {
  readonly ttlMs: number;
  /** Maximum number of values of the group that are neither taken nor expired. */
  readonly groupMax: number;
}

/** Strings that one caller can take, until they expire. They may be lost earlier. Every method rejects with `service_unavailable`. */
export interface OneTimeValues {
  /** Stores a value under a new key. Returns false, and stores nothing, while the group is full. */
  put(value: OneTimeValue, limits: OneTimeLimits): Promise<boolean>;
  /** Returns a value without taking it, or undefined when it is unknown, taken, expired or lost. */
  read(key: string): Promise<string | undefined>;
  /** Removes a value of the group and returns it. Of several concurrent calls, on any host, only one receives it. */
  take(entry: Pick<OneTimeValue, 'key' | 'group'>): Promise<string | undefined>;
}
