import { escapeHtml } from '@sluice/http';

const STYLE =
  'body{font:16px system-ui,sans-serif;max-width:24rem;margin:12vh auto;padding:0 1rem;color:#1c2430}' +
  'label{display:block;margin:1rem 0 .25rem}input{width:100%;padding:.5rem;box-sizing:border-box;font:inherit}' +
  'button{margin-top:1.5rem;padding:.6rem 1.2rem;font:inherit}[role=alert]{color:#a4161a}small{color:#5a6473}';

const page = (body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Development identity provider</title>
<style>${STYLE}</style></head>
<body><h1>Development identity provider</h1>
${body}
</body></html>
`;

interface LoginPage {
  readonly action: string;
  readonly people: readonly { readonly email: string; readonly password: string }[];
  readonly problem?: string;
}

/** Returns the login form with all accounts and their passwords, which are publicly known. */
export function loginPage({ action, people, problem }: LoginPage): string {
  const alert = problem === undefined ? '' : `<p role="alert">${escapeHtml(problem)}</p>\n`;
  const hints = people
    .map(({ email, password }) => `<li>${escapeHtml(email)}, ${escapeHtml(password)}</li>`)
    .join('\n');
  return page(`${alert}<form method="post" action="${escapeHtml(action)}">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
<small><p>Demo accounts:</p><ul>${hints}</ul></small>`);
}

/** `form` is the provider's own form, which this page submits. */
export const logoutPage = (form: string): string =>
  page(`<p>Sign out here too?</p>
${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`);

export const errorPage = (text: string): string => page(`<p>${escapeHtml(text)}</p>`);
