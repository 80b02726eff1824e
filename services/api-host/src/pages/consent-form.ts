import {
  type AuthorizationRequest,
  narrowPermissions,
  type Permission,
  type Scope,
  type Tenant,
} from '@sluice/contract';
import { escapeHtml, type PageLanguage, type RouteResponse } from '@sluice/http';
import type { BrowserSession } from '../use-cases/identity/find-browser-session.ts';
import { passwordSignInPath } from '../use-cases/identity/password-sign-in-path.ts';
import { CONSENT_MESSAGES } from './consent-messages.ts';
import { page } from './page.ts';
import { PERMISSION_TEXTS } from './permission-texts.ts';

interface ConsentForm {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  /** Name of the program. */
  readonly client: string;
  readonly session: BrowserSession;
  readonly scope: Scope;
  /** Parameters of the request, which the form sends again. */
  readonly request: AuthorizationRequest;
  readonly redirectUri: string;
  /** Path of the request, to which another login leads back. */
  readonly returnTo: string;
}

/** Returns the hidden fields of a form. */
export const hiddenFields = (fields: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(fields)
    .filter((field): field is [string, string] => field[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('\n');

/** Returns the buttons of a decision. */
export const decisionButtons = (language: PageLanguage): string => {
  const { allow, deny } = CONSENT_MESSAGES[language];
  return `<button name="decision" value="approve">${allow}</button>
<button class="plain" name="decision" value="deny">${deny}</button>`;
};

/** Describes what a program could do: the permissions of the user that its scope leaves. */
export function permissionList(permissions: readonly Permission[], scope: Scope, language: PageLanguage): string {
  const messages = CONSENT_MESSAGES[language];
  const narrowed = narrowPermissions(permissions, scope);
  if (narrowed.length === 0) return `<p>${messages.nothing}</p>`;
  const items = narrowed.map((each) => `<li>${escapeHtml(PERMISSION_TEXTS[language][each])}</li>`).join('\n');
  return `<p>${scope === undefined ? messages.everything : messages.limited}</p>\n<ul>\n${items}\n</ul>`;
}

/** Returns the page that asks whether a program may log in. Only this host can show it, in no frame (RFC 9700 section 4.16). */
export function consentForm(form: ConsentForm): RouteResponse {
  const { tenant, language, client, session, scope, request, redirectUri, returnTo } = form;
  const { account } = session;
  const messages = CONSENT_MESSAGES[language];
  const { hostname, origin } = new URL(redirectUri);
  const isLocal = hostname === '127.0.0.1';
  return page({
    status: 200,
    title: messages.letIn(client),
    language,
    formTargets: [origin],
    body: `<p>${escapeHtml(messages.asks(client, tenant.name, account.name))}</p>
${permissionList(account.permissions, scope, language)}
<p>${isLocal ? messages.onThisComputer : escapeHtml(origin)} ${messages.warning}</p>
<form method="post" action="/auth/${escapeHtml(tenant.name)}/oauth2/consent">
${hiddenFields({ ...request, account: account.id })}
${decisionButtons(language)}
</form>
<p><a href="${escapeHtml(passwordSignInPath(tenant, returnTo))}">${messages.otherAccount}</a></p>`,
  });
}

/** Confirms the login of a program of this computer, which redirected the browser here. */
export function loginFinishedPage(language: PageLanguage): RouteResponse {
  const { loginFinished, closeWindow } = CONSENT_MESSAGES[language];
  return page({ status: 200, title: loginFinished, language, body: `<p>${closeWindow}</p>` });
}
