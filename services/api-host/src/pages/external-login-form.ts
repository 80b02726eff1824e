import { addressPrefix, type RequestedLogin, TRINO_CLIENT } from '@sluice/auth';
import type { Scope, Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type RouteResponse } from '@sluice/http';
import type { BrowserSession } from '../use-cases/identity/find-browser-session.ts';
import { passwordSignInPath } from '../use-cases/identity/password-sign-in-path.ts';
import { decisionButtons, hiddenFields, permissionList } from './consent-form.ts';
import { CONSENT_MESSAGES } from './consent-messages.ts';
import { page } from './page.ts';

interface ExternalLoginForm {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
  readonly session: BrowserSession;
  readonly scope: Scope;
  readonly requested: RequestedLogin;
  /** Value from the challenge, which the form sends again. */
  readonly login: string;
  /** Address of the browser. */
  readonly address: string;
  /** Path of the page, to which another login leads back. */
  readonly returnTo: string;
}

/** Returns the sentences about the client. Another address than that of the browser is what a phishing link looks like. */
function askerSentences({ requested, address, language }: ExternalLoginForm): string {
  const { callsItself, askedAt, from, browserAt } = CONSENT_MESSAGES[language];
  const time = new Date(requested.createdMs).toISOString().slice(11, 19);
  const isElsewhere = addressPrefix(requested.address) !== addressPrefix(address);
  return [
    ...(requested.program === '' ? [] : [callsItself(requested.program)]),
    askedAt(time),
    from(requested.address),
    ...(isElsewhere ? [browserAt(address)] : []),
  ].join(' ');
}

/** Asks whether a Trino client may log in, with what lets the user tell their own from that of an attacker (RFC 8628 section 5.4). */
export function externalLoginForm(form: ExternalLoginForm): RouteResponse {
  const { tenant, language, session, scope, login, returnTo } = form;
  const { account } = session;
  const messages = CONSENT_MESSAGES[language];
  return page({
    status: 200,
    title: messages.letIn(TRINO_CLIENT.name),
    language,
    body: `<p>${escapeHtml(messages.asks(TRINO_CLIENT.name, tenant.name, account.name))}</p>
<p>${escapeHtml(askerSentences(form))}</p>
${permissionList(account.permissions, scope, language)}
<p role="alert">${messages.deviceWarning}</p>
<form method="post" action="/auth/external/${escapeHtml(tenant.name)}">
${hiddenFields({ login, account: account.id })}
${decisionButtons(language)}
</form>
<p><a href="${escapeHtml(passwordSignInPath(tenant, returnTo))}">${messages.otherAccount}</a></p>`,
  });
}

interface ExternalLoginDecided {
  readonly language: PageLanguage;
  readonly decision: 'approved' | 'denied';
}

/** Confirms the decision about a Trino client. */
export function externalLoginDecided({ language, decision }: ExternalLoginDecided): RouteResponse {
  const messages = CONSENT_MESSAGES[language];
  const { name } = TRINO_CLIENT;
  const outcome =
    decision === 'approved'
      ? `${messages.deviceAllowed(name)} ${messages.goBackToProgram}`
      : messages.deviceDenied(name);
  return page({ status: 200, title: name, language, body: `<p>${escapeHtml(outcome)}</p>` });
}
