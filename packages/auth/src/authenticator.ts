import type { IncomingMessage } from 'node:http';
import { type CredentialKind, type Principal, ProblemError, type Tenant } from '@sluice/contract';
import { readCredential } from './credential.ts';
import type { CredentialVerifier } from './credential-verifier.ts';
import { readDeviceCookie } from './device-cookie.ts';
import type { RequestOrigin } from './ports.ts';
import { createStrategies } from './strategies.ts';

export interface Authenticator {
  /**
   * Who asks, as the store says at this moment. `expected.tenant` is of the host name or the path; without it a token names
   * its own, and Basic is of the default tenant. The principal of a suspended tenant is answered too, so that its refusal
   * (403, the kernel's) can be recorded. Throws ProblemErrors only: `unauthorized`, `ambiguous_credentials`,
   * `too_many_requests`, `audit_unavailable`, `service_unavailable`.
   */
  authenticate(
    request: IncomingMessage,
    accepted: readonly CredentialKind[],
    expected: { tenant?: Tenant; address: string; requestId: string; userAgent?: string; signal?: AbortSignal },
  ): Promise<Principal>;
}

const INTERNAL_MESSAGE = 'The credential could not be checked. The request id finds it in the log.';

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
