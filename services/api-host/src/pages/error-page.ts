import type { ProblemError, Tenant } from '@sluice/contract';
import { escapeHtml, type ResponseHeaders, type RouteResponse } from '@sluice/http';
import { page } from './page.ts';

const headersOf = ({ code, retryAfterSeconds }: ProblemError): ResponseHeaders => ({
  // The address of the callback contains a code. It is used by now, but still must not reach other sites.
  'referrer-policy': 'no-referrer',
  ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="sluice"' } : {}),
  ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
});

/** Shows why a login failed, with both ways to try again. */
export const errorPage = ({ name }: Tenant, problem: ProblemError): RouteResponse =>
  page({
    status: problem.status,
    title: `Sign in to ${name}`,
    headers: headersOf(problem),
    body: `<p role="alert">${escapeHtml(problem.message)}</p>
<p><a href="/auth/login/${escapeHtml(name)}">Try again</a>, or
<a href="/auth/sign-in/${escapeHtml(name)}">sign in with a password</a></p>`,
  });
