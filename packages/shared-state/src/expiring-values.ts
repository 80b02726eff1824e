/** Small texts that may vanish at any time and do after their time. */
export interface ExpiringValues {
  /** Replaces what stood there. Rejects with `service_unavailable`. */
  put(key: string, value: string, ttlMs: number): Promise<void>;
  /** Undefined when it never was, is over or was lost. Rejects with `service_unavailable`. */
  get(key: string): Promise<string | undefined>;
}
