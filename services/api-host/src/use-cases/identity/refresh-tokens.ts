import {
  type AuthStatusReader,
  createOpaqueToken,
  hashOpaqueToken,
  openReplay,
  sealReplay,
  type TokenSigner,
} from '@sluice/auth';
import { ProblemError, type Tenant, type Tokens } from '@sluice/contract';
import type { RefreshTokenStore, Rotation } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { type SessionSubject, sessionRecord, signTokens } from './session-subject.ts';

/** Time in which an exchanged token returns the same tokens again, for a lost response or a second tab. */
export const REFRESH_GRACE_MS = 10_000;

export interface RefreshInput {
  readonly refreshToken: string;
}

export interface RefreshedTokens {
  readonly tokens: Tokens;
  readonly user: string;
}

/**
 * Exchanges a refresh token for new tokens, once. Parallel requests with the same token get the same new tokens. Throws
 * `invalid_grant`; a token that was used before revokes its whole session (RFC 9700 section 4.14.2).
 */
type RefreshTokens = (caller: AnonymousCaller, input: RefreshInput) => Promise<RefreshedTokens>;

interface RefreshTokensDependencies {
  readonly refreshTokens: Pick<RefreshTokenStore, 'find' | 'rotate'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly signer: TokenSigner;
  /** Called when a used token was sent again and its session was revoked. */
  readonly onReuse: (caller: AnonymousCaller) => void;
}

const invalidGrant = (reason: string): ProblemError => new ProblemError('invalid_grant', `${reason} Log in again.`);

export function createRefreshTokens(dependencies: RefreshTokensDependencies): RefreshTokens {
  const { refreshTokens, authStatus, signer, onReuse } = dependencies;

  const subjectOf = async (tenant: Tenant, tokenHash: Uint8Array): Promise<SessionSubject> => {
    const holder = await refreshTokens.find(tenant.id, tokenHash);
    if (holder === undefined) throw invalidGrant('The refresh token is unknown.');
    const { sid, accountId, expires } = holder;
    const status = await authStatus.ofSession({ tenantName: tenant.name, sessionId: sid, accountId, keyId: '' });
    const account = status?.account;
    if (account === undefined || account.disabled || !status?.sessionLive) throw invalidGrant('The session is over.');
    return { tenant, account, sessionId: sid, expires };
  };

  const tokensOf = (rotation: Rotation, created: Tokens, refreshToken: string): Tokens => {
    switch (rotation.kind) {
      case 'rotated':
        return created;
      case 'repeated':
        return openReplay(refreshToken, rotation.replay) as Tokens;
      case 'reused':
        throw invalidGrant('The refresh token was used before, so its session was ended.');
      case 'refused':
        throw invalidGrant('The session is over.');
    }
  };

  return async (caller, { refreshToken }) => {
    const { tenant, origin } = caller;
    const tokenHash = hashOpaqueToken(refreshToken);
    const subject = await subjectOf(tenant, tokenHash);
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
    return { tokens: tokensOf(rotation, tokens, refreshToken), user: subject.account.name };
  };
}
