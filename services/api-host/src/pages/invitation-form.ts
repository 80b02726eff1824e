import { ProblemError, type Tenant } from '@sluice/contract';
import { escapeHtml, type RouteResponse } from '@sluice/http';
import { page } from './page.ts';

interface InvitationForm {
  readonly tenant: Tenant;
  readonly token: string;
  /** Invited e-mail; null if the user may choose it. */
  readonly email: string | null;
  /** Error of the last attempt. */
  readonly problem?: ProblemError;
}

const emailField = (email: string | null): string =>
  email === null
    ? '<label for="email">E-mail</label>\n<input id="email" name="email" type="email" autocomplete="username" maxlength="320" required>'
    : `<p>for ${escapeHtml(email)}</p>`;

/** Returns the page of an invitation. */
export function invitationForm({ tenant, token, email, problem }: InvitationForm): RouteResponse {
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem.message)}</p>\n`;
  return page({
    status: problem?.status ?? 200,
    title: `Welcome to ${tenant.name}`,
    body: `${alert}<form method="post" action="/auth/invitation/${escapeHtml(tenant.name)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${emailField(email)}
<label for="password">New password (12 characters or more)</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required autofocus>
<button>Set the password</button>
</form>`,
  });
}

/** Returns a page with the error of an invitation that is not found. Throws any other error. */
export function invitationNotFound(tenant: Tenant, thrown: unknown): RouteResponse {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'not_found') throw thrown;
  const { status, message } = thrown;
  return page({ status, title: `Welcome to ${tenant.name}`, body: `<p role="alert">${escapeHtml(message)}</p>` });
}

export const invitationAccepted = (tenant: Tenant, email: string): RouteResponse =>
  page({
    status: 200,
    title: `Welcome to ${tenant.name}`,
    body: `<p>The password of ${escapeHtml(email)} is set.</p>
<p><a href="/auth/login/${escapeHtml(tenant.name)}">Sign in</a></p>`,
  });
