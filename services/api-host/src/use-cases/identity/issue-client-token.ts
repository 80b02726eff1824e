import { randomUUID } from 'node:crypto';
import type { Clock, RequestOrigin, SecretVerifier, TokenSigner } from '@sluice/auth';
import type { AccessToken, Tenant } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import { sessionRecord } from './session-subject.ts';

export interface ClientTokenRequest {
  readonly tenant: Tenant;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly origin: RequestOrigin;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

export interface IssueClientTokenOptions {
  readonly secrets: SecretVerifier;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly signer: TokenSigner;
  readonly tokenLifetimeMs: number;
  readonly sessionsMax: number;
  readonly now: Clock;
}

/** A query that began with a token just before it expired may still run to its own deadline, so the session outlives it. */
const RUNNING_QUERY_MS = 3_600_000;

/**
 * The client credentials grant (RFC 6749 section 4.4): each token is a session of its own, so that it can be ended, and there
 * is no refresh token (section 4.4.3). Throws `invalid_client` or `too_many_requests`.
 */
export function createIssueClientToken(
  options: IssueClientTokenOptions,
): (request: ClientTokenRequest) => Promise<AccessToken> {
  const { secrets, sessions, signer, tokenLifetimeMs, sessionsMax, now } = options;
  return async ({ tenant, clientId, clientSecret, origin, signal }) => {
    const attempt = {
      tenantName: tenant.name,
      method: 'client_secret',
      name: clientId,
      secret: clientSecret,
      origin,
      signal,
    } as const;
    const { account, secretHash } = await secrets.verify(attempt);
    const expires = new Date(now() + tokenLifetimeMs + RUNNING_QUERY_MS);
    const subject = { tenant, account, sessionId: randomUUID(), expires };
    const lifetimeSeconds = signer.lifetimeSeconds(expires);
    const of = { tenantName: tenant.name, account, sessionId: subject.sessionId };
    const token = await signer.sign('access', of, lifetimeSeconds);
    await sessions.create({
      tenantId: tenant.id,
      sid: subject.sessionId,
      account,
      expires,
      keyId: signer.keyId(),
      secretHash,
      sessionsMax,
      audit: sessionRecord('ISSUE_TOKEN', subject, { origin, metadata: { grant: 'client_credentials' } }),
    });
    return { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds };
  };
}
