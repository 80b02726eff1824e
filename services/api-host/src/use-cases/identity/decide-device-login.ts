import { type Clock, hashUserCode, type LoginThrottle, readUserCode, THROTTLE_POLICY } from '@sluice/auth';
import { type ProblemError, signInProblem, type ThrottleKey, type Throttles } from '@sluice/contract';
import type { DeviceAuthorization, DeviceAuthorizationStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { BrowserSession } from './find-browser-session.ts';

export interface DeviceLoginInput {
  /** Code as the user typed it. */
  readonly userCode: string;
  /** Session of that user. */
  readonly session: BrowserSession;
}

export interface FoundDeviceLogin extends DeviceAuthorization {
  /** Code without hyphen. */
  readonly userCode: string;
}

/** Looks a code up. Throws `invalid_request` for a wrong one, and `too_many_requests` after some wrong ones of the user. */
type FindDeviceLogin = (caller: Pick<AnonymousCaller, 'tenant'>, input: DeviceLoginInput) => Promise<FoundDeviceLogin>;

/** Approves or denies the login of a device. Throws the errors of `FindDeviceLogin`. */
type DecideDeviceLogin = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  input: DeviceLoginInput & { readonly decision: 'approved' | 'denied' },
) => Promise<DeviceAuthorization>;

interface DecideDeviceLoginDependencies {
  readonly devices: Pick<DeviceAuthorizationStore, 'findPending' | 'decide'>;
  readonly throttles: Pick<Throttles, 'hashKey' | 'hold' | 'countFailure'>;
  readonly throttle: Pick<LoginThrottle, 'refuseBlocked' | 'release'>;
  readonly now: Clock;
}

/** `Retry-After` for a user with too many attempts in progress. */
const BUSY_MS = 1000;
/** An attempt takes milliseconds. The rest lets the clocks of host and database differ. */
const HOLD_MS = 60_000;

/** Wrong codes count by account: only a user who is signed in can try one, and another session or address does not start again. */
const throttleKey = ({ account }: BrowserSession): ThrottleKey => ({
  scope: 'session',
  key: `user code ${account.id}`,
});

const unknownCode = (): ProblemError => signInProblem('invalid_request', 'user_code_unknown');

export function createFindDeviceLogin(dependencies: DecideDeviceLoginDependencies): FindDeviceLogin {
  const { devices, throttles, throttle, now } = dependencies;

  /** Counts an attempt before its code is looked up, so that parallel guesses do not bypass the limit. Throws `too_many_requests`. */
  const hold = async (tenantId: string, key: ThrottleKey): Promise<string> => {
    const outcome = await throttles.hold(tenantId, key, { expiresMs: now() + HOLD_MS, policy: THROTTLE_POLICY });
    if (outcome.kind === 'held') return outcome.hold;
    const blockedMs = outcome.kind === 'blocked' ? outcome.blockedMs : BUSY_MS;
    throttle.refuseBlocked(blockedMs);
    throw unknownCode();
  };

  const findPending = async (tenantId: string, typed: string): Promise<FoundDeviceLogin | undefined> => {
    const userCode = readUserCode(typed);
    if (userCode === undefined) return undefined;
    const found = await devices.findPending(tenantId, hashUserCode(await throttles.hashKey(), userCode));
    return found && { ...found, userCode };
  };

  return async ({ tenant }, { userCode, session }) => {
    const key = throttleKey(session);
    const held = await hold(tenant.id, key);
    let found: FoundDeviceLogin | undefined;
    try {
      found = await findPending(tenant.id, userCode);
    } catch (thrown) {
      await throttle.release(tenant.id, { key, isKnown: true }, held);
      throw thrown;
    }
    if (found === undefined) {
      await throttles.countFailure(tenant.id, [key], { hold: held, policy: THROTTLE_POLICY });
      throw unknownCode();
    }
    await throttle.release(tenant.id, { key, isKnown: true }, held);
    return found;
  };
}

export function createDecideDeviceLogin(dependencies: DecideDeviceLoginDependencies): DecideDeviceLogin {
  const { devices, throttles } = dependencies;
  const find = createFindDeviceLogin(dependencies);
  return async (caller, { decision, ...input }) => {
    const { tenant } = caller;
    const { userCode, ...found } = await find(caller, input);
    const { sid: approvedIn, account } = input.session;
    const userCodeHash = hashUserCode(await throttles.hashKey(), userCode);
    const decided = { tenantId: tenant.id, userCodeHash, decision, accountId: account.id, approvedIn };
    if (!(await devices.decide(decided))) throw unknownCode();
    return found;
  };
}
