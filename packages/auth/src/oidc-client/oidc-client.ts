import { ProblemError } from '@sluice/contract';
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
import { createOutgoingFetch } from './outgoing-fetch.ts';
import { describeDiscoveryFailure, providerProblem } from './provider-problem.ts';

/** A tenant's client at an OpenID provider. */
export interface OidcProvider extends ClaimNames {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
}

/** What a login must find again when the person comes back. */
export interface AuthorizationInput {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Whom a provider has named, proved by a signature of its own. */
export interface VerifiedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Of the ID token, and of the user info where the token lacks what is configured. */
  readonly claims: IdentityClaims;
  /** The provider's own, which is never a token of ours. */
  readonly idToken: string;
}

/** Every operation ends within 5 s; what it throws is a ProblemError. */
export interface OidcClient extends AsyncDisposable {
  /** Throws `invalid_request`, in words, unless this is an issuer that people can be sent to. */
  checkIssuer(issuer: string): Promise<void>;
  /** Where to send the browser (RFC 6749 section 4.1.1, RFC 7636). */
  authorizationUrl(provider: OidcProvider, wish: AuthorizationInput): Promise<URL>;
  /** Redeems the answer that the browser brought. `answer` is its query. Throws `unauthorized` and `service_unavailable`. */
  redeem(provider: OidcProvider, wish: AuthorizationInput, answer: URLSearchParams): Promise<VerifiedIdentity>;
  /** Where a browser ends the provider's session too (RP-Initiated Logout 1.0); undefined where the provider has no such place. */
  endSessionUrl(
    provider: Pick<OidcProvider, 'issuer' | 'clientId'>,
    wish: { readonly idToken: string; readonly redirectUri: string },
  ): Promise<URL | undefined>;
}

export interface OidcClientOptions {
  readonly privateHosts: readonly string[];
  /** Default 5000. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5000;

/** OpenID Connect Core section 2 allows 255 ASCII characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const SUBJECT = /^[^\u0000-\u001f\u007f]{1,255}$/;
/** A token with very many groups makes an address that no server takes; the provider then asks the person instead. */
const HINT_CHARACTERS_MAX = 6000;

export function createOidcClient({ privateHosts, timeoutMs = TIMEOUT_MS }: OidcClientOptions): OidcClient {
  const outgoing = createOutgoingFetch({ privateHosts });
  const { discover, discoverAgain, configure } = createDiscovery(outgoing);

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
        throw new ProblemError('invalid_request', describeDiscoveryFailure(thrown), { cause: thrown });
      }
    },
    authorizationUrl: (provider, { redirectUri, state, nonce, codeVerifier }) =>
      within(async (deadline) =>
        buildAuthorizationUrl(await configure(provider, deadline), {
          redirect_uri: redirectUri,
          scope: provider.scopes.join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      ),
    redeem: (provider, wish, answer) =>
      within(async (deadline) => redeemAnswer(await configure(provider, deadline), provider, { ...wish, answer })),
    endSessionUrl: ({ issuer, clientId }, { idToken, redirectUri }) =>
      within(async (deadline) => {
        const server = await discoverAgain(issuer, deadline);
        if (server.end_session_endpoint === undefined) return undefined;
        const configuration = new Configuration(server, clientId);
        allowInsecureRequests(configuration);
        const hint = idToken.length > HINT_CHARACTERS_MAX ? {} : { id_token_hint: idToken };
        return buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: redirectUri });
      }),
    [Symbol.asyncDispose]: () => outgoing[Symbol.asyncDispose](),
  };
}

async function redeemAnswer(
  configuration: Configuration,
  names: ClaimNames,
  { redirectUri, state, nonce, codeVerifier, answer }: AuthorizationInput & { readonly answer: URLSearchParams },
): Promise<VerifiedIdentity> {
  const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const { id_token: idToken, access_token: accessToken } = tokens;
  const claims = tokens.claims();
  if (claims === undefined || idToken === undefined) throw new TypeError('there is no ID token');
  const { iss: issuer, sub: subject } = claims;
  if (!SUBJECT.test(subject) || !subject.isWellFormed()) {
    throw new ProblemError('unauthorized', 'The identity provider names a person in a way that nobody is named.');
  }
  return { issuer, subject, claims: await withUserInfo(configuration, names, { claims, accessToken }), idToken };
}

/** Many providers put the e-mail and the groups into the user info alone, which must be of the same subject (section 5.3.2). */
async function withUserInfo(
  configuration: Configuration,
  { emailClaim, groupsClaim }: ClaimNames,
  { claims, accessToken }: { readonly claims: IdentityClaims & { readonly sub: string }; readonly accessToken: string },
): Promise<IdentityClaims> {
  const wanted = [emailClaim, ...(groupsClaim === null ? [] : [groupsClaim])];
  const hasAll = wanted.every((name) => hasClaim(claims, name));
  if (hasAll || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  // What is signed goes before what is not.
  return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
}
