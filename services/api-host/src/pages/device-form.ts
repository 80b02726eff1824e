import { formatUserCode } from '@sluice/auth';
import type { ProblemError, Scope, Tenant } from '@sluice/contract';
import { escapeHtml, type PageLanguage, type RouteResponse } from '@sluice/http';
import type { BrowserSession } from '../use-cases/identity/find-browser-session.ts';
import { decisionButtons, hiddenFields, permissionList } from './consent-form.ts';
import { CONSENT_MESSAGES } from './consent-messages.ts';
import { page } from './page.ts';
import { problemSentence } from './problem-sentence.ts';

interface DevicePage {
  readonly tenant: Tenant;
  readonly language: PageLanguage;
}

interface DeviceForm extends DevicePage {
  /** Code in the link that the device showed. The user still has to send it. */
  readonly userCode: string;
  /** Error of the last code. */
  readonly problem?: ProblemError;
}

/** Returns the form for the code that a device shows. */
export function deviceForm({ tenant, language, userCode, problem }: DeviceForm): RouteResponse {
  const messages = CONSENT_MESSAGES[language];
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problemSentence(problem, language))}</p>\n`;
  return page({
    status: problem?.status ?? 200,
    title: messages.deviceTitle(tenant.name),
    language,
    headers: problem?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(problem.retryAfterSeconds) },
    body: `${alert}<p>${messages.enterCode}</p>
<form method="post" action="/auth/device/${escapeHtml(tenant.name)}">
<label for="user_code">${messages.code}</label>
<input id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" required autofocus value="${escapeHtml(userCode)}">
<button>${messages.goOn}</button>
</form>`,
  });
}

interface DeviceConsent extends DevicePage {
  /** Name of the program. */
  readonly client: string;
  readonly session: BrowserSession;
  readonly scope: Scope;
  /** Address from which the device asked. */
  readonly address: string;
  /** Code without hyphen. */
  readonly userCode: string;
}

/** Asks whether a device may log in, with what lets the user tell their own from that of an attacker (RFC 8628 section 5.4). */
export function deviceConsent(consent: DeviceConsent): RouteResponse {
  const { tenant, language, client, session, scope, address, userCode } = consent;
  const { account } = session;
  const messages = CONSENT_MESSAGES[language];
  return page({
    status: 200,
    title: messages.letIn(client),
    language,
    body: `<p>${messages.compare}</p>
<p class="code">${escapeHtml(formatUserCode(userCode))}</p>
<p>${escapeHtml(messages.asks(client, tenant.name, account.name))} ${escapeHtml(messages.from(address))}</p>
${permissionList(account.permissions, scope, language)}
<p role="alert">${messages.deviceWarning}</p>
<form method="post" action="/auth/device/${escapeHtml(tenant.name)}">
${hiddenFields({ user_code: userCode, account: account.id })}
${decisionButtons(language)}
</form>`,
  });
}

interface DeviceDecided extends DevicePage {
  readonly client: string;
  readonly decision: 'approved' | 'denied';
}

/** Confirms the decision about a device. */
export function deviceDecided({ tenant, language, client, decision }: DeviceDecided): RouteResponse {
  const messages = CONSENT_MESSAGES[language];
  const outcome =
    decision === 'approved' ? `${messages.deviceAllowed(client)} ${messages.goBack}` : messages.deviceDenied(client);
  return page({
    status: 200,
    title: messages.deviceTitle(tenant.name),
    language,
    body: `<p>${escapeHtml(outcome)}</p>`,
  });
}
