import { randomBytes } from 'node:crypto';
import { addressPrefix, createOpaqueToken, hashOpaqueToken, type OidcClient, sealLogin } from '@sluice/auth';
import type { LoginTransactionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { TenantProvider } from './find-tenant-provider.ts';

/** Enough for a password, a second factor and a phone call; a login that takes longer has to begin again. */
export const LOGIN_LIFETIME_MS = 600_000;

/** State of a login until the callback, sealed under the cookie of the browser. */
export interface LoginInProgress {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo?: string | undefined;
  /** A page of another site led the browser to the login. */
  readonly isFromOtherSite?: boolean | undefined;
  /** The login only shows what it would do. It opens no session. */
  readonly isTest?: boolean | undefined;
}

export interface StartSingleSignOnInput {
  readonly provider: TenantProvider;
  readonly redirectUri: string;
  readonly returnTo: string | undefined;
  /** The provider has to ask for the credentials, whatever session the browser has there. */
  readonly asksAgain?: boolean;
  readonly isTest?: boolean;
  readonly isFromOtherSite?: boolean;
  /** Cookie of an earlier login of this browser. It is kept, because logins may run in several tabs. */
  readonly cookie: string | undefined;
}

export interface StartedSingleSignOn {
  /** Address of the provider to which the browser is redirected. */
  readonly location: string;
  readonly cookie: string;
}

/** Begins a login at the tenant's identity provider. Throws `too_many_requests`, and `service_unavailable` if the provider is unavailable. */
type StartSingleSignOn = (caller: AnonymousCaller, input: StartSingleSignOnInput) => Promise<StartedSingleSignOn>;

interface StartSingleSignOnDependencies {
  readonly oidc: Pick<OidcClient, 'authorizationUrl'>;
  readonly logins: Pick<LoginTransactionStore, 'begin'>;
}

const OPAQUE = /^[\w-]{43}$/;

export const createStartSingleSignOn =
  ({ oidc, logins }: StartSingleSignOnDependencies): StartSingleSignOn =>
  async ({ tenant, origin }, { provider, redirectUri, returnTo, asksAgain, isTest, isFromOtherSite, cookie: sent }) => {
    const cookie = sent !== undefined && OPAQUE.test(sent) ? sent : createOpaqueToken();
    const state = createOpaqueToken();
    const nonce = createOpaqueToken();
    // RFC 7636 section 4.1: 43 to 128 unreserved characters.
    const codeVerifier = randomBytes(48).toString('base64url');
    const { issuer, clientId } = provider.client;
    const secrets = { nonce, codeVerifier };
    const login: LoginInProgress = { issuer, clientId, redirectUri, ...secrets, returnTo, isTest, isFromOtherSite };
    await logins.begin({
      tenantId: tenant.id,
      stateHash: hashOpaqueToken(state),
      cookieHash: hashOpaqueToken(cookie),
      sealed: sealLogin(cookie, login),
      address: addressPrefix(origin.address),
      lifetimeMs: LOGIN_LIFETIME_MS,
    });
    // After `begin`, which limits logins per address: an anonymous client cannot make us send more requests than that.
    const location = await oidc.authorizationUrl(provider.client, {
      redirectUri,
      state,
      ...secrets,
      ...(asksAgain === true ? { asksAgain } : {}),
    });
    return { location: location.href, cookie };
  };
