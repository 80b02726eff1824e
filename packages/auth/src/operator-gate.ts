import { createHash, timingSafeEqual } from 'node:crypto';
import { ProblemError } from '@sluice/contract';
import { addressPrefix } from './address-prefix.ts';
import type { Clock } from './ports.ts';

export interface OperatorGateOptions {
  readonly token: string;
  readonly now?: Clock;
}

/**
 * Lets who holds the operator's token pass, whoever else failed from the same address: behind a proxy that is one of all. Throws
 * `unauthorized`, and `too_many_requests` after failures from one address. Delays would not keep a token from being guessed, which its
 * length does; they keep a client that shows a wrong one from filling the log.
 */
export type OperatorGate = (authorization: string | undefined, address: string) => void;

interface Failures {
  readonly count: number;
  readonly lastMs: number;
  readonly blockedUntilMs: number;
}

/** The same delays as those of log-ins, but that they are counted by each process: no tenant's rows could hold them. */
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
    // A Map keeps the order of insertion, so the address that failed longest ago is forgotten first.
    failures.delete(address);
    const [oldest] = failures.keys();
    if (failures.size >= ADDRESSES_MAX && oldest !== undefined) failures.delete(oldest);
    failures.set(address, { count, lastMs: now(), blockedUntilMs });
  };

  return (authorization, address) => {
    if (authorization === undefined) throw refuse('The request carries no operator token.');
    const [, shown = ''] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
    // Digests have one length, whatever was sent, and comparing them takes one time.
    if (timingSafeEqual(digest(shown), expected)) return;
    const prefix = addressPrefix(address);
    refuseBlocked(prefix);
    countFailure(prefix);
    throw refuse('The operator token is wrong.');
  };
}
