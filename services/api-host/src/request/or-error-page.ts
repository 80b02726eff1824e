import { asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import { escapeHtml, type ResponseHeaders, type RouteRequest, type RouteResponse } from '@sluice/http';
import { page } from '../pages/page.ts';

const headersOf = ({ code, retryAfterSeconds }: ProblemError): ResponseHeaders => ({
  // The address of the callback contains a code. It is used by now, but still must not reach other sites.
  'referrer-policy': 'no-referrer',
  ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="sluice"' } : {}),
  ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
});

const errorPage = ({ name }: Tenant, problem: ProblemError): RouteResponse =>
  page({
    status: problem.status,
    title: `Sign in to ${name}`,
    headers: headersOf(problem),
    body: `<p role="alert">${escapeHtml(problem.message)}</p>
<p><a href="/auth/login/${escapeHtml(name)}">Try again</a>, or
<a href="/auth/sign-in/${escapeHtml(name)}">sign in with a password</a></p>`,
  });

export const acceptsHtml = (headers: RouteRequest['headers']): boolean =>
  headers.get('accept')?.includes('text/html') === true;

/** Returns the response of `handle`, or its error as a page if the client accepts HTML. Other clients get the error as JSON. */
export async function orErrorPage(
  { tenant, headers }: { readonly tenant: Tenant; readonly headers: RouteRequest['headers'] },
  handle: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    return await handle();
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (!acceptsHtml(headers) || problem.code === 'internal') throw thrown;
    return errorPage(tenant, problem);
  }
}
