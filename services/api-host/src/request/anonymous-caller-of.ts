import type { Tenant } from '@sluice/contract';
import type { RouteRequest } from '@sluice/http';
import type { AnonymousCaller } from '../use-cases/identity/anonymous-caller.ts';
import { requestOrigin } from './request-origin.ts';

type AnonymousRequest = Pick<RouteRequest, 'address' | 'requestId' | 'userAgent'> & { readonly tenant: Tenant };

/** Picks the caller from a request of an anonymous operation, so that a use-case never receives the request itself. */
export const anonymousCallerOf = (request: AnonymousRequest): AnonymousCaller => ({
  tenant: request.tenant,
  origin: requestOrigin(request),
});
