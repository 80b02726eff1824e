import { hashOpaqueToken, type LoginThrottle, type LogoutToken, type OidcClient } from '@sluice/auth';
import { asProblem, ProblemError } from '@sluice/contract';
import type { SessionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { FindTenantProvider, TenantProvider } from './find-tenant-provider.ts';

/**
 * Ends the sessions that a logout token of the tenant's identity provider names, and returns their users. Throws `invalid_request` for a
 * token that cannot be verified, also while the provider is unavailable (OpenID Connect Back-Channel Logout 1.0 section 2.8), and for one
 * that was used before.
 */
type EndProviderSessions = (caller: AnonymousCaller, logoutToken: string) => Promise<readonly string[]>;

interface EndProviderSessionsDependencies {
  readonly sessions: Pick<SessionStore, 'revokeAtProvider'>;
  readonly oidc: Pick<OidcClient, 'verifyLogoutToken'>;
  readonly findProvider: FindTenantProvider;
  readonly throttle: Pick<LoginThrottle, 'delayAddress' | 'countAddressFailure'>;
}

export function createEndProviderSessions(dependencies: EndProviderSessionsDependencies): EndProviderSessions {
  const { sessions, oidc, findProvider, throttle } = dependencies;

  const verify = async ({ client }: TenantProvider, logoutToken: string): Promise<LogoutToken> => {
    try {
      return await oidc.verifyLogoutToken(client, logoutToken);
    } catch (thrown) {
      if (asProblem(thrown).code !== 'service_unavailable') throw thrown;
      const message =
        'The logout token cannot be verified, because the identity provider does not respond. Send it again later.';
      throw new ProblemError('invalid_request', message, { cause: thrown });
    }
  };

  return async (caller, logoutToken) => {
    const { tenant, origin } = caller;
    const provider = await findProvider({ tenant });
    if (provider === undefined) throw new ProblemError('invalid_request', 'The tenant has no identity provider.');
    // Each token leads to requests to the provider, so an address that sends wrong ones is slowed down.
    await throttle.delayAddress(tenant.id, origin.address);
    try {
      const { issuer, providerSid, subject, tokenId } = await verify(provider, logoutToken);
      const ended = await sessions.revokeAtProvider({
        tenantId: tenant.id,
        issuer,
        providerSid,
        subject,
        tokenHash: hashOpaqueToken(JSON.stringify([issuer, tokenId])),
        auditOf: ({ sid, user }) => ({
          tenantId: tenant.id,
          user,
          action: 'LOGOUT',
          target: user,
          sessionId: sid,
          metadata: { issuer },
          ...origin,
        }),
      });
      if (ended === undefined) throw new ProblemError('invalid_request', 'The logout token was used before.');
      return ended.map(({ user }) => user);
    } catch (thrown) {
      if (asProblem(thrown).status < 500) await throttle.countAddressFailure(tenant.id, origin.address);
      throw thrown;
    }
  };
}
