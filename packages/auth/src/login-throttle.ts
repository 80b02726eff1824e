import { createHash, createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { signInProblem } from '@sluice/contract';
import { addressPrefix } from './address-prefix.ts';
import type { Clock, HoldOutcome, ThrottleKey, ThrottlePolicy, ThrottleStates, Throttles } from './ports.ts';
import { createThrottleMemory, type ThrottleMemory } from './throttle-memory.ts';

/** 5 s after the fifth failure, then doubled up to a minute. */
export const THROTTLE_POLICY: ThrottlePolicy = {
  failuresFree: 5,
  delayFirstMs: 5000,
  delayMaxMs: 60_000,
  windowMs: 15 * 60_000,
};
/** Failures of an account from all addresses, and of an address in all accounts, after which attempts are delayed. */
const ACCOUNT_FAILURES_FREE = 20;
const ADDRESS_FAILURES_FREE = 100;
const DELAY_MS = 1000;
/** Logins at identity providers that are delayed at a time. They are counted by address only. */
const DELAYED_MAX = 200;
/** Time after which an attempt that is neither verified nor released no longer counts. */
const HOLD_MS = 3000;

export interface ThrottledAttempt {
  readonly tenantName: string;
  readonly kind: 'user' | 'client';
  readonly name: string;
  readonly address: string;
  readonly deviceCookie?: string | undefined;
  /** Id of a valid session. */
  readonly sessionId?: string | undefined;
}

export interface AttemptKeys {
  readonly prefix: string;
  readonly account: ThrottleKey;
  readonly address: ThrottleKey;
  readonly accountAtAddress: ThrottleKey;
  readonly device?: ThrottleKey;
  readonly session?: ThrottleKey;
}

/** Key by which an attempt is limited: its session or device if it belongs to the account, else account and address. */
export interface AttemptLane {
  readonly key: ThrottleKey;
  readonly isKnown: boolean;
}

/** Throttle of the password login, Basic and client secrets on both hosts. It treats known and unknown accounts alike. */
export interface LoginThrottle {
  /** Memory of this host, which saves database queries. */
  readonly memory: ThrottleMemory;
  keysOf(attempt: ThrottledAttempt): Promise<AttemptKeys>;
  /** Throws `too_many_requests` unless the time is 0. */
  refuseBlocked(blockedMs: number): void;
  /** Returns the constant delay of an attempt by an unknown client. */
  delayMs(states: ThrottleStates): number;
  /** Counts an attempt while it is verified. `databaseMs` is the present time of the database. Throws `too_many_requests`. */
  hold(tenantId: string, lane: AttemptLane, databaseMs: number): Promise<Exclude<HoldOutcome, { kind: 'blocked' }>>;
  /** Releases an attempt that succeeded or was not verified. Never throws: a hold that cannot be released expires. */
  release(tenantId: string, lane: AttemptLane, hold: string): Promise<void>;
  countFailure(tenantId: string, attempt: { keys: AttemptKeys; lane: AttemptLane; hold: string }): Promise<void>;
  /** Delays a login at an identity provider, which has no account yet, if many logins from the address have failed. */
  delayAddress(tenantId: string, address: string): Promise<void>;
  countAddressFailure(tenantId: string, address: string): Promise<void>;
}

const refuse = (blockedMs: number): void => {
  if (blockedMs <= 0) return;
  const seconds = Math.min(60, Math.max(1, Math.ceil(blockedMs / 1000)));
  throw signInProblem('too_many_requests', 'too_many_failures', {
    values: { seconds: String(seconds) },
    retryAfterSeconds: seconds,
  });
};

const addressKey = (address: string): ThrottleKey => ({ scope: 'address', key: addressPrefix(address) });

const delayOf = ({ account, address }: ThrottleStates): number => {
  const isOver = (state: typeof account, free: number) =>
    state !== undefined && state.ageMs < THROTTLE_POLICY.windowMs && state.failures >= free;
  return isOver(account, ACCOUNT_FAILURES_FREE) || isOver(address, ADDRESS_FAILURES_FREE) ? DELAY_MS : 0;
};

/** Creates the delay of logins at identity providers. Rejects instead of delaying more than `DELAYED_MAX` clients. */
function createDelay(): (delayMs: number) => Promise<void> {
  let delayed = 0;
  return async (delayMs) => {
    if (delayMs === 0) return;
    if (delayed >= DELAYED_MAX) refuse(DELAY_MS);
    delayed += 1;
    await wait(delayMs).finally(() => {
      delayed -= 1;
    });
  };
}

export function createLoginThrottle(store: Throttles, now: Clock = Date.now): LoginThrottle {
  const memory = createThrottleMemory({ windowMs: THROTTLE_POLICY.windowMs, now });
  const delay = createDelay();
  return {
    memory,
    async keysOf({ tenantName, kind, name, address, deviceCookie, sessionId }) {
      const hashKey = await store.hashKey();
      // A keyed hash, because the name may be a password that was typed into the wrong field.
      const hash = (...suffix: string[]) => {
        const parts = [tenantName, kind, name.toLowerCase(), ...suffix];
        return createHmac('sha256', hashKey).update(JSON.stringify(parts)).digest('base64url');
      };
      const prefix = addressPrefix(address);
      const device = deviceCookie && createHash('sha256').update(deviceCookie).digest('hex');
      return {
        prefix,
        account: { scope: 'account', key: hash() },
        address: addressKey(address),
        accountAtAddress: { scope: 'account_at_address', key: hash(prefix) },
        ...(device ? { device: { scope: 'device', key: device } } : {}),
        ...(sessionId === undefined ? {} : { session: { scope: 'session', key: sessionId } }),
      };
    },
    refuseBlocked: refuse,
    delayMs: delayOf,
    async hold(tenantId, { key }, databaseMs) {
      // In the time of the database: a statement that it runs late, after it hung, then holds nothing.
      const expiresMs = databaseMs + HOLD_MS;
      const outcome = await store.hold(tenantId, key, { expiresMs, policy: THROTTLE_POLICY });
      if (outcome.kind !== 'blocked') return outcome;
      memory.addBlock(key.key, outcome.blockedMs);
      refuse(Math.max(1, outcome.blockedMs));
      return { kind: 'busy' };
    },
    release: (tenantId, { key }, hold) => store.release(tenantId, key, hold).catch(() => undefined),
    async countFailure(tenantId, { keys, lane, hold }) {
      const counted = lane.isKnown ? [lane.key] : [keys.account, keys.accountAtAddress, keys.address];
      if (!lane.isKnown) memory.addFailure(keys.prefix);
      const blockedMs = await store.countFailure(tenantId, counted, { hold, policy: THROTTLE_POLICY });
      if (blockedMs > 0) memory.addBlock(lane.key.key, blockedMs);
    },
    async delayAddress(tenantId, address) {
      await delay(delayOf(await store.findStates(tenantId, [addressKey(address)])));
    },
    async countAddressFailure(tenantId, address) {
      await store.countFailure(tenantId, [addressKey(address)], { policy: THROTTLE_POLICY });
    },
  };
}
