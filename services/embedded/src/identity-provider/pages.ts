import { escapeHtml, htmlPage, type PageLanguage } from '@sluice/http';
import { PROVIDER_MESSAGES } from './provider-messages.ts';

/** The list of accounts: a button each, with the address and what the account is for. */
const STYLE =
  'h2{margin:2rem 0 .5rem}.accounts{margin:0;padding:0;list-style:none}.accounts button{height:auto;margin:.5rem 0 0;padding:.5rem .75rem;' +
  'border:1px solid var(--control);background:var(--surface);color:var(--text);font-weight:400;text-align:start}' +
  '.accounts strong{display:block}.accounts small,.note{color:var(--muted)}';

const page = (language: PageLanguage, body: string): string =>
  htmlPage({ title: PROVIDER_MESSAGES[language].title, language, style: STYLE, body });

interface ListedPerson {
  readonly email: string;
  readonly password: string;
  readonly about: string;
}

interface LoginPage {
  readonly language: PageLanguage;
  readonly action: string;
  readonly people: readonly ListedPerson[];
  /** E-mail of an attempt whose password was wrong. Undefined: there was none. */
  readonly rejected?: string;
}

function accountForm({ language, action }: LoginPage, { email, password, about }: ListedPerson): string {
  const descriptions: Readonly<Record<string, string>> = PROVIDER_MESSAGES[language].about;
  return `<li><form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="email" value="${escapeHtml(email)}"><input type="hidden" name="password" value="${escapeHtml(password)}">
<button><strong>${escapeHtml(email)}</strong><small>${escapeHtml(descriptions[about] ?? about)}</small></button>
</form></li>`;
}

/** Returns the login page: every account signs in with one click, because their passwords are publicly known. */
export function loginPage(shown: LoginPage): string {
  const { language, action, people, rejected } = shown;
  const messages = PROVIDER_MESSAGES[language];
  const alert = rejected === undefined ? '' : `<p role="alert">${messages.wrong}</p>\n`;
  const [first] = people;
  const note =
    first === undefined
      ? ''
      : `<p class="note">${messages.passwordOfEach} <code>${escapeHtml(first.password)}</code>.</p>\n`;
  // After a wrong password, its field is the first one to correct.
  const onPassword = rejected === undefined ? '' : ' autofocus';
  return page(
    language,
    `${alert}<p class="note">${messages.replaces}</p>
<h2>${messages.signInAs}</h2>
<ul class="accounts">
${people.map((person) => accountForm(shown, person)).join('\n')}
</ul>
${note}<h2>${messages.orWithPassword}</h2>
<form method="post" action="${escapeHtml(action)}">
<label for="email">${messages.email}</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escapeHtml(rejected ?? '')}">
<label for="password">${messages.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${onPassword}>
<button>${messages.signIn}</button>
</form>`,
  );
}

/** `form` is the provider's own form, which this page submits. */
export const logoutPage = (form: string, language: PageLanguage): string =>
  page(
    language,
    `<p>${PROVIDER_MESSAGES[language].signOutToo}</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${PROVIDER_MESSAGES[language].signOut}</button>`,
  );

/** Says that the user has signed out. */
export const signedOutPage = (language: PageLanguage): string =>
  page(language, `<p>${PROVIDER_MESSAGES[language].signedOut}</p>`);

/** Says that a login is unknown or older than an hour. */
export const expiredPage = (language: PageLanguage): string =>
  page(language, `<p role="alert">${PROVIDER_MESSAGES[language].expired}</p>`);

/** Shows an error of the protocol, which only a developer of the application sees: it is in English. */
export const errorPage = (text: string): string => page('en', `<p role="alert">${escapeHtml(text)}</p>`);
