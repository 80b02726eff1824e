import type { RequestOrigin, TokenSigner } from '@sluice/auth';
import type { AuditAction, AuditRecord, Tenant } from '@sluice/contract';

/** An account as a token names it. */
export interface TokenAccount {
  readonly kind: 'user' | 'client';
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

/** Whose session it is, and until when. */
export interface SessionSubject {
  readonly tenant: Tenant;
  readonly account: TokenAccount;
  readonly sessionId: string;
  readonly expires: Date;
}

/** The record of something done in a session; its target is the account itself. */
export const sessionRecord = (
  action: AuditAction,
  { tenant, account, sessionId }: Omit<SessionSubject, 'expires'>,
  details: { readonly origin: RequestOrigin; readonly metadata?: Readonly<Record<string, unknown>> },
): AuditRecord => ({
  tenantId: tenant.id,
  user: account.name,
  action,
  target: account.name,
  sessionId,
  ...(details.metadata === undefined ? {} : { metadata: details.metadata }),
  ...details.origin,
});

/** Signs both tokens of a session and puts them beside the refresh token, as login and refresh answer them. */
export async function signTokens(signer: TokenSigner, subject: SessionSubject, refreshToken: string) {
  const lifetimeSeconds = signer.lifetimeSeconds(subject.expires);
  const of = { tenantName: subject.tenant.name, account: subject.account, sessionId: subject.sessionId };
  const [idToken, accessToken] = await Promise.all([
    signer.sign('id', of, lifetimeSeconds),
    signer.sign('access', of, lifetimeSeconds),
  ]);
  return {
    id_token: idToken,
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: lifetimeSeconds,
    token_type: 'Bearer' as const,
  };
}
