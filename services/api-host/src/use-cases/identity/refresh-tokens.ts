import {
  type AuthStatusReader,
  createOpaqueToken,
  hashOpaqueToken,
  isTokenTarget,
  openReplay,
  requireGranted,
  requireWithin,
  sealReplay,
  type TokenSigner,
  type TokenTargets,
} from '@sluice/auth';
import { type AccountStatus, isScopeValue, ProblemError, type Scope, type Tokens } from '@sluice/contract';
import type { RefreshTokenStore, Rotation } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { RECORDED_ALREADY } from './record-refusal.ts';
import { type SessionSubject, sessionRecord, signTokens } from './session-subject.ts';

/** Time in which an exchanged token returns the same tokens again, for a lost response or a second tab. */
export const REFRESH_GRACE_MS = 10_000;

export interface RefreshInput {
  readonly refreshToken: string;
  /** Program that sends the token. It must be the one that got it. */
  readonly oauthClient?: string;
  /** Scope that the program asks for. It must be within that of its session, which stays as it is. */
  readonly scope?: Scope;
  /** Hosts that the access token is for. They must be within those of the session. Default: those of the session. */
  readonly targets?: TokenTargets;
}

export interface RefreshedTokens {
  readonly tokens: Tokens;
  readonly user: string;
  /** Permissions that the session has now. */
  readonly permissions: AccountStatus['permissions'];
  /** Scope of the session. */
  readonly scope: Scope;
}

/**
 * Exchanges a refresh token for new tokens, once. Parallel requests with the same token get the same new tokens. Throws
 * `invalid_grant`, `invalid_scope` and `invalid_target`; a token that was used before revokes its whole session (RFC 9700 section 4.14.2).
 */
type RefreshTokens = (caller: AnonymousCaller, input: RefreshInput) => Promise<RefreshedTokens>;

interface RefreshTokensDependencies {
  readonly refreshTokens: Pick<RefreshTokenStore, 'find' | 'rotate'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly signer: TokenSigner;
  /** Called when a used token was sent again and its session was revoked. */
  readonly onReuse: (caller: AnonymousCaller) => void;
}

interface RefreshSubject extends SessionSubject {
  readonly account: AccountStatus;
  readonly scope: Scope;
}

const invalidGrant = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('invalid_grant', `${reason} Log in again.`, { cause });

/** RFC 6749 section 6: a refresh token is bound to the client that got it. */
const otherClient = ({ oauthClient }: RefreshInput): ProblemError =>
  new ProblemError(
    'invalid_grant',
    oauthClient === undefined
      ? 'The refresh token belongs to a program. Send it to /auth/{tenant}/oauth2/token, with its client_id.'
      : 'The refresh token belongs to another client.',
  );

export function createRefreshTokens(dependencies: RefreshTokensDependencies): RefreshTokens {
  const { refreshTokens, authStatus, signer, onReuse } = dependencies;

  const subjectOf = async ({ tenant }: AnonymousCaller, input: RefreshInput): Promise<RefreshSubject> => {
    const holder = await refreshTokens.find(tenant.id, hashOpaqueToken(input.refreshToken));
    if (holder === undefined) throw invalidGrant('The refresh token is unknown.');
    if ((holder.oauthClient ?? undefined) !== input.oauthClient) throw otherClient(input);
    const scope = holder.scope?.filter(isScopeValue);
    requireWithin(input.scope, scope);
    const targets = requireGranted(input.targets, holder.targets?.filter(isTokenTarget));
    const { sid, accountId, expires } = holder;
    const status = await authStatus.ofSession({ tenantName: tenant.name, sessionId: sid, accountId, keyId: '' });
    const account = status?.account;
    if (account === undefined || account.disabled || !status?.sessionLive) throw invalidGrant('The session is over.');
    return { tenant, account, sessionId: sid, expires, scope, targets };
  };

  const tokensOf = (rotation: Rotation, created: Tokens, refreshToken: string): Tokens => {
    switch (rotation.kind) {
      case 'rotated':
        return created;
      case 'repeated':
        return openReplay(refreshToken, rotation.replay) as Tokens;
      case 'reused':
        throw invalidGrant('The refresh token was used before, so its session was ended.', RECORDED_ALREADY);
      case 'refused':
        throw invalidGrant('The session is over.');
    }
  };

  return async (caller, input) => {
    const { tenant, origin } = caller;
    const { refreshToken } = input;
    const tokenHash = hashOpaqueToken(refreshToken);
    const subject = await subjectOf(caller, input);
    const successor = createOpaqueToken();
    const tokens = await signTokens(signer, subject, successor);
    const rotation = await refreshTokens.rotate({
      tenantId: tenant.id,
      tokenHash,
      successorHash: hashOpaqueToken(successor),
      replay: sealReplay(refreshToken, tokens),
      graceMs: REFRESH_GRACE_MS,
      keyId: signer.keyId(),
      audits: {
        rotated: sessionRecord('REFRESH_TOKEN', subject, { origin }),
        repeated: sessionRecord('REFRESH_TOKEN', subject, { origin, metadata: { repeated: true } }),
        reused: sessionRecord('REFRESH_TOKEN_REUSED', subject, { origin }),
      },
    });
    if (rotation.kind === 'reused') onReuse(caller);
    const { name: user, permissions } = subject.account;
    return { tokens: tokensOf(rotation, tokens, refreshToken), user, permissions, scope: subject.scope };
  };
}
