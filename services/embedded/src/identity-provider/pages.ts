import { escapeHtml, htmlPage } from '@sluice/http';

/** The list of accounts: a button each, with the address and what the account is for. */
const STYLE =
  'h2{margin:2rem 0 .5rem}.accounts{margin:0;padding:0;list-style:none}.accounts button{height:auto;margin:.5rem 0 0;padding:.5rem .75rem;' +
  'border:1px solid var(--control);background:var(--surface);color:var(--text);font-weight:400;text-align:start}' +
  '.accounts strong{display:block}.accounts small,.note{color:var(--muted)}';

const page = (body: string): string =>
  htmlPage({ title: 'Development identity provider', language: 'en', style: STYLE, body });

interface LoginPage {
  readonly action: string;
  readonly people: readonly { readonly email: string; readonly password: string; readonly about: string }[];
  readonly problem?: string;
}

const accountForm = (action: string, { email, password, about }: LoginPage['people'][number]): string =>
  `<li><form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="email" value="${escapeHtml(email)}"><input type="hidden" name="password" value="${escapeHtml(password)}">
<button><strong>${escapeHtml(email)}</strong><small>${escapeHtml(about)}</small></button>
</form></li>`;

/** Returns the login page: every account signs in with one click, because their passwords are publicly known. */
export function loginPage({ action, people, problem }: LoginPage): string {
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>\n`;
  const [first] = people;
  const note = first === undefined ? '' : ` The password of each is <code>${escapeHtml(first.password)}</code>.`;
  return page(`${alert}<p class="note">It replaces your company’s single sign-on, on this machine only.</p>
<h2>Sign in as</h2>
<ul class="accounts">
${people.map((person) => accountForm(action, person)).join('\n')}
</ul>
<p class="note">${note}</p>
<h2>Or with an e-mail and a password</h2>
<form method="post" action="${escapeHtml(action)}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>`);
}

/** `form` is the provider's own form, which this page submits. */
export const logoutPage = (form: string): string =>
  page(`<p>Sign out here too?</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`);

export const errorPage = (text: string): string => page(`<p>${escapeHtml(text)}</p>`);
