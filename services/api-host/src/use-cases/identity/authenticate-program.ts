import { addressPrefix, isClientSecret, type LoginThrottle, type OAuthClient, THROTTLE_POLICY } from '@sluice/auth';
import { ProblemError, type ThrottleKey, type Throttles } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { FindProgram } from './find-program.ts';
import { RECORDED_ALREADY } from './record-refusal.ts';

/** Proof that a program sends with a request. A program without a secret sends its id alone (RFC 6749 section 3.2.1). */
export interface ProgramCredential {
  readonly clientId: string;
  readonly secret?: string;
}

/**
 * Returns the program that sends a request (RFC 6749 section 3.2.1). Throws `invalid_client` for an unknown program, for a missing or wrong
 * secret of a confidential one, and for a secret of a public one, which has none. Throws `too_many_requests` after some wrong secrets.
 */
export type AuthenticateProgram = (caller: AnonymousCaller, credential: ProgramCredential) => Promise<OAuthClient>;

interface AuthenticateProgramDependencies {
  readonly findProgram: FindProgram;
  readonly throttles: Pick<Throttles, 'findStates' | 'countFailure'>;
  readonly throttle: Pick<LoginThrottle, 'refuseBlocked'>;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Called for each wrong secret that is recorded. */
  readonly onFailed: (caller: AnonymousCaller, client: OAuthClient) => void;
}

const UNKNOWN_USER = 'unknown';

const invalidClient = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('invalid_client', reason, { cause });

/** Further methods of a confidential program, such as a signed assertion (RFC 7523), are checked here. */
function requireCredential({ id, secretHash }: OAuthClient, { secret }: ProgramCredential): void {
  if (secretHash === undefined && secret !== undefined)
    throw invalidClient(`${id} has no secret. Send client_id alone, without client_secret or Authorization.`);
  if (secretHash !== undefined && secret === undefined)
    throw invalidClient(`${id} has a secret. Send it by HTTP Basic or as client_secret.`);
}

const isRight = ({ secretHash }: OAuthClient, { secret }: ProgramCredential): boolean =>
  secretHash === undefined || secret === undefined || isClientSecret(secret, secretHash);

export function createAuthenticateProgram(dependencies: AuthenticateProgramDependencies): AuthenticateProgram {
  const { findProgram, throttles, throttle, audit, onFailed } = dependencies;

  /** Only wrong secrets are limited and recorded: a flood of them delays no program that has the right one. */
  const recordWrongSecret = async (caller: AnonymousCaller, client: OAuthClient): Promise<void> => {
    const { tenant, origin } = caller;
    const key: ThrottleKey = {
      scope: 'account_at_address',
      key: `program ${client.id} ${addressPrefix(origin.address)}`,
    };
    const states = await throttles.findStates(tenant.id, [key]);
    throttle.refuseBlocked(states.account_at_address?.blockedMs ?? 0);
    await throttles.countFailure(tenant.id, [key], { policy: THROTTLE_POLICY });
    onFailed(caller, client);
    const act = { user: UNKNOWN_USER, action: 'LOGIN_FAILED', target: client.id } as const;
    await audit.append({ tenantId: tenant.id, ...act, metadata: { method: 'program_secret' }, ...origin });
  };

  return async (caller, credential) => {
    const client = await findProgram(caller, credential.clientId);
    if (client === undefined) throw invalidClient('There is no program with this client_id.');
    requireCredential(client, credential);
    if (isRight(client, credential)) return client;
    await recordWrongSecret(caller, client);
    throw invalidClient('The secret of the program is wrong.', RECORDED_ALREADY);
  };
}
