import { hashOpaqueToken, type OAuthClient, type TokenTargets } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { DeviceAuthorizationStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { PrepareProgramSession, ProgramSession } from './prepare-program-session.ts';

export interface RedeemDeviceCodeInput {
  readonly deviceCode: string;
  readonly client: OAuthClient;
  /** Hosts that the access token is for. Default: those that the device asked for. */
  readonly targets: TokenTargets;
}

/**
 * Opens the session of a device once its user has approved it. Throws `authorization_pending`, `slow_down`, `expired_token`, `grant_denied`
 * and `invalid_grant` (RFC 8628 section 3.5).
 */
type RedeemDeviceCode = (
  caller: AnonymousCaller,
  input: RedeemDeviceCodeInput,
) => Promise<Pick<ProgramSession, 'tokens' | 'user'>>;

interface RedeemDeviceCodeDependencies {
  readonly devices: Pick<DeviceAuthorizationStore, 'poll' | 'redeem'>;
  readonly prepareSession: PrepareProgramSession;
}

/** Errors of a login that is not approved, by its state. */
const PROBLEMS = {
  unknown: ['invalid_grant', 'The device code is unknown or used. Begin the login again.'],
  expired: ['expired_token', 'The device code has expired. Begin the login again.'],
  pending: ['authorization_pending', 'The user has not decided yet.'],
  early: ['slow_down', 'The request came too early. Wait 5 s longer between two requests from now on.'],
  denied: ['grant_denied', 'The user denied the login.'],
} as const;

function refuse(state: keyof typeof PROBLEMS): ProblemError {
  const [code, message] = PROBLEMS[state];
  return new ProblemError(code, message);
}

export const createRedeemDeviceCode =
  ({ devices, prepareSession }: RedeemDeviceCodeDependencies): RedeemDeviceCode =>
  async (caller, { deviceCode, client, targets }) => {
    const tenantId = caller.tenant.id;
    const deviceHash = hashOpaqueToken(deviceCode);
    const poll = await devices.poll({ tenantId, deviceHash, oauthClient: client.id });
    if (poll.kind !== 'approved') throw refuse(poll.kind);
    const login = { approval: poll, client, targets, method: 'device_code' } as const;
    const { session, tokens, user } = await prepareSession(caller, login);
    if (!(await devices.redeem({ tenantId, deviceHash, session }))) throw refuse('unknown');
    return { tokens, user };
  };
