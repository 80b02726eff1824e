import { type ProblemError, signInProblem, type Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type RouteResponse } from '@sluice/http';
import type { UnconfirmedLink } from '../use-cases/identity/unconfirmed-link.ts';
import { formTargetsOf } from './login-form.ts';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

interface LinkForm {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  readonly link: UnconfirmedLink;
  readonly token: string;
  /** Error of the last attempt. */
  readonly problem?: ProblemError;
}

/** Explains why the account is not linked: as JSON to a program, and above the form in a browser. */
export const linkProblem = ({ user, identity }: UnconfirmedLink): ProblemError =>
  signInProblem('access_denied', 'link_needs_password', {
    values: {
      email: user.email,
      operation: `POST /admin/users/${user.id}/link-identity`,
      subject: JSON.stringify(identity.subject),
    },
  });

const passwordField = ({ tenant, language, token }: LinkForm): string =>
  `<form method="post" action="/auth/link/${escapeHtml(tenant.name)}">
<input type="hidden" name="link" value="${escapeHtml(token)}">
<label for="password">${SIGN_IN_MESSAGES[language].localPassword}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required autofocus>
<button>${SIGN_IN_MESSAGES[language].linkAccount}</button>
</form>`;

/** Returns the page that asks for the password before the account of an admin is linked. */
export function linkForm(form: LinkForm): RouteResponse {
  const { tenant, language, link, problem } = form;
  const explained = linkProblem(link);
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problemSentence(problem, language))}</p>\n`;
  const { retryAfterSeconds } = problem ?? explained;
  return page({
    status: (problem ?? explained).status,
    title: SIGN_IN_MESSAGES[language].signInTo(tenant.name),
    language,
    formTargets: formTargetsOf(link.returnTo),
    headers: {
      ...(problem?.code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="sluice"' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: `${alert}<p>${escapeHtml(problemSentence(explained, language))}</p>\n${link.user.has_password ? passwordField(form) : ''}`,
  });
}
