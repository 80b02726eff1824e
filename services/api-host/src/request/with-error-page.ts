import { asProblem, type Tenant } from '@sluice/contract';
import type { RouteRequest, RouteResponse } from '@sluice/http';
import { errorPage } from '../pages/error-page.ts';
import { pageLanguage } from './page-language.ts';

export const acceptsHtml = (headers: RouteRequest['headers']): boolean =>
  headers.get('accept')?.includes('text/html') === true;

interface ErrorPageRequest {
  readonly tenant: Tenant;
  readonly headers: RouteRequest['headers'];
  /** Page from which the user came, to which the next attempt leads back. */
  readonly returnTo?: string | undefined;
}

/**
 * Returns the response of `handle`, or a page with its error if the client accepts HTML. Throws the error for other clients, which get it as
 * JSON, and an unexpected error for all clients, because the kernel logs it.
 */
export async function withErrorPage(
  { tenant, headers, returnTo }: ErrorPageRequest,
  handle: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    return await handle();
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (!acceptsHtml(headers) || problem.code === 'internal') throw thrown;
    return errorPage({ tenant, language: pageLanguage(headers), returnTo }, problem);
  }
}
