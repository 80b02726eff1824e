import { ProblemError, type Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type RouteResponse } from '@sluice/http';
import { passwordSignInPath } from '../use-cases/identity/password-sign-in-path.ts';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

interface InvitationForm {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  readonly token: string;
  /** Invited e-mail; null if the user may choose it. */
  readonly email: string | null;
  /** Error of the last attempt. */
  readonly problem?: ProblemError;
}

/** Page to which a user goes who was not led here by another page. */
const CONSOLE = '/console/';

/** Returns the page of an invitation. The first field to fill in or to correct has the focus. */
export function invitationForm({ tenant, language, token, email, problem }: InvitationForm): RouteResponse {
  const messages = SIGN_IN_MESSAGES[language];
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problemSentence(problem, language))}</p>\n`;
  const isPasswordWrong = problem?.details?.some(({ path }) => path === 'body.password') === true;
  const [onEmail, onPassword] = email === null && !isPasswordWrong ? [' autofocus', ''] : ['', ' autofocus'];
  const emailField =
    email === null
      ? `<label for="email">${messages.email}</label>\n<input id="email" name="email" type="email" autocomplete="username" maxlength="320" required${onEmail}>`
      : `<p>${escapeHtml(messages.invited(email))}</p>`;
  return page({
    status: problem?.status ?? 200,
    title: messages.welcomeTo(tenant.name),
    language,
    body: `${alert}<form method="post" action="/auth/invitation/${escapeHtml(tenant.name)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${emailField}
<label for="password">${messages.newPassword}</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required${onPassword}>
<button>${messages.setPassword}</button>
</form>`,
  });
}

interface InvitationNotFound {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
}

/** Returns a page with the error of an invitation that is not found. Throws any other error. */
export function invitationNotFound({ tenant, language }: InvitationNotFound, thrown: unknown): RouteResponse {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'not_found') throw thrown;
  const { status } = thrown;
  const { welcomeTo, signIn } = SIGN_IN_MESSAGES[language];
  const link = `<p><a href="${escapeHtml(passwordSignInPath(tenant, CONSOLE))}">${signIn}</a></p>`;
  const body = `<p role="alert">${escapeHtml(problemSentence(thrown, language))}</p>\n${link}`;
  return page({ status, title: welcomeTo(tenant.name), language, body });
}

interface InvitationAccepted {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  readonly email: string;
}

/** Confirms a password where the browser could not be signed in with it, and leads to the form that takes it. */
export function invitationAccepted({ tenant, language, email }: InvitationAccepted): RouteResponse {
  const { welcomeTo, passwordIsSet, signIn } = SIGN_IN_MESSAGES[language];
  return page({
    status: 200,
    title: welcomeTo(tenant.name),
    language,
    body: `<p>${escapeHtml(passwordIsSet(email))}</p>
<p><a href="${escapeHtml(passwordSignInPath(tenant, CONSOLE))}">${signIn}</a></p>`,
  });
}
