import { createHash, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '@sluice/contract';
import { addressPrefix } from './address-prefix.ts';
import type { Clock } from './ports.ts';

interface OperatorGateOptions {
  readonly token: string;
  readonly now?: Clock;
}

/**
 * Checks the operator token. The right token always passes, also from an address with failures, because behind a proxy all clients may
 * share one address. Throws `unauthorized`, and `too_many_requests` after failures from one address. The length of the token protects it
 * from guessing; the delays only keep a client with a wrong token from filling the log.
 */
export type OperatorGate = (authorization: string | undefined, address: string) => void;

interface Failures {
  readonly count: number;
  readonly lastMs: number;
  readonly blockedUntilMs: number;
}

/** The delays of logins. Each process counts for itself, because an operator belongs to no tenant whose rows could store the counts. */
const FAILURES_FREE = 5;
const DELAY_FIRST_MS = 5000;
const DELAY_MAX_MS = 60_000;
const WINDOW_MS = 15 * 60_000;
const ADDRESSES_MAX = 10_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const refuse = (reason: string): ProblemError =>
  new ProblemError('unauthorized', `${reason} Send Authorization: Bearer <OPERATOR_TOKEN of this deployment>.`);

export function createOperatorGate({ token, now = Date.now }: OperatorGateOptions): OperatorGate {
  const expected = digest(token);
  const failures = new Map<string, Failures>();

  const refuseBlocked = (address: string): void => {
    const blockedMs = (failures.get(address)?.blockedUntilMs ?? 0) - now();
    if (blockedMs <= 0) return;
    const seconds = Math.ceil(blockedMs / 1000);
    throw new ProblemError('too_many_requests', `Too many failed attempts. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    });
  };

  const countFailure = (address: string): void => {
    const before = failures.get(address);
    const count = before === undefined || before.lastMs < now() - WINDOW_MS ? 1 : before.count + 1;
    const delayMs = Math.min(DELAY_MAX_MS, DELAY_FIRST_MS * 2 ** Math.min(20, count - FAILURES_FREE));
    const blockedUntilMs = count < FAILURES_FREE ? 0 : now() + delayMs;
    // A Map keeps the order of insertion, so the address with the oldest failure is removed first.
    failures.delete(address);
    const [oldest] = failures.keys();
    if (failures.size >= ADDRESSES_MAX && oldest !== undefined) failures.delete(oldest);
    failures.set(address, { count, lastMs: now(), blockedUntilMs });
  };

  return (authorization, address) => {
    if (authorization === undefined) throw refuse('The request carries no operator token.');
    const [, received = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
    // Digests have a constant length, so the comparison takes constant time.
    if (timingSafeEqual(digest(received), expected)) return;
    const prefix = addressPrefix(address);
    refuseBlocked(prefix);
    countFailure(prefix);
    throw refuse('The operator token is wrong.');
  };
}
