import { asProblem, type Tenant } from '@sluice/contract';
import { pageLanguage, type RouteRequest, type RouteResponse } from '@sluice/http';
import { errorPage } from '../pages/error-page.ts';

export const acceptsHtml = (headers: RouteRequest['headers']): boolean =>
  headers.get('accept')?.includes('text/html') === true;

export interface ErrorPageRequest {
  readonly tenant: Tenant;
  readonly headers: RouteRequest['headers'];
  /** Page from which the user came, to which the next attempt leads back. `handle` may set it: it is read when it has failed. */
  returnTo?: string | undefined;
}

/**
 * Returns the response of `handle`, or a page with its error if the client accepts HTML. Throws the error for other clients, which get it as
 * JSON, and an unexpected error for all clients, because the kernel logs it.
 */
export async function withErrorPage(
  request: ErrorPageRequest,
  handle: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    return await handle();
  } catch (thrown) {
    const problem = asProblem(thrown);
    const { tenant, headers, returnTo } = request;
    if (!acceptsHtml(headers) || problem.code === 'internal') throw thrown;
    return errorPage({ tenant, language: pageLanguage(headers), returnTo }, problem);
  }
}
