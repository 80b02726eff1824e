import type { Operation } from '@sluice/contract';
import type { Logger, Metrics, Tracer } from '@sluice/observability';
import type { BeginExternalLogin } from '../model/external-login.ts';
import type { Authenticator, TenantDirectory } from '../model/ports.ts';
import type { ProblemPage } from '../model/problem-page.ts';
import type { Route } from '../model/route.ts';
import type { AccountRequestsOptions } from '../request/account-requests.ts';
import type { AnonymousBodyLimits } from '../request/anonymous-bodies.ts';
import type { AddressRules } from '../request/public-address.ts';
import type { Denial } from './authorize.ts';
import type { AllowedOrigins } from './cors.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface AppOptions extends AddressRules {
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly tenants: TenantDirectory;
  /** Suffix after `<tenant>-` in the host name of a tenant: `stream.example.com`, or `stream.*` for any domain. */
  readonly tenantHostSuffix: string;
  readonly allowedOrigins: AllowedOrigins;
  /**
   * Checks whether this host serves a host name. Default: any. A development host serves only loopback names: any other name belongs
   * to a web page that uses DNS rebinding to read with the rights of this machine.
   */
  readonly isOwnHostName?: (hostname: string) => boolean;
  /**
   * Records a 403 for an authenticated caller, from the kernel or a handler. The response waits for it. If it rejects, the error is
   * logged and the response is still 403.
   */
  readonly onDenied: (denial: Denial) => Promise<void>;
  /** Host whose paths are named in the 404 of this one, for clients that mix up the two. Default: none. */
  readonly otherHost?: { readonly name: string; readonly operations: readonly Operation[] };
  /** Renders a problem for a browser at an operation that has pages for all its problems. Default: the error JSON. */
  readonly problemPage?: ProblemPage;
  /** Path of the metadata of this host as an OAuth resource, which challenges name. Default: it has none. */
  readonly resourceMetadataPath?: string;
  /** Begins the login in a browser that a 401 of an operation with `externalLogin` names. Default: no 401 names one. */
  readonly externalLogin?: BeginExternalLogin;
  /** Shared with the health routes. Default: a new one. */
  readonly lifecycle?: Lifecycle;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Records a span for each request. Default: none. */
  readonly tracer?: Tracer;
  /**
   * Addresses and networks whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted (`10.0.0.0/8`, `loopback`). Default: none.
   * `trustsForwardedHost` applies to their `X-Forwarded-Host`.
   */
  readonly trustedProxies?: readonly string[];
  /** Limits for bodies of unauthenticated clients. Default: 200 bodies, 4 MiB, 10 s. */
  readonly anonymousBodyLimits?: AnonymousBodyLimits;
  /** Share of each account in the requests that are served at once. */
  readonly accountRequests?: AccountRequestsOptions;
  /** A client that reads no byte for this long is cut. Default: 60 s. */
  readonly stallMs?: number;
}

export const STALL_MS_DEFAULT = 60_000;
