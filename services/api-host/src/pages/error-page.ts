import type { ProblemError, Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type ResponseHeaders, type RouteResponse } from '@sluice/http';
import { passwordSignInPath } from '../use-cases/identity/password-sign-in-path.ts';
import { providerSignInPath } from './login-form.ts';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

const headersOf = ({ code, retryAfterSeconds }: ProblemError): ResponseHeaders => ({
  // The address of the callback contains a code. It is used by now, but still must not reach other sites.
  'referrer-policy': 'no-referrer',
  ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="sluice"' } : {}),
  ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
});

interface ErrorPage {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  /** Page from which the user came. Undefined: unknown. */
  readonly returnTo?: string | undefined;
}

/** Shows why a login failed, with both ways to try again. */
export function errorPage({ tenant, language, returnTo }: ErrorPage, problem: ProblemError): RouteResponse {
  const { signInTo, tryAgain, withPassword } = SIGN_IN_MESSAGES[language];
  return page({
    status: problem.status,
    title: signInTo(tenant.name),
    language,
    headers: headersOf(problem),
    body: `<p role="alert">${escapeHtml(problemSentence(problem, language))}</p>
<p><a href="${escapeHtml(providerSignInPath(tenant, returnTo))}">${tryAgain}</a></p>
<p><a href="${escapeHtml(passwordSignInPath(tenant, returnTo))}">${withPassword}</a></p>`,
  });
}
