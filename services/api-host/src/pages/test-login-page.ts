import type { Tenant } from '@sluice/contract';
import { escapeHtml, type RouteResponse } from '@sluice/http';
import type { PageLanguage } from '../request/page-language.ts';
import { TOKEN_HEADERS } from '../request/token-headers.ts';
import type { TestedAdmission } from '../use-cases/identity/test-admission.ts';
import { page } from './page.ts';
import { TEST_LOGIN_MESSAGES } from './test-login-messages.ts';

/** Characters of a claim that the page shows. */
const CLAIM_CHARACTERS_MAX = 2000;

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > CLAIM_CHARACTERS_MAX ? `${text.slice(0, CLAIM_CHARACTERS_MAX)} …` : text;
};

/** Returns the page that shows the claims of a test login, and what a login with them would do. Only this browser gets it. */
export function testLoginPage({ name }: Tenant, tested: TestedAdmission, language: PageLanguage): RouteResponse {
  const messages = TEST_LOGIN_MESSAGES[language];
  const { outcome, roles, groups } = tested;
  const listOf = (names: readonly string[]): string => (names.length === 0 ? messages.none : names.join(', '));
  const facts: readonly (readonly [string, string])[] = [
    [messages.groups, listOf(groups)],
    [messages.roles, roles === undefined ? messages.rolesNotSet : listOf(roles)],
  ];
  const claims = Object.entries(tested.claims).map(([claim, value]) => [claim, textOf(value)] as const);
  const rows = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n');
  return page({
    status: 200,
    title: messages.title(name),
    language,
    // The address of the callback contains a code.
    headers: { ...TOKEN_HEADERS, 'referrer-policy': 'no-referrer' },
    body: `<p>${escapeHtml(outcome.kind === 'rejected' ? outcome.message : messages.outcomes[outcome.kind](outcome.email))}</p>
<dl>${rows(facts)}</dl>
<h2>${messages.claims}</h2>
<dl>${rows(claims)}</dl>
<p>${messages.end}</p>`,
  });
}
