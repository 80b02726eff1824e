import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ClientTls } from './http-client.ts';

/** How this service proves to Trino who it is; the person a statement runs for is told apart from that, by `X-Trino-User`. */
export type TrinoCredentials =
  | { readonly kind: 'none' }
  /** The service's own account, which Trino must allow to impersonate its users. */
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'jwt'; readonly token: string }
  /** PEM texts, not paths. */
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string; readonly passphrase?: string };

/** Everything a tenant's Trino is reached with; plain data, so that it can cross to a query worker. It holds the credentials. */
export interface TrinoProfile {
  /** Address of the coordinator: scheme, host, port. */
  readonly baseUrl: string;
  /** What the tenant may name. Statements that surely name another catalog are refused here; Trino's access control is the wall. */
  readonly catalogs: readonly string[];
  readonly defaultCatalog: string;
  readonly defaultSchema?: string;
  readonly credentials: TrinoCredentials;
  /** PEM text of the authority that signed Trino's certificate, when the system does not know it. */
  readonly authority?: string;
  /** The user that Trino is told, with `{user}` for the account's name. Default: that name alone. */
  readonly userTemplate?: string;
  /** `X-Trino-Source`, by which Trino's resource groups can tell this service. Default: `sluice`. */
  readonly source?: string;
  readonly clientTags?: readonly string[];
  /** `off`: never ask for the spooled protocol. Default: `offered`, use it where the server has it. */
  readonly spooling?: 'offered' | 'off';
  /** Other origins than Trino's that segments may be fetched from: the object store, when clients read it themselves. */
  readonly segmentOrigins?: readonly string[];
  readonly limits?: Partial<TrinoLimits>;
}

/** Bounds of one statement's traffic with Trino. */
export interface TrinoLimits {
  /** Of one page or segment, decoded. A row must fit into it. */
  readonly pageBytesMax: number;
  /** Fetched ahead of the reader, of segments of the spooled protocol. */
  readonly aheadBytesMax: number;
  /** Without a byte from Trino, a request is given up. */
  readonly answerTimeoutMs: number;
  /** So long is a request tried again that Trino, or what stands before it, could not take (502, 503, 504, a lost connection). */
  readonly retryForMs: number;
  /** While the reader takes nothing, Trino hears from us this often; it drops what it has not heard from for 5 minutes. */
  readonly heartbeatMs: number;
}

export const TRINO_LIMITS: TrinoLimits = {
  pageBytesMax: 32 * 1024 * 1024,
  aheadBytesMax: 32 * 1024 * 1024,
  answerTimeoutMs: 20_000,
  retryForMs: 4_000,
  heartbeatMs: 30_000,
};

/** Throws an Error with a sentence for the operator when a profile cannot be meant so: its address, or its certificates and keys. */
export function checkTrinoProfile(profile: TrinoProfile): void {
  checkedOrigin(profile);
  try {
    createSecureContext(tlsOf(profile));
    if (profile.authority !== undefined) new X509Certificate(profile.authority); // which the context would pass over in silence
  } catch (cause) {
    throw new Error(
      'Certificates, keys and authorities for Trino must be whole PEM texts, with the right passphrase.',
      { cause },
    );
  }
}

/** What TLS to Trino takes, in the words of node:tls. */
export function tlsOf({ authority, credentials }: TrinoProfile): ClientTls {
  const ca = authority === undefined ? {} : { ca: authority };
  if (credentials.kind !== 'certificate') return ca;
  const { certificate, key, passphrase } = credentials;
  return { ...ca, cert: certificate, key, ...(passphrase === undefined ? {} : { passphrase }) };
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The origin of a profile's address. Throws an Error with a sentence for the operator: this is configuration, not a request. A
 * password or token over plain HTTP is refused, except on loopback, where a proxy may add TLS.
 */
export function checkedOrigin(profile: TrinoProfile): string {
  const url = URL.canParse(profile.baseUrl) ? new URL(profile.baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('The address of Trino must begin with http:// or https:// and name a host.');
  }
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Error('The address of Trino is its scheme, host and port only: no path, no credentials.');
  }
  const isSecret = profile.credentials.kind !== 'none';
  if (isSecret && url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new Error('Credentials are sent to Trino over https:// only.');
  }
  return url.origin;
}
