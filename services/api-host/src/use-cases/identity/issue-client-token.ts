import { randomUUID } from 'node:crypto';
import type { Clock, TokenSigner } from '@sluice/auth';
import { type AccessToken, type AccountStatus, ProblemError, type Scope } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { AuthenticateClient, ClientCredential } from './authenticate-client.ts';
import { sessionRecord } from './session-subject.ts';

export interface ClientTokenInput {
  readonly credential: ClientCredential;
  /** Permissions that the token gets. Undefined: those of the account, whatever they are later. */
  readonly scope: Scope;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

export interface IssuedClientToken {
  readonly token: AccessToken;
  readonly clientId: string;
}

/**
 * Issues an access token for client credentials (RFC 6749 section 4.4). Each token is its own session, so that it can be revoked.
 * There is no refresh token (section 4.4.3). Throws `invalid_client`, `invalid_scope`, `too_many_requests` and `service_unavailable`.
 */
type IssueClientToken = (caller: AnonymousCaller, input: ClientTokenInput) => Promise<IssuedClientToken>;

interface IssueClientTokenDependencies {
  readonly authenticateClient: AuthenticateClient;
  readonly sessions: Pick<SessionStore, 'create'>;
  readonly signer: TokenSigner;
  readonly tokenLifetimeMs: number;
  readonly sessionsMax: number;
  readonly now: Clock;
}

/** Time that the session outlives its token: a query that began just before the token expired may run to its own deadline. */
export const RUNNING_QUERY_MS = 3_600_000;

/**
 * RFC 6749 section 3.3: what a client cannot get is refused, so that it does not run with less than it needs. Nor does it get an ID token: those
 * are about users.
 */
function requireHeld(scope: Scope, { name, permissions }: AccountStatus): void {
  const missing = (scope ?? []).filter((each) => each === 'openid' || !permissions.includes(each));
  if (missing.length > 0) throw new ProblemError('invalid_scope', `${name} does not have ${missing.join(', ')}.`);
}

export function createIssueClientToken(dependencies: IssueClientTokenDependencies): IssueClientToken {
  const { authenticateClient, sessions, signer, tokenLifetimeMs, sessionsMax, now } = dependencies;
  return async (caller, { scope, ...input }) => {
    const { tenant, origin } = caller;
    const { method, account, secretHash, clientKeys, endsMs } = await authenticateClient(caller, input);
    requireHeld(scope, account);
    // A token ends with the secret that it was issued for.
    const endMs = Math.min(now() + tokenLifetimeMs + RUNNING_QUERY_MS, endsMs ?? Number.POSITIVE_INFINITY);
    const expires = new Date(endMs);
    const subject = { tenant, account, sessionId: randomUUID(), expires };
    const lifetimeSeconds = signer.lifetimeSeconds(expires);
    const tokenSubject = { tenantName: tenant.name, account, sessionId: subject.sessionId };
    const token = await signer.sign('access', tokenSubject, lifetimeSeconds);
    const metadata = {
      grant: 'client_credentials',
      ...(method === 'client_secret' ? {} : { method }),
      ...(scope === undefined ? {} : { scope }),
    };
    await sessions.create({
      tenantId: tenant.id,
      sid: subject.sessionId,
      account,
      expires,
      keyId: signer.keyId(),
      secretHash,
      clientKeys,
      scope,
      sessionsMax,
      audit: sessionRecord('ISSUE_TOKEN', subject, { origin, metadata }),
    });
    const granted = scope === undefined ? {} : { scope: scope.join(' ') };
    return {
      token: { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds, ...granted },
      clientId: account.name,
    };
  };
}
