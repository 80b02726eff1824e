import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStreamHost } from '@sluice/stream-host';
import type { BuiltUser } from '@sluice/testkit';
import { type Browser, errors, type Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { runStatement, statementEditor, untilState, writeStatement } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm, openSignedIn, untilPageShown } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const newUser = (roles?: readonly string[]): Promise<BuiltUser> =>
  console.hosts.build.user(console.hosts.acme, roles === undefined ? {} : { roles });
const signInForm = (page: Page) => page.getByRole('heading', { name: 'Sign in to acme' });
const statement = (page: Page) => page.getByRole('textbox', { name: 'Statement' });
const endedDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Your session has ended' });

const actionsOf = async ({ email }: BuiltUser): Promise<string[]> => {
  const rows = await console.hosts.rows<{ action: string }>(
    'select action from audit_log where user_name = $1 order by occurred',
    [email],
  );
  return rows.map(({ action }) => action);
};

/** Ends the session of a visitor without their pages, as an administrator does. */
async function endSession({ context }: Visit): Promise<void> {
  await context.request.get(`${console.hosts.api.url}/auth/logout/acme`, { maxRedirects: 0 });
}

async function idTokenOf({ email, password }: BuiltUser): Promise<string> {
  const response = await fetch(`${console.hosts.api.url}/auth/login/acme`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await response.json()) as { readonly id_token: string }).id_token;
}

const signOutItem = (page: Page) => page.getByRole('menuitem', { name: 'Sign out' });

async function openAccountMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await signOutItem(page).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await openAccountMenu(page);
  await signOutItem(page).click();
}

