import type { Tenant } from '@sluice/contract';
import { escapeHtml, type RouteResponse } from '@sluice/http';
import { TOKEN_HEADERS } from '../request/token-headers.ts';
import type { TestedAdmission } from '../use-cases/identity/test-admission.ts';
import { page } from './page.ts';

/** Characters of a claim that the page shows. */
const CLAIM_CHARACTERS_MAX = 2000;

const textOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > CLAIM_CHARACTERS_MAX ? `${text.slice(0, CLAIM_CHARACTERS_MAX)} …` : text;
};

const listOf = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const rolesOf = ({ roles }: TestedAdmission): string =>
  roles === undefined ? 'not set by the identity provider; admins of the tenant assign them' : listOf(roles);

/** Returns the page that shows the claims of a test login, and what a login with them would do. Only this browser gets it. */
export function testLoginPage({ name }: Tenant, tested: TestedAdmission): RouteResponse {
  const facts: readonly (readonly [string, string])[] = [
    ['Groups', listOf(tested.groups)],
    ['Roles that they give', rolesOf(tested)],
  ];
  const claims = Object.entries(tested.claims).map(([claim, value]) => [claim, textOf(value)] as const);
  const rows = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([term, text]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(text)}</dd>`).join('\n');
  return page({
    status: 200,
    title: `Test login at ${name}`,
    // The address of the callback contains a code.
    headers: { ...TOKEN_HEADERS, 'referrer-policy': 'no-referrer' },
    body: `<p>${escapeHtml(tested.outcome)}</p>
<dl>${rows(facts)}</dl>
<h2>Received claims</h2>
<dl>${rows(claims)}</dl>
<p>This was a test: nobody was signed in, and nothing was changed. You may close this page.</p>`,
  });
}
