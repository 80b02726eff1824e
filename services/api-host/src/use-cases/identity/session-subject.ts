import type { RequestOrigin, TokenSigner, TokenTargets } from '@sluice/auth';
import type { AuditAction, AuditRecord, Tenant } from '@sluice/contract';

/** Account of a token. */
export interface TokenAccount {
  readonly kind: 'user' | 'client';
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

/** Account and lifetime of a session. */
export interface SessionSubject {
  readonly tenant: Tenant;
  readonly account: TokenAccount;
  readonly sessionId: string;
  readonly expires: Date;
  /** Hosts for which its access tokens are. Default: both. */
  readonly targets?: TokenTargets;
}

/** Returns the audit record of an action in a session. Its target is the account itself. */
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

/** Signs the ID and access tokens of a session, and returns the body of a token response. */
export async function signTokens(signer: TokenSigner, subject: SessionSubject, refreshToken: string) {
  const lifetimeSeconds = signer.lifetimeSeconds(subject.expires);
  const { tenant, account, sessionId, targets } = subject;
  const tokenSubject = { tenantName: tenant.name, account, sessionId, targets };
  const [idToken, accessToken] = await Promise.all([
    signer.sign('id', tokenSubject, lifetimeSeconds),
    signer.sign('access', tokenSubject, lifetimeSeconds),
  ]);
  return {
    id_token: idToken,
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: lifetimeSeconds,
    token_type: 'Bearer' as const,
  };
}
