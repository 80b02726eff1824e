import type { OAuthClient } from '@sluice/auth';
import {
  type AuthorizationRequest,
  isNativeRedirectUri,
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
  readonly client: OAuthClient;
  readonly session: BrowserSession;
  readonly scope: Scope;
  /** Parameters of the request, which the form sends again. */
  readonly request: AuthorizationRequest;
  readonly redirectUri: string;
  /** Path of the request, to which another login leads back. */
  readonly returnTo: string;
}

/** Returns the hidden fields of a form, one for each value. */
export const hiddenFields = (fields: Readonly<Record<string, string | readonly string[] | undefined>>): string =>
  Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((each) => [name, each] as const)))
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
  const identity = scope?.includes('openid') ? [messages.identity] : [];
  if (narrowed.length === 0 && identity.length === 0) return `<p>${messages.nothing}</p>`;
  const texts = [...identity, ...narrowed.map((each) => PERMISSION_TEXTS[language][each])];
  const items = texts.map((each) => `<li>${escapeHtml(each)}</li>`).join('\n');
  return `<p>${scope === undefined ? messages.everything : messages.limited}</p>\n<ul>\n${items}\n</ul>`;
}

/** Returns the sentence about where the response goes, and the source of it for the policy of the page (CSP Level 3 section 2.3.1). */
function recipientOf(redirectUri: string, language: PageLanguage) {
  const { protocol, origin } = new URL(redirectUri);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  const { onThisComputer, goesTo } = CONSENT_MESSAGES[language];
  const sentence = isNativeRedirectUri(redirectUri) ? onThisComputer : goesTo(origin);
  return { sentence, source: isWeb ? origin : protocol };
}

/** Returns the page that asks whether a program may log in. Only this host can show it, in no frame (RFC 9700 section 4.16). */
export function consentForm(form: ConsentForm): RouteResponse {
  const { tenant, language, client, session, scope, request, redirectUri, returnTo } = form;
  const { account } = session;
  const messages = CONSENT_MESSAGES[language];
  const { sentence, source } = recipientOf(redirectUri, language);
  const homePage =
    client.homePage === undefined
      ? ''
      : `\n<p><a href="${escapeHtml(client.homePage)}" rel="noreferrer">${escapeHtml(client.homePage)}</a></p>`;
  const warning =
    client.kind === 'document'
      ? `\n<p role="alert">${escapeHtml(messages.unregistered(new URL(client.id).host))}</p>`
      : '';
  return page({
    status: 200,
    title: messages.letIn(client.name),
    language,
    formTargets: [source],
    body: `<p>${escapeHtml(messages.asks(client.name, tenant.name, account.name))}</p>${homePage}${warning}
${permissionList(account.permissions, scope, language)}
<p>${escapeHtml(sentence)} ${messages.warning}</p>
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
