import { createHash } from 'node:crypto';
import { ProblemError } from '@sluice/contract';
import type { ThrottleKey, ThrottlePolicy, Throttles } from './ports.ts';

/** 5 s after the fifth failure, then doubling to a minute at most: the true owner is never locked out for good. */
const POLICY: ThrottlePolicy = { delayFirstMs: 5000, delayMaxMs: 60_000, windowMs: 15 * 60_000 };
const ACCOUNT_FAILURES_FREE = 5;
/** Many people share one address behind a proxy, so an address has more room than an account. */
const ADDRESS_FAILURES_FREE = 100;

export interface ThrottledAttempt {
  readonly tenantId: string;
  readonly kind: 'user' | 'client';
  /** Undefined where nobody has said who it is yet: the address alone is counted. */
  readonly name?: string | undefined;
  readonly address: string;
}

/** One counter for the password login, Basic and client secrets, on both hosts, for known and unknown accounts alike. */
export interface LoginThrottle {
  /** What an attempt is counted under; the standing of the account tells for how long one of them is blocked. */
  keysOf(attempt: Omit<ThrottledAttempt, 'tenantId'>): readonly ThrottleKey[];
  /** Throws `too_many_requests` unless that is 0. */
  refuseBlocked(blockedMs: number): void;
  /** Counts the attempt as a failure before it is checked; throws `too_many_requests` when there is none left. */
  take(attempt: ThrottledAttempt): Promise<void>;
  /** The secret was right after all. */
  giveBack(attempt: ThrottledAttempt): Promise<void>;
}

// Hashed, since a name that was tried may be a password typed into the wrong field.
const accountKey = (kind: ThrottledAttempt['kind'], name: string): ThrottleKey => ({
  scope: 'account',
  key: createHash('sha256').update(`${kind}:${name.toLowerCase()}`).digest('base64url'),
  failuresFree: ACCOUNT_FAILURES_FREE,
});

const keysOf = ({ kind, name, address }: Omit<ThrottledAttempt, 'tenantId'>): readonly ThrottleKey[] => [
  ...(name === undefined ? [] : [accountKey(kind, name)]),
  { scope: 'address', key: address, failuresFree: ADDRESS_FAILURES_FREE },
];

const refuse = (blockedMs: number): void => {
  if (blockedMs <= 0) return;
  const seconds = Math.min(60, Math.max(1, Math.ceil(blockedMs / 1000)));
  throw new ProblemError('too_many_requests', `Too many failed attempts. Try again in ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
};

export function createLoginThrottle(store: Throttles): LoginThrottle {
  return {
    keysOf,
    refuseBlocked: refuse,
    take: async (attempt) => refuse(await store.take(attempt.tenantId, keysOf(attempt), POLICY)),
    giveBack: (attempt) => store.giveBack(attempt.tenantId, keysOf(attempt)),
  };
}
