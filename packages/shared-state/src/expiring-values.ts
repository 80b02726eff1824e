/** Short strings that expire after their time to live and may be lost earlier. */
export interface ExpiringValues {
  /** Sets or replaces a value. Rejects with `service_unavailable`. */
  put(key: string, value: string, ttlMs: number): Promise<void>;
  /** Returns a value, or undefined when it is unknown, expired or lost. Rejects with `service_unavailable`. */
  get(key: string): Promise<string | undefined>;
}
