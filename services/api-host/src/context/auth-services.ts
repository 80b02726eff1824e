import type { Events } from '@sluice/observability';
import type { ApiHostSettings } from '../config.ts';
import { createAdmitIdentity } from '../use-cases/identity/admit-identity.ts';
import { type ConfirmLink, createConfirmLink } from '../use-cases/identity/confirm-link.ts';
import { createExchangeCookie } from '../use-cases/identity/exchange-cookie.ts';
import { createFinishSingleSignOn, type FinishSingleSignOn } from '../use-cases/identity/finish-single-sign-on.ts';
import { createIssueClientToken } from '../use-cases/identity/issue-client-token.ts';
import { createLogIn } from '../use-cases/identity/log-in.ts';
import { createLogOut } from '../use-cases/identity/log-out.ts';
import { createOpenSession, type OpenSession } from '../use-cases/identity/open-session.ts';
import { createRecordFailedSignOn } from '../use-cases/identity/record-failed-sign-on.ts';
import { createRefreshTokens } from '../use-cases/identity/refresh-tokens.ts';
import { createRememberDevice, type RememberDevice } from '../use-cases/identity/remember-device.ts';
import { createStartSingleSignOn, type StartSingleSignOn } from '../use-cases/identity/start-single-sign-on.ts';
import { createFindTenantProvider, type FindTenantProvider } from '../use-cases/identity/tenant-provider.ts';
import type { Credentials } from './credentials.ts';
import type { Stores } from './stores.ts';

/** Logins at the identity providers of tenants. */
export interface SingleSignOn {
  readonly findProvider: FindTenantProvider;
  readonly start: StartSingleSignOn;
  readonly finish: FinishSingleSignOn;
  readonly confirmLink: ConfirmLink;
  readonly rememberDevice: RememberDevice;
}

interface AuthParts {
  readonly stores: Stores;
  readonly proofs: Credentials;
  readonly events: Events;
}

function createSingleSignOn(
  { stores, proofs, events }: AuthParts,
  { openSession, rememberDevice }: { readonly openSession: OpenSession; readonly rememberDevice: RememberDevice },
): SingleSignOn {
  const { logins, administration, audit } = stores;
  const { oidc, box, throttle, secrets } = proofs;
  const findProvider = createFindTenantProvider(administration, box);
  const admit = createAdmitIdentity(administration);
  const recordFailure = createRecordFailedSignOn({
    audit,
    onFailed: ({ tenant, user, origin: { requestId, address } }) =>
      events.authentication('login_failed', { tenant: tenant.name, user, requestId, address }),
  });
  const confirmLink = createConfirmLink({ logins, findProvider, secrets, admit, openSession, recordFailure });
  const finish = createFinishSingleSignOn({
    oidc,
    logins,
    findProvider,
    admit,
    openSession,
    confirmLink,
    throttle,
    recordFailure,
  });
  return { findProvider, start: createStartSingleSignOn({ oidc, logins }), finish, confirmLink, rememberDevice };
}

/** Everything below /auth. */
export function createAuthServices(settings: ApiHostSettings, parts: AuthParts) {
  const { stores, proofs, events } = parts;
  const { signer, secrets, tokens, oidc, box, now } = proofs;
  const { sessions, authStatus } = stores;
  const { sessionLifetimeMs, ssoSessionLifetimeMs, tokenLifetimeMs, sessionsMax } = settings;
  const lifetimes = { sessionLifetimeMs, ssoSessionLifetimeMs };
  const openSession = createOpenSession({ sessions, signer, box, ...lifetimes, sessionsMax, now });
  const rememberDevice = createRememberDevice(stores.devices);
  const singleSignOn = createSingleSignOn(parts, { openSession, rememberDevice });
  const { findProvider } = singleSignOn;
  return {
    singleSignOn,
    logIn: createLogIn({ secrets, sessions, openSession, rememberDevice }),
    refreshTokens: createRefreshTokens({
      refreshTokens: stores.refreshTokens,
      authStatus,
      signer,
      onReuse: ({ tenant, origin }) =>
        events.authentication('refresh_token_reused', { tenant: tenant.name, requestId: origin.requestId }),
    }),
    issueClientToken: createIssueClientToken({ secrets, sessions, signer, tokenLifetimeMs, sessionsMax, now }),
    exchangeCookie: createExchangeCookie({ sessions, refreshTokens: stores.refreshTokens, authStatus, signer }),
    logOut: createLogOut({ sessions, authStatus, tokens, oidc, box, findProvider }),
  };
}

export type AuthServices = ReturnType<typeof createAuthServices>;
