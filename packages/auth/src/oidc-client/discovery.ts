import { ProblemError } from '@sluice/contract';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from 'openid-client';
import { CLOCK_TOLERANCE_SECONDS } from '../token-claims.ts';
import type { OutgoingFetch } from './outgoing-fetch.ts';
import { discoveryProblem } from './provider-problem.ts';

type Server = Readonly<ServerMetadata>;

/** Endpoints that the browser or this host requests. All others of the document are ignored. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const FURTHER_ENDPOINTS = ['userinfo_endpoint', 'end_session_endpoint'] as const;

function checkServer(outgoing: OutgoingFetch, server: Server, issuer: string): Server {
  if (server.issuer !== issuer) {
    const named = typeof server.issuer === 'string' ? server.issuer.slice(0, 200) : 'none';
    throw new ProblemError(
      'invalid_request',
      `has a discovery document with the issuer ${named}: use exactly this value`,
    );
  }
  for (const name of [...ENDPOINTS, ...FURTHER_ENDPOINTS]) {
    const address: unknown = server[name];
    if (address === undefined && !ENDPOINTS.some((needed) => needed === name)) continue;
    if (typeof address !== 'string' || !URL.canParse(address)) {
      throw new ProblemError('invalid_request', `has a discovery document without a valid ${name}`);
    }
    outgoing.checkAddress(new URL(address));
  }
  return server;
}

/** RFC 8414 section 2: HTTP Basic is the default of a provider that names no method. */
const authenticationOf = (server: Server, secret: string | null) => {
  if (secret === null) return undefined;
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
};

const SIGNED_BY_KEY = /^(RS|PS|ES)\d{3}$|^Ed(25519|DSA)$/;

/** Only asymmetric algorithms: a shared secret does not prove who signed. */
const algorithmsOf = ({ id_token_signing_alg_values_supported: named = ['RS256'] }: Server): string[] =>
  named.filter((algorithm) => SIGNED_BY_KEY.test(algorithm));

interface ProviderClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

interface ProviderKeys {
  readonly keySet: unknown;
  readonly algorithms: readonly string[];
}

interface Discovery {
  /** Reads and checks the document of an issuer. Pass its errors to `describeDiscoveryFailure`. */
  discover(issuer: string, deadline: AbortSignal): Promise<Server>;
  /** Reads the document of an issuer that was checked before. Throws `service_unavailable`. */
  discoverAgain(issuer: string, deadline: AbortSignal): Promise<Server>;
  configure(provider: ProviderClient, deadline: AbortSignal): Promise<Configuration>;
  /** Reads the key set of an issuer, and the algorithms with which it signs. Throws `service_unavailable`. */
  readKeys(issuer: string, deadline: AbortSignal): Promise<ProviderKeys>;
}

/** Creates a client of discovery documents. It caches nothing, so nothing is stale. */
export function createDiscovery(outgoing: OutgoingFetch): Discovery {
  /** All requests of one operation share its deadline. */
  const fetchWithin = (deadline: AbortSignal) => (url: string, request: Parameters<OutgoingFetch['fetch']>[1]) =>
    outgoing.fetch(url, { ...request, signal: deadline });

  const discover = async (issuer: string, deadline: AbortSignal): Promise<Server> => {
    const found = await discovery(new URL(issuer), 'unused', undefined, undefined, {
      [customFetch]: fetchWithin(deadline),
      // The fetch rejects `http:` except for loopback.
      execute: [allowInsecureRequests],
    });
    return checkServer(outgoing, found.serverMetadata(), issuer);
  };

  const discoverAgain = (issuer: string, deadline: AbortSignal): Promise<Server> =>
    discover(issuer, deadline).catch((thrown: unknown) => {
      throw discoveryProblem(thrown);
    });

  /** Creates a separate configuration per operation: its keys are as fresh as the login, and operations share no state. */
  const configure = async (provider: ProviderClient, deadline: AbortSignal): Promise<Configuration> => {
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

  const readKeys = async (issuer: string, deadline: AbortSignal): Promise<ProviderKeys> => {
    const server = await discoverAgain(issuer, deadline);
    const request = { method: 'GET', headers: { accept: 'application/json' } };
    try {
      const response = await fetchWithin(deadline)(server.jwks_uri ?? '', request);
      if (!response.ok) throw new TypeError(`The key set returned status ${response.status}.`);
      return { keySet: await response.json(), algorithms: algorithmsOf(server) };
    } catch (thrown) {
      throw discoveryProblem(thrown);
    }
  };

  return { discover, discoverAgain, configure, readKeys };
}
