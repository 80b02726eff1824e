import type { RequestOrigin } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { RouteRequest } from '@sluice/http';

type Addressed = Pick<RouteRequest, 'address' | 'requestId' | 'userAgent'>;

export const requestOrigin = ({ address, requestId, userAgent }: Addressed): RequestOrigin => ({
  address,
  requestId,
  ...(userAgent === undefined ? {} : { userAgent }),
});

/**
 * Only our own pages may act by a cookie. Browsers name the page's origin on every POST (Fetch standard, section 3.2), so one
 * without it is not from a page of ours either. Throws `access_denied`.
 */
export function requireOwnOrigin({ origin, baseUrl }: Pick<RouteRequest, 'origin' | 'baseUrl'>): void {
  if (origin === baseUrl) return;
  throw new ProblemError('access_denied', `Only pages of ${baseUrl} may send this; the Origin header says otherwise.`);
}
