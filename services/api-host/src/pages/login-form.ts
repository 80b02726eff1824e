import type { Tenant } from '@sluice/contract';
import { escapeHtml, type ResponseHeaders, type RouteResponse } from '@sluice/http';
import { page } from './page.ts';

interface LoginForm {
  readonly tenant: Tenant;
  readonly returnTo: string | undefined;
  /** Error of the last attempt. */
  readonly problem?: { readonly status: number; readonly message: string; readonly headers: ResponseHeaders };
  readonly email?: string;
}

/** Returns the origins to which the form may redirect: its response redirects to `return_to`. */
export const formTargetsOf = (returnTo: string | undefined): string[] =>
  returnTo === undefined || returnTo.startsWith('/') ? [] : [new URL(returnTo).origin];

export function loginForm({ tenant, returnTo, problem, email = '' }: LoginForm): RouteResponse {
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem.message)}</p>\n`;
  const hidden =
    returnTo === undefined ? '' : `<input type="hidden" name="return_to" value="${escapeHtml(returnTo)}">\n`;
  return page({
    status: problem?.status ?? 200,
    title: `Sign in to ${tenant.name}`,
    formTargets: formTargetsOf(returnTo),
    headers: problem?.headers ?? {},
    body: `${alert}<form method="post" action="/auth/sign-in/${escapeHtml(tenant.name)}">
${hidden}<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="320" required autofocus value="${escapeHtml(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required>
<button>Sign in</button>
</form>`,
  });
}

/** Confirms a login that leads to no other page. */
export const signedInPage = (headers: ResponseHeaders): RouteResponse =>
  page({ status: 200, title: 'Signed in', body: '<p>You are signed in. This page can be closed.</p>', headers });
