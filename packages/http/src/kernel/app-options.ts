import type { Logger, Metrics } from '@sluice/observability';
import type { Authenticator, TenantDirectory } from '../model/ports.ts';
import type { Route } from '../model/route.ts';
import type { AnonymousBodyLimits } from '../request/anonymous-bodies.ts';
import type { AddressRules } from '../request/public-address.ts';
import type { Denial } from './authorize.ts';
import type { AllowedOrigins } from './cors.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface AppOptions extends AddressRules {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly tenants: TenantDirectory;
  /** What follows `<tenant>-` in a host name that names a tenant: `stream.example.com`, or `stream.*` for any domain. */
  readonly tenantHostSuffix: string;
  readonly allowedOrigins: AllowedOrigins;
  /**
   * Whether this host answers to a name; any by default. A development host answers to names of this machine alone: another
   * name that leads here is a web page that has rebound its DNS name, and would read with the machine's own rights.
   */
  readonly isOwnHostName?: (hostname: string) => boolean;
  /**
   * Records a refusal with 403 of an authenticated caller, whether the kernel or a handler refused. The answer waits for it;
   * when it rejects, that is logged and the answer is 403 all the same.
   */
  readonly onDenied: (denial: Denial) => Promise<void>;
  /** Shared with the health routes; the app makes its own when it is absent. */
  readonly lifecycle?: Lifecycle;
  readonly log: Logger;
  readonly metrics: Metrics;
  /**
   * Addresses and networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed (`10.0.0.0/8`, `loopback`); none by default.
   * `trustsForwardedHost` is for their `X-Forwarded-Host`.
   */
  readonly trustedProxies?: readonly string[];
  /** Limits of bodies of clients that have not logged in; 200 bodies, 4 MiB, 10 s by default. */
  readonly anonymousBodyLimits?: AnonymousBodyLimits;
  /** A client that takes no byte for so long is cut; 60 s by default. */
  readonly stallMs?: number;
}

export const STALL_MS_DEFAULT = 60_000;
