import { ProblemError, type Tenant } from '@sluice/contract';
import { escapeHtml, type RouteResponse } from '@sluice/http';
import type { UnconfirmedLink } from '../use-cases/identity/unconfirmed-link.ts';
import { formTargetsOf } from './login-form.ts';
import { page } from './page.ts';

interface LinkForm {
  readonly tenant: Tenant;
  readonly link: UnconfirmedLink;
  readonly token: string;
  /** Error of the last attempt. */
  readonly problem?: ProblemError;
}

/** Explains why the account is not linked: as JSON to a program, and above the form in a browser. */
export const linkProblem = ({ user, identity }: UnconfirmedLink): ProblemError =>
  new ProblemError(
    'access_denied',
    `${user.email} administers this tenant: its link to single sign-on must be confirmed with its password here, or by another admin ` +
      `(POST /admin/users/${user.id}/link-identity with the subject ${JSON.stringify(identity.subject)}).`,
  );

const passwordField = ({ tenant, token }: LinkForm): string =>
  `<form method="post" action="/auth/link/${escapeHtml(tenant.name)}">
<input type="hidden" name="link" value="${escapeHtml(token)}">
<label for="password">Password here, not at the identity provider</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required autofocus>
<button>Link the account</button>
</form>`;

/** Returns the page that asks for the password before the account of an admin is linked. */
export function linkForm(form: LinkForm): RouteResponse {
  const { tenant, link, problem } = form;
  const explained = linkProblem(link);
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem.message)}</p>\n`;
  const { retryAfterSeconds } = problem ?? explained;
  return page({
    status: (problem ?? explained).status,
    title: `Sign in to ${tenant.name}`,
    formTargets: formTargetsOf(link.returnTo),
    headers: {
      ...(problem?.code === 'unauthorized' ? { 'www-authenticate': 'Bearer realm="sluice"' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: `${alert}<p>${escapeHtml(explained.message)}</p>\n${link.user.has_password ? passwordField(form) : ''}`,
  });
}
