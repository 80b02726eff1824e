import { randomBytes } from 'node:crypto';
import {
  addressPrefix,
  createOpaqueToken,
  hashOpaqueToken,
  type OidcClient,
  type RequestOrigin,
  sealLogin,
} from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import type { LoginTransactionStore } from '@sluice/store/identity';
import type { TenantProvider } from './tenant-provider.ts';

/** Long enough for a password, a second factor and a telephone; a login that takes longer begins again. */
export const LOGIN_LIFETIME_MS = 600_000;

/** What the callback must find again; sealed under the browser's cookie meanwhile. */
export interface LoginUnderWay {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo?: string | undefined;
}

export interface SingleSignOnStart {
  readonly tenant: Tenant;
  readonly provider: TenantProvider;
  readonly redirectUri: string;
  readonly returnTo: string | undefined;
  /** Of an earlier login of this browser: several tabs may be at it. */
  readonly cookie: string | undefined;
  readonly origin: RequestOrigin;
}

export interface StartedSingleSignOn {
  readonly location: string;
  readonly cookie: string;
}

export interface StartSingleSignOnOptions {
  readonly oidc: Pick<OidcClient, 'authorizationUrl'>;
  readonly logins: Pick<LoginTransactionStore, 'begin'>;
}

const OPAQUE = /^[\w-]{43}$/;

/** Sends a browser to the tenant's provider. Throws `service_unavailable` when that is away. */
export const createStartSingleSignOn =
  ({ oidc, logins }: StartSingleSignOnOptions) =>
  async (start: SingleSignOnStart): Promise<StartedSingleSignOn> => {
    const { tenant, provider, redirectUri, returnTo, origin } = start;
    const cookie = start.cookie !== undefined && OPAQUE.test(start.cookie) ? start.cookie : createOpaqueToken();
    const state = createOpaqueToken();
    const nonce = createOpaqueToken();
    // RFC 7636 section 4.1: 43 to 128 characters of the unreserved ones.
    const codeVerifier = randomBytes(48).toString('base64url');
    const { issuer, clientId } = provider.client;
    const login: LoginUnderWay = { issuer, clientId, redirectUri, nonce, codeVerifier, returnTo };
    await logins.begin({
      tenantId: tenant.id,
      stateHash: hashOpaqueToken(state),
      cookieHash: hashOpaqueToken(cookie),
      sealed: sealLogin(cookie, login),
      address: addressPrefix(origin.address),
      lifetimeMs: LOGIN_LIFETIME_MS,
    });
    // After the count of its address, so that a stranger makes no more requests of ours than there are logins.
    const location = await oidc.authorizationUrl(provider.client, { redirectUri, state, nonce, codeVerifier });
    return { location: location.href, cookie };
  };

export type StartSingleSignOn = ReturnType<typeof createStartSingleSignOn>;
