/** Subject by which failures are counted. `account_at_address`, `device` and `session` have a hard limit; the others only count. */
type ThrottleScope = 'account' | 'address' | 'account_at_address' | 'device' | 'session';

export interface ThrottleKey {
  readonly scope: ThrottleScope;
  readonly key: string;
}

export interface ThrottlePolicy {
  /** Failures before the first delay. */
  readonly failuresFree: number;
  /** Delay after the last free failure; each further failure doubles it. */
  readonly delayFirstMs: number;
  readonly delayMaxMs: number;
  /** Failures are forgotten this long after the last one. */
  readonly windowMs: number;
}

interface ThrottleState {
  readonly failures: number;
  /** Time since the last failure. */
  readonly ageMs: number;
  readonly blockedMs: number;
}

export type ThrottleStates = Readonly<Partial<Record<ThrottleScope, ThrottleState>>>;

/** `busy`: the number of attempts in progress has reached the number that may still fail. */
export type HoldOutcome =
  | { readonly kind: 'held'; readonly hold: string }
  | { readonly kind: 'blocked'; readonly blockedMs: number }
  | { readonly kind: 'busy' };

/** Counts of failed logins. */
export interface Throttles {
  /** Returns the deployment's key for the hashes of names. */
  hashKey(): Promise<Uint8Array>;
  /** Only keys that have failed are in the result. */
  findStates(tenantId: string, keys: readonly ThrottleKey[]): Promise<ThrottleStates>;
  /**
   * Counts an attempt while it is verified. Parallel guesses find the count used up, on all hosts. A hold that is not released ends at
   * `expiresMs` (epoch, by the clock of the database).
   */
  hold(
    tenantId: string,
    key: ThrottleKey,
    options: { expiresMs: number; policy: ThrottlePolicy },
  ): Promise<HoldOutcome>;
  /** Restores the state before the hold. */
  release(tenantId: string, key: ThrottleKey, hold: string): Promise<void>;
  /** Turns the hold, if there is one, into a failure of every key. Returns how long a key with a hard limit is blocked now. */
  countFailure(
    tenantId: string,
    keys: readonly ThrottleKey[],
    options: { hold?: string | undefined; policy: ThrottlePolicy },
  ): Promise<number>;
}
