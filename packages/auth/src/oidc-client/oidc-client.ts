import { ProblemError } from '@sluice/contract';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from 'openid-client';
import { CLOCK_TOLERANCE_SECONDS } from '../token-claims.ts';
import { type ClaimNames, hasClaim, type IdentityClaims } from './identity-claims.ts';
import { createOutgoingFetch, type OutgoingFetch } from './outgoing-fetch.ts';
import { discoveryMistake, discoveryProblem, providerProblem } from './provider-problem.ts';

/** A tenant's client at an OpenID provider. */
export interface OidcProvider extends ClaimNames {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
}

/** What a login must find again when the person comes back. */
export interface AuthorizationWish {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** Whom a provider has named, proved by a signature of its own. */
export interface ProvedIdentity {
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
  authorizationUrl(provider: OidcProvider, wish: AuthorizationWish): Promise<URL>;
  /** Redeems the answer that the browser brought. `answer` is its query. Throws `unauthorized` and `service_unavailable`. */
  redeem(provider: OidcProvider, wish: AuthorizationWish, answer: URLSearchParams): Promise<ProvedIdentity>;
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

type Server = Readonly<ServerMetadata>;

/** The endpoints that people are sent to, and that we ask. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const FURTHER_ENDPOINTS = ['userinfo_endpoint', 'end_session_endpoint'] as const;

function checkServer(outgoing: OutgoingFetch, server: Server, issuer: string): Server {
  if (server.issuer !== issuer) {
    const named = typeof server.issuer === 'string' ? server.issuer.slice(0, 200) : 'none';
    throw new ProblemError('invalid_request', `has a discovery document that names the issuer ${named}: write it so`);
  }
  for (const name of [...ENDPOINTS, ...FURTHER_ENDPOINTS]) {
    const address: unknown = server[name];
    if (address === undefined && !ENDPOINTS.some((needed) => needed === name)) continue;
    if (typeof address !== 'string' || !URL.canParse(address)) {
      throw new ProblemError('invalid_request', `has a discovery document without a proper ${name}`);
    }
    outgoing.checkAddress(new URL(address));
  }
  return server;
}

/** RFC 8414 section 2: a provider that does not say takes HTTP Basic. */
const authenticationOf = (server: Server, secret: string | null) => {
  if (secret === null) return undefined;
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
};

const SIGNED_BY_KEY = /^(RS|PS|ES)\d{3}$|^Ed(25519|DSA)$/;

/** Asymmetric ones alone: a secret that is shared proves nothing of who signed. */
const algorithmsOf = ({ id_token_signing_alg_values_supported: named = ['RS256'] }: Server): string[] =>
  named.filter((algorithm) => SIGNED_BY_KEY.test(algorithm));

export function createOidcClient({ privateHosts, timeoutMs = TIMEOUT_MS }: OidcClientOptions): OidcClient {
  const outgoing = createOutgoingFetch({ privateHosts });

  /** All requests of one operation share its time. */
  const fetchWithin = (deadline: AbortSignal) => (url: string, request: Parameters<OutgoingFetch['fetch']>[1]) =>
    outgoing.fetch(url, { ...request, signal: deadline });

  const discover = async (issuer: string, deadline: AbortSignal): Promise<Server> => {
    const found = await discovery(new URL(issuer), 'unused', undefined, undefined, {
      [customFetch]: fetchWithin(deadline),
      // `http:` is refused by the fetch itself, but for loopback.
      execute: [allowInsecureRequests],
    });
    return checkServer(outgoing, found.serverMetadata(), issuer);
  };

  /** Of an issuer that was checked once. */
  const discoverAgain = (issuer: string, deadline: AbortSignal): Promise<Server> =>
    discover(issuer, deadline).catch((thrown: unknown) => {
      throw discoveryProblem(thrown);
    });

  /** A configuration of its own for each operation: keys are as fresh as the login, and nothing of one reaches another. */
  const configure = async (provider: OidcProvider, deadline: AbortSignal): Promise<Configuration> => {
    const server = await discoverAgain(provider.issuer, deadline);
    const secret = authenticationOf(server, provider.clientSecret);
    const known = { ...server, id_token_signing_alg_values_supported: algorithmsOf(server) };
    const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const configuration = new Configuration(known, provider.clientId, metadata, secret);
    configuration[customFetch] = fetchWithin(deadline);
    allowInsecureRequests(configuration);
    // Without this the library trusts TLS instead of the signature (OpenID Connect Core section 3.1.3.7, point 6).
    enableNonRepudiationChecks(configuration);
    return configuration;
  };

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
        throw new ProblemError('invalid_request', discoveryMistake(thrown), { cause: thrown });
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
    redeem: (provider, { redirectUri, state, nonce, codeVerifier }, answer) =>
      within(async (deadline) => {
        const configuration = await configure(provider, deadline);
        const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined || tokens.id_token === undefined) throw new TypeError('there is no ID token');
        if (!SUBJECT.test(claims.sub) || !claims.sub.isWellFormed()) {
          throw new ProblemError('unauthorized', 'The identity provider names a person in a way that nobody is named.');
        }
        return {
          issuer: claims.iss,
          subject: claims.sub,
          claims: await withUserInfo(configuration, provider, { claims, accessToken: tokens.access_token }),
          idToken: tokens.id_token,
        };
      }),
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
