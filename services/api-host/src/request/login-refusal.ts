import { asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import type { ResponseHeaders, RouteRequest, RouteResponse } from '@sluice/http';
import { escapeHtml, page } from '../pages/page.ts';

const headersOf = ({ code, retryAfterSeconds }: ProblemError): ResponseHeaders => ({
  // The address has a code in it, which is spent, and is still nobody else's business.
  'referrer-policy': 'no-referrer',
  ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="sluice"' } : {}),
  ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
});

const refusalPage = ({ name }: Tenant, problem: ProblemError): RouteResponse =>
  page({
    status: problem.status,
    title: `Sign in to ${name}`,
    headers: headersOf(problem),
    body: `<p role="alert">${escapeHtml(problem.message)}</p>
<p><a href="/auth/login/${escapeHtml(name)}">Try again</a>, or
<a href="/auth/sign-in/${escapeHtml(name)}">sign in with a password</a></p>`,
  });

export const wantsPage = (headers: RouteRequest['headers']): boolean =>
  headers.get('accept')?.includes('text/html') === true;

/** A browser that was led here shows a person what was refused; a program gets it as JSON, as everywhere. */
export async function orPage(
  { tenant, headers }: { readonly tenant: Tenant; readonly headers: RouteRequest['headers'] },
  work: () => Promise<RouteResponse>,
): Promise<RouteResponse> {
  try {
    return await work();
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (!wantsPage(headers) || problem.code === 'internal') throw thrown;
    return refusalPage(tenant, problem);
  }
}
