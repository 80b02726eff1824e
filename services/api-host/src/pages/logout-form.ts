import type { Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type ResponseHeaders, type RouteResponse } from '@sluice/http';
import { page } from './page.ts';
import { SIGN_IN_MESSAGES } from './sign-in-messages.ts';

/** Asks before a logout that a page of another site requested. */
export function logoutForm({ name }: Tenant, language: PageLanguage): RouteResponse {
  const { signOutOf, otherSite, signOut, stay } = SIGN_IN_MESSAGES[language];
  return page({
    status: 200,
    title: signOutOf(name),
    language,
    body: `<p>${otherSite}</p>
<form method="post" action="/auth/logout/${escapeHtml(name)}">
<button autofocus>${signOut}</button>
</form>
<p><a href="/console/">${stay}</a></p>`,
  });
}

interface SignedOutPage {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  /** Address to which the page leads. */
  readonly next: string;
  readonly headers: ResponseHeaders;
}

/**
 * Confirms a logout and leads to `next`. A redirect would not do: browsers apply `form-action` to it, and the address of the identity
 * provider is not known when the form is shown.
 */
export function signedOutPage({ tenant, language, next, headers }: SignedOutPage): RouteResponse {
  const { signedOutOf, youAreSignedOut, signInAgain } = SIGN_IN_MESSAGES[language];
  return page({
    status: 200,
    title: signedOutOf(tenant.name),
    language,
    body: `<p>${youAreSignedOut} <a href="${escapeHtml(next)}">${signInAgain}</a></p>`,
    headers: { ...headers, refresh: `0; url=${next}` },
  });
}
