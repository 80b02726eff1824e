import {
  type AuthStatusReader,
  hashOpaqueToken,
  type OAuthClient,
  type TokenTargets,
  verifiesChallenge,
} from '@sluice/auth';
import { type AuditRecord, ProblemError } from '@sluice/contract';
import type { AuthorizationCode, AuthorizationCodeStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { PrepareProgramSession, ProgramSession } from './prepare-program-session.ts';
import { RECORDED_ALREADY } from './record-refusal.ts';

export interface RedeemCodeInput {
  readonly code: string;
  readonly client: OAuthClient;
  /** Hosts that the access token is for. Default: those of the code. */
  readonly targets: TokenTargets;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

/**
 * Opens the session of an authorization code, once. Throws `invalid_grant`; a code that was used before revokes the session that it opened
 * (RFC 6749 section 4.1.2).
 */
type RedeemAuthorizationCode = (
  caller: AnonymousCaller,
  input: RedeemCodeInput,
) => Promise<Pick<ProgramSession, 'tokens' | 'user'>>;

interface RedeemCodeDependencies {
  readonly codes: Pick<AuthorizationCodeStore, 'find' | 'redeem' | 'revokeReused'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly prepareSession: PrepareProgramSession;
  /** Called when a used code was sent again and its session was revoked. */
  readonly onReuse: (caller: AnonymousCaller) => void;
}

const invalidGrant = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('invalid_grant', `${reason} Log in again.`, { cause });
const wasUsed = (): ProblemError =>
  invalidGrant('The code was used before, so its session was ended.', RECORDED_ALREADY);

/** User of the audit record of a code whose account is gone. */
const UNKNOWN_USER = 'unknown';

export function createRedeemAuthorizationCode(dependencies: RedeemCodeDependencies): RedeemAuthorizationCode {
  const { codes, authStatus, prepareSession, onReuse } = dependencies;

  const reuseRecord = async (
    { tenant, origin }: AnonymousCaller,
    { approvedIn, accountId, oauthClient }: AuthorizationCode,
  ): Promise<AuditRecord> => {
    const reference = { tenantName: tenant.name, sessionId: approvedIn, accountId, keyId: '' };
    const user = (await authStatus.ofSession(reference))?.account?.name ?? UNKNOWN_USER;
    const act = { user, action: 'AUTHORIZATION_CODE_REUSED', target: user } as const;
    return { tenantId: tenant.id, ...act, metadata: { client: oauthClient }, ...origin };
  };

  return async (caller, { code, client, targets, redirectUri, codeVerifier }) => {
    const { tenant } = caller;
    const codeHash = hashOpaqueToken(code);
    const found = await codes.find(tenant.id, codeHash);
    if (found === undefined) throw invalidGrant('The code is unknown.');
    const reused = await reuseRecord(caller, found);
    if (found.isUsed) {
      await codes.revokeReused({ tenantId: tenant.id, codeHash, reused });
      onReuse(caller);
      throw wasUsed();
    }
    if (found.oauthClient !== client.id) throw invalidGrant('The code belongs to another client.');
    if (found.redirectUri !== redirectUri) throw invalidGrant('redirect_uri is not that of the code.');
    if (!verifiesChallenge(codeVerifier, found.challenge)) throw invalidGrant('code_verifier is not that of the code.');
    const { session, tokens, user } = await prepareSession(caller, {
      approval: found,
      client,
      targets,
      method: 'authorization_code',
    });
    const redemption = await codes.redeem({ tenantId: tenant.id, codeHash, session, reused });
    if (redemption === 'redeemed') return { tokens, user };
    if (redemption === 'refused') throw invalidGrant('The code has expired.');
    onReuse(caller);
    throw wasUsed();
  };
}
