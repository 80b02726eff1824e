import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ClientTls } from './http-client.ts';

/** Credentials by which this service authenticates to Trino. The user of a statement is separate: `X-Trino-User`. */
export type TrinoCredentials =
  | { readonly kind: 'none' }
  /** The service's own account, which Trino must allow to impersonate its users. */
  | { readonly kind: 'password'; readonly user: string; readonly password: string }
  | { readonly kind: 'jwt'; readonly token: string }
  /** PEM, not paths. */
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string; readonly passphrase?: string };

/** Settings of a tenant's Trino. Plain data, because it is sent to a query worker. It contains the credentials. */
export interface TrinoProfile {
  /** Address of the coordinator: scheme, host, port. */
  readonly baseUrl: string;
  /**
   * Catalogs that the tenant may name. Statements that clearly name another catalog are rejected here; Trino's access control is
   * the real boundary.
   */
  readonly catalogs: readonly string[];
  readonly defaultCatalog: string;
  readonly defaultSchema?: string;
  readonly credentials: TrinoCredentials;
  /** Certificate (PEM) of the authority that signed Trino's certificate, if the system does not know it. */
  readonly authority?: string;
  /** Template of the user name for Trino, with `{user}` for the account's name. Default: that name alone. */
  readonly userTemplate?: string;
  /** `X-Trino-Source`, by which Trino's resource groups can identify this service. Default: `sluice`. */
  readonly source?: string;
  readonly clientTags?: readonly string[];
  /** `off`: never ask for the spooled protocol. Default: `offered`, use it where the server has it. */
  readonly spooling?: 'offered' | 'off';
  /** Further origins from which segments may be fetched: the object store, if clients read it directly. */
  readonly segmentOrigins?: readonly string[];
  readonly limits?: Partial<TrinoLimits>;
}

/** Limits of one statement's traffic with Trino. */
export interface TrinoLimits {
  /** Size of one page or segment, decoded. A row must fit into it. */
  readonly pageBytesMax: number;
  /** Size of prefetched segments of the spooled protocol. */
  readonly aheadBytesMax: number;
  /** Time without a byte from Trino after which a request fails. */
  readonly answerTimeoutMs: number;
  /** Time for which a request is retried that Trino, or a proxy before it, could not accept (502, 503, 504, a lost connection). */
  readonly retryForMs: number;
  /** Interval of requests to Trino while the reader takes nothing. Trino drops a statement after 5 minutes without a request. */
  readonly heartbeatMs: number;
}

export const TRINO_LIMITS: TrinoLimits = {
  pageBytesMax: 32 * 1024 * 1024,
  aheadBytesMax: 32 * 1024 * 1024,
  answerTimeoutMs: 20_000,
  retryForMs: 4_000,
  heartbeatMs: 30_000,
};

/** Throws an Error with a message for the operator if a profile is invalid: its address, or its certificates and keys. */
export function checkTrinoProfile(profile: TrinoProfile): void {
  checkedOrigin(profile);
  try {
    createSecureContext(tlsOf(profile));
    if (profile.authority !== undefined) new X509Certificate(profile.authority); // the context would ignore this silently
  } catch (cause) {
    throw new Error(
      'Certificates, keys and authorities for Trino must be complete and in PEM format, with the right passphrase.',
      { cause },
    );
  }
}

/** Returns the TLS options for Trino, as node:tls names them. */
export function tlsOf({ authority, credentials }: TrinoProfile): ClientTls {
  const ca = authority === undefined ? {} : { ca: authority };
  if (credentials.kind !== 'certificate') return ca;
  const { certificate, key, passphrase } = credentials;
  return { ...ca, cert: certificate, key, ...(passphrase === undefined ? {} : { passphrase }) };
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns the origin of a profile's address. Throws an Error with a message for the operator, because this is configuration and
 * not a request. A password or token over plain HTTP is rejected, except on loopback, where a proxy may add TLS.
 */
export function checkedOrigin(profile: TrinoProfile): string {
  const url = URL.canParse(profile.baseUrl) ? new URL(profile.baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('The address of Trino must begin with http:// or https:// and contain a host.');
  }
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Error('The address of Trino must consist of scheme, host and port only: no path, no credentials.');
  }
  const isSecret = profile.credentials.kind !== 'none';
  if (isSecret && url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw new Error('Credentials are sent to Trino over https:// only.');
  }
  return url.origin;
}