describe('signing in', () => {
  it('leads back to the page that was opened, with its fragment', async () => {
    await using guest = await visit(browser);
    const user = await newUser();
    const errors: string[] = [];
    guest.page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await openSignedIn(guest.page, `${console.url}?from=mail#place`, user);
    await guest.page.waitForURL(`${console.url}?from=mail#place`);
    expect(await guest.page.title()).toBe('Query · acme · Sluice');
    expect(await actionsOf(user)).toEqual(expect.arrayContaining(['LOGIN', 'ISSUE_TOKEN']));
    expect(guest.faults).toEqual([]);
    // Also no response with an error status, which the first visit would leave in the log of the browser.
    expect(errors).toEqual([]);
  });

  it.each([
    ['en', 'Sign in to acme'],
    ['de', 'Bei acme anmelden'],
    ['fr', 'Se connecter à acme'],
    ['es', 'Iniciar sesión en acme'],
  ] as const)('has a form that is accessible, in the language of the browser (%s)', async (language, title) => {
    await using guest = await visit(browser, { isPhone: true, language });
    const { page } = guest;
    await page.goto(`${console.hosts.api.url}/auth/sign-in/acme`);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, `sign-in-${language}`);
    expect(guest.faults).toEqual([]);
  });

  it('by an invitation ends in the console', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const admin = await newUser(['admin']);
    const invited = await fetch(`${console.hosts.api.url}/admin/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', idtoken: await idTokenOf(admin) },
      body: JSON.stringify({ email: 'invited@acme.example', roles: ['analyst'] }),
    });
    const { invitation } = (await invited.json()) as { readonly invitation: { readonly url: string } };
    await page.goto(invitation.url);
    await page.getByLabel('New password').fill('a long pass phrase');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await statement(page).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/');
    await page.getByRole('button', { name: 'Account of invited@acme.example' }).waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('says that the password is wrong, and goes on with the right one', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    await page.goto(console.url);
    await fillSignInForm(page, { ...user, password: 'not the password' });
    await page.getByRole('alert').waitFor();
    await takeScreenshot(page, 'sign-in-wrong-password');
    expect(await findAxeViolations(page)).toEqual([]);
    await fillSignInForm(page, user);
    await untilPageShown(page);
    expect(guest.faults).toEqual([]);
  });

  it('stops with a sentence when the browser keeps no cookies', async () => {
    await using guest = await visit(browser);
    const { page, context } = guest;
    await page.goto(console.url);
    await context.route('**/auth/session/acme', async (route) => {
      const { cookie: _cookie, ...headers } = route.request().headers();
      await context.clearCookies();
      await route.continue({ headers });
    });
    await fillSignInForm(page, await newUser());
    await page.getByText('The last sign-in did not open a session.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
  });
});

describe('signing out', () => {
  it('ends the session on both hosts, and the next login leads back to the console', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    const tokens: string[] = [];
    page.on('request', (request) => {
      const { authorization } = request.headers();
      if (authorization !== undefined) tokens.push(authorization);
    });
    await openSignedIn(page, console.url, user);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    await signOut(page);
    await signInForm(page).waitFor();
    expect(tokens.length).toBeGreaterThan(0);
    for (const host of [console.hosts.url, console.hosts.api.url]) {
      const answer = await fetch(`${host}/me`, { headers: { authorization: tokens.at(-1) ?? '' } });
      expect(answer.status).toBe(401);
    }
    expect(await actionsOf(user)).toContain('LOGOUT');
    await fillSignInForm(page, user);
    await untilPageShown(page);
    expect(page.url()).toBe(console.url);
    expect(guest.faults).toEqual([]);
  });

  it('in two tabs at once leads both to the sign-in form', async () => {
    await using guest = await visit(browser);
    const first = guest.page;
    await openSignedIn(first, console.url, await newUser());
    const second = await guest.openTab();
    await second.goto(console.url);
    await untilPageShown(second);
    const tabs = [first, second];
    for (const tab of tabs) await openAccountMenu(tab);
    // One tab may sign the other one out before its own click arrives.
    await Promise.all(tabs.map((tab) => signOutItem(tab).click({ timeout: 3000 }).catch(ignoreTimeout)));
    for (const tab of tabs) await signInForm(tab).or(endedElsewhere(tab)).waitFor();
    expect(await Promise.all(tabs.map((tab) => signInForm(tab).isVisible()))).toContain(true);
    expect(guest.faults).toEqual([]);
  });

  it('leaves nothing for the next user of the tab', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, `${console.url}metadata`, await newUser(['steward']));
    const pasted = page.getByRole('textbox', { name: 'Or paste it here' });
    await pasted.fill('a secret of the first user');
    await page.reload();
    expect(await pasted.inputValue()).toBe('a secret of the first user');
    await signOut(page);
    await signInForm(page).waitFor();
    await openSignedIn(page, `${console.url}metadata`, await newUser(['steward']));
    expect(await pasted.inputValue()).toBe('');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('first user');
  });

  it('is noticed by another tab, which goes on when the user signs in again', async () => {
    await using guest = await visit(browser);
    const [first, user] = [guest.page, await newUser()];
    await openSignedIn(first, console.url, user);
    const second = await guest.openTab();
    await second.goto(console.url);
    await untilPageShown(second);
    await runStatement(second, "SELECT 'a secret' AS kept");
    await untilState(second, 'Complete');
    await second.getByRole('gridcell', { name: 'a secret' }).click();
    await signOut(first);
    await endedElsewhere(second).waitFor();
    expect(await second.getByText('a secret').count()).toBe(0);
    await takeScreenshot(second, 'signed-out-elsewhere');
    expect(await findAxeViolations(second)).toEqual([]);
    await fillSignInForm(first, user);
    await endedElsewhere(second).waitFor({ state: 'detached' });
    // Drafts are read from the browser's database.
    await statementEditor(second).filter({ hasText: "SELECT 'a secret' AS kept" }).waitFor();
    await statement(second).press('Control+Enter');
    await untilState(second, 'Complete');
    expect(guest.faults).toEqual([]);
  });
});

const endedElsewhere = (page: Page) => page.getByRole('alertdialog', { name: 'You are signed out' });

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

describe('a session that ends', () => {
  it('keeps the statement, and goes on after a login in another tab', async () => {
    await using guest = await visit(browser);
    const { page, context } = guest;
    // The page would notice it by itself. Without an answer to that question, nothing changes.
    await page.route('**/auth/session/acme', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    const user = await newUser();
    await openSignedIn(page, console.url, user);
    await writeStatement(page, 'SELECT 42 AS answer');
    // A request of the first page would find out before the statement does.
    await page.waitForLoadState('networkidle');
    await endSession(guest);
    await statement(page).press('Control+Enter');
    await endedDialog(page).waitFor();
    await takeScreenshot(page, 'session-ended');
    expect(await findAxeViolations(page)).toEqual([]);
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Enter');
    const login = await opened;
    await fillSignInForm(login, user);
    await endedDialog(page).waitFor({ state: 'detached' });
    expect(await statement(page).textContent()).toContain('SELECT 42 AS answer');
    await statement(page).press('Control+Enter');
    await untilState(page, 'Complete');
    expect(guest.faults).toEqual([]);
  });

  it('loads the page anew when another user signs in', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const [first, second] = [await newUser(), await newUser()];
    await openSignedIn(page, console.url, first);
    await endSession(guest);
    const other = await guest.openTab();
    await openSignedIn(other, console.url, second);
    await page.getByRole('button', { name: `Account of ${second.email}` }).waitFor();
    expect(guest.faults).toEqual([]);
  });
});

describe('a host that fails', () => {
  it('says that the caller has lost the role, with the request id', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    await openSignedIn(page, console.url, user);
    await console.hosts.build.user(console.hosts.acme, { ...user, roles: ['auditor'] });
    await runStatement(page, 'SELECT 1 AS n');
    const problem = page.getByRole('alert').filter({ hasText: 'Request ID' });
    await problem.waitFor();
    expect(await problem.textContent()).toContain('query:run');
    await takeScreenshot(page, 'role-removed');
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('says that the network is gone, and works again afterwards', async () => {
    await using guest = await visit(browser);
    const { page, context } = guest;
    await openSignedIn(page, console.url, await newUser());
    // The editor is a file of its own, which must be there before the network is gone.
    await statementEditor(page).waitFor();
    await context.setOffline(true);
    await runStatement(page, 'SELECT 1 AS n');
    await page.getByRole('alert').filter({ hasText: 'Check your network.' }).waitFor();
    await context.setOffline(false);
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
  });

  it('is waited for while it restarts', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, await newUser());
    await console.hosts.stream.drain();
    await runStatement(page, 'SELECT 1 AS n');
    await page.getByRole('alert').waitFor();
    await using _restarted = await startStreamHost({ environment: console.hosts.environment });
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
  });
});
