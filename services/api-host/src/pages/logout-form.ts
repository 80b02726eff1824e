import type { Tenant } from '@sluice/contract';
import { escapeHtml, type ResponseHeaders, type RouteResponse } from '@sluice/http';
import { page } from './page.ts';

/** Asks before a logout that a page of another site requested. */
export const logoutForm = ({ name }: Tenant): RouteResponse =>
  page({
    status: 200,
    title: `Sign out of ${name}?`,
    body: `<p>Another site sent you here. Signing out also stops your running queries.</p>
<form method="post" action="/auth/logout/${escapeHtml(name)}">
<button autofocus>Sign out</button>
</form>
<p><a href="/console/">Stay signed in</a></p>`,
  });

/**
 * Confirms a logout and leads to `next`. A redirect would not do: browsers apply `form-action` to it, and the address of the identity
 * provider is not known when the form is shown.
 */
export const signedOutPage = ({ name }: Tenant, next: string, headers: ResponseHeaders): RouteResponse =>
  page({
    status: 200,
    title: `Signed out of ${name}`,
    body: `<p>You are signed out. <a href="${escapeHtml(next)}">Sign in again</a></p>`,
    headers: { ...headers, refresh: `0; url=${next}` },
  });
