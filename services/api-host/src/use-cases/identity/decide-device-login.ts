import { hashUserCode, type LoginThrottle, readUserCode, THROTTLE_POLICY } from '@sluice/auth';
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
  readonly throttles: Pick<Throttles, 'hashKey' | 'findStates' | 'countFailure'>;
  readonly throttle: Pick<LoginThrottle, 'refuseBlocked'>;
}

/** Wrong codes count by account: only a user who is signed in can try one, and another session or address does not start again. */
const throttleKey = ({ account }: BrowserSession): ThrottleKey => ({
  scope: 'session',
  key: `user code ${account.id}`,
});

const unknownCode = (): ProblemError => signInProblem('invalid_request', 'user_code_unknown');

export function createFindDeviceLogin(dependencies: DecideDeviceLoginDependencies): FindDeviceLogin {
  const { devices, throttles, throttle } = dependencies;
  return async ({ tenant }, { userCode: typed, session }) => {
    const key = throttleKey(session);
    const states = await throttles.findStates(tenant.id, [key]);
    throttle.refuseBlocked(states.session?.blockedMs ?? 0);
    const userCode = readUserCode(typed);
    const found = userCode && (await devices.findPending(tenant.id, hashUserCode(await throttles.hashKey(), userCode)));
    if (userCode !== undefined && found) return { ...found, userCode };
    await throttles.countFailure(tenant.id, [key], { policy: THROTTLE_POLICY });
    throw unknownCode();
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
