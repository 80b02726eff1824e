/** How the hosts and Redis keep time. What is proven of lost state rests on how these numbers stand to each other. */
export const TIMING = {
  /** Each host renews what it holds so often. */
  heartbeatMs: 1_000,
  /** What was not renewed for so long is over: its host is gone. */
  leaseMs: 6_000,
  /**
   * When no host was heard for so long, Redis was away. Shorter than a lease without two beats, so that no lease of a living host
   * runs out unnoticed: were it longer, a place could be given away that somebody still holds.
   */
  silenceMs: 4_000,
  /** After it was away, or lost what it knew, so long nobody gets a place: the hosts come back first, and say what they hold. */
  graceMs: 2_500,
} as const;

/** How a connection waits. Defaults wait for ever. */
export const TIMEOUTS = {
  connectMs: 1_000,
  commandMs: 1_000,
  /** A connection from which nothing came for so long, though something was asked, is dropped. */
  silentSocketMs: 2_500,
  /** Between two attempts to connect. */
  reconnectMs: 300,
} as const;
