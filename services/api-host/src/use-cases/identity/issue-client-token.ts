import { randomUUID } from 'node:crypto';
import type { Clock, SecretVerifier, TokenSigner } from '@sluice/auth';
import type { AccessToken } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { sessionRecord } from './session-subject.ts';

export interface ClientTokenInput {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Issues an access token for client credentials (RFC 6749 section 4.4). Each token is its own session, so that it can be revoked.
 * There is no refresh token (section 4.4.3). Throws `invalid_client` and `too_many_requests`.
 */
type IssueClientToken = (caller: AnonymousCaller, input: ClientTokenInput) => Promise<AccessToken>;

interface IssueClientTokenDependencies {
  readonly secrets: SecretVerifier;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly signer: TokenSigner;
  readonly tokenLifetimeMs: number;
  readonly sessionsMax: number;
  readonly now: Clock;
}

/** Time that the session outlives its token: a query that began just before the token expired may run to its own deadline. */
const RUNNING_QUERY_MS = 3_600_000;

export function createIssueClientToken(dependencies: IssueClientTokenDependencies): IssueClientToken {
  const { secrets, sessions, signer, tokenLifetimeMs, sessionsMax, now } = dependencies;
  return async ({ tenant, origin }, { clientId, clientSecret, signal }) => {
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
    const tokenSubject = { tenantName: tenant.name, account, sessionId: subject.sessionId };
    const token = await signer.sign('access', tokenSubject, lifetimeSeconds);
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
