import type { IncomingMessage } from 'node:http';
import type { CredentialKind, Principal, Tenant } from '@sluice/contract';

/** What the kernel knows of a request before it knows who asks. */
export interface AuthenticationContext {
  /** Of the host name or the path; absent where neither names one, then the token or the deployment's default does. */
  readonly tenant?: Tenant;
  /** The client's address, behind trusted proxies the one they report. */
  readonly address: string;
  readonly requestId: string;
  readonly userAgent?: string;
  /** Aborts when the client is gone. */
  readonly signal?: AbortSignal;
}

/** Proves who asks. */
export interface Authenticator {
  /**
   * Resolves with the caller or rejects with a ProblemError: `unauthorized` (no credential, or none that is valid here),
   * `ambiguous_credentials`, `too_many_requests`, or `service_unavailable` when it cannot be known.
   */
  authenticate(
    request: IncomingMessage,
    accepted: readonly CredentialKind[],
    expected: AuthenticationContext,
  ): Promise<Principal>;
}

export interface TenantDirectory {
  /** By the name of host names and paths, which is lower case; rejects with a ProblemError when the store is down. */
  find(name: string): Promise<Tenant | undefined>;
}
