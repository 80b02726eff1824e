import type { RequestOrigin } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { RouteRequest } from '@sluice/http';

type OriginFields = Pick<RouteRequest, 'address' | 'requestId' | 'userAgent'>;

export const requestOrigin = ({ address, requestId, userAgent }: OriginFields): RequestOrigin => ({
  address,
  requestId,
  ...(userAgent === undefined ? {} : { userAgent }),
});

/** Values of Sec-Fetch-Site for a request of our own page, and for one of the user: a typed address or a bookmark. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Checks whether a page of another origin caused the request, also through redirects (Fetch Metadata Request Headers, section 2.3). Programs
 * and old browsers send no such header: they count as our own.
 */
export function isFromOtherSite(headers: RouteRequest['headers']): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== undefined && !OWN_SITES.has(site.toLowerCase());
}

/**
 * Rejects requests that were not sent by a page of this host: only those may act by a cookie. Browsers send the Origin header with
 * every POST (Fetch standard, section 3.2), so a request without it is rejected too. Throws `access_denied`.
 */
export function requireOwnOrigin({ origin, baseUrl }: Pick<RouteRequest, 'origin' | 'baseUrl'>): void {
  if (origin === baseUrl) return;
  throw new ProblemError(
    'access_denied',
    `Only pages of ${baseUrl} may send this request. The Origin header must name that address.`,
  );
}

/** Values of Sec-Fetch-Dest for a page in a page. */
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object']);

/**
 * Rejects a page that another page embeds, for pages on which a user decides (RFC 9700 section 4.16). Their headers keep any browser from
 * showing them; this makes the attempt an error, which is recorded. Throws `access_denied`.
 */
export function refuseFrame(headers: RouteRequest['headers']): void {
  if (!FRAMES.has(headers.get('sec-fetch-dest')?.toLowerCase() ?? '')) return;
  throw new ProblemError(
    'access_denied',
    'This page cannot be shown within another page. Open it in a tab of its own.',
  );
}
