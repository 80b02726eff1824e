import { isWithinScope, joinScopes, type OAuthClient } from '@sluice/auth';
import { isNativeRedirectUri, isScopeValue } from '@sluice/contract';
import type { ResourceDatabase } from '@sluice/store/resources';
import { type AnonymousCaller, loginActor } from './anonymous-caller.ts';
import type { ValidAuthorizationRequest } from './check-authorization-request.ts';
import type { BrowserSession } from './find-browser-session.ts';

export interface ConsentInput {
  readonly request: Pick<ValidAuthorizationRequest, 'client' | 'redirectUri' | 'scope'>;
  readonly session: BrowserSession;
}

/** Checks whether the user has consented before to all that a program asks for. */
type HasConsented = (caller: Pick<AnonymousCaller, 'tenant'>, input: ConsentInput) => Promise<boolean>;

/** Remembers a consent, with an audit record. A wider scope joins what the user has consented to before. */
type RememberConsent = (caller: AnonymousCaller, input: ConsentInput) => Promise<void>;

interface ConsentDependencies {
  readonly database: Pick<ResourceDatabase, 'read' | 'change'>;
}

/**
 * A native program has no proof of its identity, so each of its logins asks (RFC 8252 section 8.6), and so does one that no admin has
 * registered.
 */
const isRemembered = ({ kind }: OAuthClient, redirectUri: string): boolean =>
  kind === 'registered' && !isNativeRedirectUri(redirectUri);

const scopeOf = (stored: { readonly scope: readonly string[] | null }) => stored.scope?.filter(isScopeValue);

export const createHasConsented =
  ({ database }: ConsentDependencies): HasConsented =>
  async ({ tenant }, { request: { client, redirectUri, scope }, session: { account } }) => {
    if (!isRemembered(client, redirectUri)) return false;
    const stored = await database.read(loginActor({ tenant }), (tx) =>
      tx.oauthConsents.findScope(account.id, client.id),
    );
    return stored !== undefined && isWithinScope(scope, scopeOf(stored));
  };

export const createRememberConsent =
  ({ database }: ConsentDependencies): RememberConsent =>
  async ({ tenant, origin }, { request: { client, redirectUri, scope }, session: { account, sid } }) => {
    if (!isRemembered(client, redirectUri)) return;
    const actor = loginActor({ tenant, origin }, account.name);
    const auditOf: typeof actor.auditOf = (act) => ({ ...actor.auditOf(act), user: account.name, sessionId: sid });
    await database.change({ ...actor, auditOf }, async (tx) => {
      const stored = await tx.oauthConsents.findScope(account.id, client.id);
      if (stored !== undefined && isWithinScope(scope, scopeOf(stored))) return tx.skipRecord();
      const joined = stored === undefined ? scope : joinScopes(scopeOf(stored), scope);
      await tx.oauthConsents.put({ userId: account.id, clientId: client.id, scope: joined ?? null });
      await tx.record('GRANT_CONSENT', client.id, joined === undefined ? {} : { scope: joined });
    });
  };
