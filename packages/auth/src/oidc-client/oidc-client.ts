import { ProblemError, signInProblem } from '@sluice/contract';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client';
import { createDiscovery } from './discovery.ts';
import { type ClaimNames, hasClaim, type IdentityClaims } from './identity-claims.ts';
import { type LogoutToken, verifyLogoutToken } from './logout-token.ts';
import { createOutgoingFetch } from './outgoing-fetch.ts';
import { describeDiscoveryFailure, providerProblem } from './provider-problem.ts';

/** A tenant's client at an OpenID provider. */
export interface OidcProvider extends ClaimNames {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client, which only PKCE protects. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
}

/** Values of a login that are needed again when the browser returns from the provider. */
export interface AuthorizationInput {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The provider has to ask for the credentials, whatever session the browser has there. */
  readonly asksAgain?: boolean;
}

/** Identity from an ID token with a verified signature. */
export interface VerifiedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** `sid` of the ID token: the session at the provider (Back-Channel Logout 1.0). Undefined if it names none. */
  readonly providerSid?: string | undefined;
  /** Claims of the ID token, and of the user info if the token lacks a configured claim. */
  readonly claims: IdentityClaims;
  /** ID token of the provider. It is never accepted as a token of this service. */
  readonly idToken: string;
}

/** Client of OpenID providers. Every operation ends within 5 s and throws only ProblemErrors. */
export interface OidcClient extends AsyncDisposable {
  /** Throws `invalid_request` with the reason unless logins at this issuer can work. */
  checkIssuer(issuer: string): Promise<void>;
  /** Returns the URL of the login page at the provider (RFC 6749 section 4.1.1, RFC 7636). */
  authorizationUrl(provider: OidcProvider, input: AuthorizationInput): Promise<URL>;
  /** Redeems the authorization code of the callback. `callback` is its query. Throws `unauthorized` and `service_unavailable`. */
  redeem(provider: OidcProvider, input: AuthorizationInput, callback: URLSearchParams): Promise<VerifiedIdentity>;
  /** Returns the URL that ends the provider's session (RP-Initiated Logout 1.0); undefined if the provider has no such endpoint. */
  endSessionUrl(
    provider: Pick<OidcProvider, 'issuer' | 'clientId'>,
    input: { readonly idToken: string; readonly redirectUri: string },
  ): Promise<URL | undefined>;
  /**
   * Verifies a logout token with the keys of the provider (Back-Channel Logout 1.0). Throws `invalid_request` with what is wrong, and
   * `service_unavailable` if the keys cannot be read.
   */
  verifyLogoutToken(provider: Pick<OidcProvider, 'issuer' | 'clientId'>, token: string): Promise<LogoutToken>;
}

export interface OidcClientOptions {
  /** Entries `host` or `host:port`. */
  readonly privateHosts: readonly string[];
  /** Default 5000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;

/** OpenID Connect Core section 2 allows 255 ASCII characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const SUBJECT = /^[^\u0000-\u001f\u007f]{1,255}$/;
/** Servers reject the URL of a token with very many groups. Without the hint the provider asks the user to confirm the logout. */
const HINT_CHARACTERS_MAX = 6000;

export function createOidcClient({ privateHosts, timeoutMs = TIMEOUT_MS }: OidcClientOptions): OidcClient {
  const outgoing = createOutgoingFetch({ privateHosts });
  const { discover, discoverAgain, configure, readKeys } = createDiscovery(outgoing);

  const within = async <T>(work: (deadline: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await work(AbortSignal.timeout(timeoutMs));
    } catch (thrown) {
      throw providerProblem(thrown);
    }
  };

  return {
    async checkIssuer(issuer) {
      try {
        await discover(issuer, AbortSignal.timeout(timeoutMs));
      } catch (thrown) {
        const isListed = outgoing.isListed(new URL(issuer));
        throw new ProblemError('invalid_request', describeDiscoveryFailure(thrown, { isListed }), { cause: thrown });
      }
    },
    authorizationUrl: (provider, { redirectUri, state, nonce, codeVerifier, asksAgain }) =>
      within(async (deadline) =>
        buildAuthorizationUrl(await configure(provider, deadline), {
          redirect_uri: redirectUri,
          scope: provider.scopes.join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          ...(asksAgain === true ? { prompt: 'login' } : {}),
        }),
      ),
    redeem: (provider, input, callback) =>
      within(async (deadline) => redeemCallback(await configure(provider, deadline), provider, { ...input, callback })),
    endSessionUrl: ({ issuer, clientId }, { idToken, redirectUri }) =>
      within(async (deadline) => {
        const server = await discoverAgain(issuer, deadline);
        if (server.end_session_endpoint === undefined) return undefined;
        const configuration = new Configuration(server, clientId);
        allowInsecureRequests(configuration);
        const hint = idToken.length > HINT_CHARACTERS_MAX ? {} : { id_token_hint: idToken };
        return buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: redirectUri });
      }),
    async verifyLogoutToken({ issuer, clientId }, token) {
      const keys = await within((deadline) => readKeys(issuer, deadline));
      return await verifyLogoutToken(token, { issuer, clientId, ...keys });
    },
    [Symbol.asyncDispose]: () => outgoing[Symbol.asyncDispose](),
  };
}

async function redeemCallback(
  configuration: Configuration,
  names: ClaimNames,
  { redirectUri, state, nonce, codeVerifier, callback }: AuthorizationInput & { readonly callback: URLSearchParams },
): Promise<VerifiedIdentity> {
  const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${callback}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const { id_token: idToken, access_token: accessToken } = tokens;
  const claims = tokens.claims();
  if (claims === undefined || idToken === undefined) throw new TypeError('The token response has no ID token.');
  const { iss: issuer, sub: subject } = claims;
  if (!SUBJECT.test(subject) || !subject.isWellFormed()) {
    throw signInProblem('unauthorized', 'provider_subject_invalid');
  }
  const { sid } = claims;
  const providerSid = typeof sid === 'string' && SUBJECT.test(sid) && sid.isWellFormed() ? sid : undefined;
  const all = await withUserInfo(configuration, names, { claims, accessToken });
  return { issuer, subject, providerSid, claims: all, idToken };
}

/** Adds the user info: many providers send e-mail and groups only there. Its subject must be the same (section 5.3.2). */
async function withUserInfo(
  configuration: Configuration,
  { emailClaim, groupsClaim }: ClaimNames,
  { claims, accessToken }: { readonly claims: IdentityClaims & { readonly sub: string }; readonly accessToken: string },
): Promise<IdentityClaims> {
  const wanted = [emailClaim, ...(groupsClaim === null ? [] : [groupsClaim])];
  const hasAll = wanted.every((name) => hasClaim(claims, name));
  if (hasAll || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  // Signed claims override unsigned ones.
  return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}
