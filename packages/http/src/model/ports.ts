import type { IncomingMessage } from 'node:http';
import type { CredentialKind, Principal, Tenant } from '@sluice/contract';

/** Known facts of a request before its caller is authenticated. */
interface AuthenticationContext {
  /** Tenant of the host name or the path. Absent if neither names one; then the token or the default tenant applies. */
  readonly tenant?: Tenant;
  /** Address of the client, or the one that a trusted proxy reports. */
  readonly address: string;
  readonly requestId: string;
  readonly userAgent?: string;
  /** Aborts when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** Authenticates the caller of a request. */
export interface Authenticator {
  /**
   * Resolves to the caller, or rejects with a ProblemError: `unauthorized` (no valid credential), `ambiguous_credentials`,
   * `too_many_requests`, or `service_unavailable` if the store does not respond.
   */
  authenticate(
    request: IncomingMessage,
    accepted: readonly CredentialKind[],
    expected: AuthenticationContext,
  ): Promise<Principal>;
}

export interface TenantDirectory {
  /** Finds a tenant by its lower-case name. Rejects with a ProblemError if the store is down. */
  find(name: string): Promise<Tenant | undefined>;
}
