/** Timing of heartbeats and leases. That no slot is granted twice after a loss of data depends on the ratios of these numbers. */
export const TIMING = {
  /** Interval at which each host renews its leases. */
  heartbeatMs: 1_000,
  /** A lease that is not renewed for this long expires: its host has died. */
  leaseMs: 6_000,
  /**
   * Time without a heartbeat that counts as an outage of Redis. It is shorter than a lease minus two heartbeats, so that no lease of a
   * live host expires unnoticed: otherwise a slot could be granted that another request still holds.
   */
  silenceMs: 4_000,
  /** Time after an outage or a loss of data in which no slots are granted, so that the hosts can report what they hold. */
  graceMs: 2_500,
} as const;

/** Timeouts of a connection. The defaults of ioredis wait forever. */
export const TIMEOUTS = {
  connectMs: 1_000,
  commandMs: 1_000,
  /** A connection that has a pending command and receives nothing for this long is dropped. */
  silentSocketMs: 2_500,
  /** Delay between two attempts to connect. */
  reconnectMs: 300,
} as const;
