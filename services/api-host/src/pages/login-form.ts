import type { ProblemError, Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type ResponseHeaders, type RouteResponse } from '@sluice/http';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

interface LoginForm {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  /** Whether the tenant has an identity provider, which the page then offers too. */
  readonly hasProvider: boolean;
  readonly returnTo: string | undefined;
  /** Error of the last attempt: `unauthorized` or `too_many_requests`. */
  readonly problem?: ProblemError;
  readonly email?: string;
}

/** Returns the origins to which the form may redirect: its response redirects to `return_to`. */
export const formTargetsOf = (returnTo: string | undefined): string[] =>
  returnTo === undefined || returnTo.startsWith('/') ? [] : [new URL(returnTo).origin];

/** Returns the path of the login at the identity provider. */
export const providerSignInPath = ({ name }: Tenant, returnTo: string | undefined): string =>
  `/auth/login/${name}?${new URLSearchParams({ with: 'provider', ...(returnTo === undefined ? {} : { return_to: returnTo }) })}`;

/** Headers of a page that shows an error: it is HTML, but its status is that of the error. */
const headersOf = ({ code, retryAfterSeconds }: ProblemError): ResponseHeaders =>
  code === 'unauthorized'
    ? { 'www-authenticate': 'Bearer realm="sluice"' }
    : { 'retry-after': String(retryAfterSeconds ?? 1) };

export function loginForm({ tenant, language, hasProvider, returnTo, problem, email = '' }: LoginForm): RouteResponse {
  const messages = SIGN_IN_MESSAGES[language];
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problemSentence(problem, language))}</p>\n`;
  const hidden =
    returnTo === undefined ? '' : `<input type="hidden" name="return_to" value="${escapeHtml(returnTo)}">\n`;
  // After a wrong password, its field is the first one to correct.
  const [onEmail, onPassword] = email === '' ? [' autofocus', ''] : ['', ' autofocus'];
  const other = hasProvider
    ? `\n<p><a href="${escapeHtml(providerSignInPath(tenant, returnTo))}">${escapeHtml(messages.withProvider(tenant.name))}</a></p>`
    : '';
  return page({
    status: problem?.status ?? 200,
    title: messages.signInTo(tenant.name),
    language,
    formTargets: formTargetsOf(returnTo),
    headers: problem === undefined ? {} : headersOf(problem),
    body: `${alert}<form method="post" action="/auth/sign-in/${escapeHtml(tenant.name)}">
${hidden}<label for="email">${messages.email}</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="320" required${onEmail} value="${escapeHtml(email)}">
<label for="password">${messages.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required${onPassword}>
<button>${messages.signIn}</button>
</form>${other}`,
  });
}

/** Confirms a login that leads to no other page. */
export function signedInPage(language: PageLanguage, headers: ResponseHeaders): RouteResponse {
  const { signedIn, youAreSignedIn, openConsole } = SIGN_IN_MESSAGES[language];
  const body = `<p>${youAreSignedIn} <a href="/console/">${openConsole}</a></p>`;
  return page({ status: 200, title: signedIn, language, body, headers });
}
