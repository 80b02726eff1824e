import {
  type AuthStatusReader,
  createOpaqueToken,
  hashOpaqueToken,
  openReplay,
  type RequestOrigin,
  sealReplay,
  type TokenSigner,
} from '@sluice/auth';
import { ProblemError, type Tenant, type Tokens } from '@sluice/contract';
import type { RefreshTokenStore, Rotation } from '@sluice/store/identity';
import { type SessionSubject, sessionRecord, signTokens } from './session-subject.ts';

/** So long the token that was just exchanged answers the same tokens again: for a lost answer, or a second tab. */
export const REFRESH_GRACE_MS = 10_000;

export interface Refresh {
  readonly tenant: Tenant;
  readonly refreshToken: string;
  readonly origin: RequestOrigin;
}

export interface RefreshAnswer {
  readonly tokens: Tokens;
  readonly user: string;
}

export interface RefreshTokensOptions {
  readonly refreshTokens: Pick<RefreshTokenStore, 'find' | 'rotate'>;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly signer: TokenSigner;
  /** Told when a spent token came back and its session was revoked. */
  readonly onReuse: (refresh: Refresh) => void;
}

const refuse = (reason: string): ProblemError => new ProblemError('invalid_grant', `${reason} Log in again.`);

/**
 * Exchanges a refresh token for new tokens, once: of any number of parallel requests one makes them and the others get the
 * same. Throws `invalid_grant`; a token that was spent earlier revokes its whole session (RFC 9700 section 4.14.2).
 */
export function createRefreshTokens(options: RefreshTokensOptions): (refresh: Refresh) => Promise<RefreshAnswer> {
  const { refreshTokens, authStatus, signer } = options;

  const subjectOf = async (tenant: Tenant, tokenHash: Uint8Array): Promise<SessionSubject> => {
    const holder = await refreshTokens.find(tenant.id, tokenHash);
    if (holder === undefined) throw refuse('The refresh token is not known.');
    const { sid, accountId, expires } = holder;
    const standing = await authStatus.ofSession({ tenantName: tenant.name, sessionId: sid, accountId, keyId: '' });
    const account = standing?.account;
    if (account === undefined || account.disabled || !standing?.sessionLive) throw refuse('The session is over.');
    return { tenant, account, sessionId: sid, expires };
  };

  const answerOf = (rotation: Rotation, made: Tokens, refresh: Refresh): Tokens => {
    switch (rotation.kind) {
      case 'rotated':
        return made;
      case 'repeated':
        return openReplay(refresh.refreshToken, rotation.replay) as Tokens;
      case 'reused':
        options.onReuse(refresh);
        throw refuse('The refresh token was used before, so its session was ended.');
      case 'refused':
        throw refuse('The session is over.');
    }
  };

  return async (refresh) => {
    const { tenant, refreshToken, origin } = refresh;
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
    return { tokens: answerOf(rotation, tokens, refresh), user: subject.account.name };
  };
}
