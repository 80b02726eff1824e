import type { IncomingMessage } from 'node:http';
import { type CredentialKind, type Principal, ProblemError, type Tenant } from '@sluice/contract';
import { readCredential } from './credential.ts';
import type { CredentialVerifier } from './credential-verifier.ts';
import { readDeviceCookie } from './device-cookie.ts';
import type { RequestOrigin } from './ports.ts';
import { createStrategies } from './strategies.ts';

export interface Authenticator {
  /**
   * Returns the caller with its present roles and permissions from the store. `expected.tenant` is the tenant of the host name or
   * the path. Without it, a token names its tenant, and Basic uses the default tenant. The principal of a suspended tenant is
   * returned too, so that the kernel can record its rejection (403). Throws only ProblemErrors: `unauthorized`,
   * `ambiguous_credentials`, `too_many_requests`, `audit_unavailable`, `service_unavailable`, `internal`.
   */
  authenticate(
    request: IncomingMessage,
    accepted: readonly CredentialKind[],
    expected: { tenant?: Tenant; address: string; requestId: string; userAgent?: string; signal?: AbortSignal },
  ): Promise<Principal>;
}

const INTERNAL_MESSAGE = 'The credential could not be checked. Find the cause in the log by the request id.';

export function createAuthenticator(credentials: CredentialVerifier): Authenticator {
  const strategies = createStrategies();
  return {
    async authenticate(request, accepted, { tenant, signal, ...origin }) {
      const credential = readCredential(request, accepted);
      const deviceCookie = readDeviceCookie(request);
      const context = { accepted, tenant, origin: origin satisfies RequestOrigin, deviceCookie, signal };
      try {
        return await strategies.run(credential.kind, () => credentials.verify(credential, context));
      } catch (thrown) {
        if (thrown instanceof ProblemError) throw thrown;
        throw new ProblemError('internal', INTERNAL_MESSAGE, { cause: thrown });
      }
    },
  };
}
