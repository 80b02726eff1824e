import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, send } from '@sluice/testkit';
import { idtoken, logIn } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn, untilPageShown } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const NEW_PASSWORD = 'another long pass phrase';

const newUser = (roles: readonly string[] = ['analyst']): Promise<BuiltUser> =>
  console.hosts.build.user(console.hosts.acme, { roles });
const openAccount = (page: Page, user: BuiltUser): Promise<void> => openSignedIn(page, `${console.url}account`, user);

/** Opens a session as a program does, which names no user agent. Returns its ID token. */
const openProgramSession = async (user: BuiltUser): Promise<string> => (await logIn(console.hosts, user)).id_token;
const statusOf = async (idToken: string): Promise<number> =>
  (await send(`${console.hosts.api.url}/me`, { headers: { ...idtoken(idToken) } })).status;

const sessions = (page: Page) => page.getByRole('list', { name: /^(Your sessions|Ihre Sitzungen)$/ });
const entries = (page: Page) => sessions(page).getByRole('listitem');
const confirmation = (page: Page) => page.getByRole('alertdialog');
const notice = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text).first().waitFor();
const focused = (page: Page, attribute: string): Promise<string | null | undefined> =>
  page.evaluate((name) => document.activeElement?.getAttribute(name), attribute);

describe('my account', () => {
  it('is reached from the account menu, and says what the user may do, with limits and help', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, await newUser());
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'My account' }).click();
    await page.waitForURL(`${console.url}account`);
    await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor();
    expect(await page.title()).toBe('My account · acme · Sluice');
    await page.getByText('You may run read-only SQL and download its results.').waitFor();
    await page.getByText('This comes from your role analyst.').waitFor();
    expect(await page.getByText('query:run').count()).toBe(0);
    const limit = page.getByRole('row', { name: /^Running queries of yours/ });
    expect(await limit.getByRole('gridcell').allTextContents()).toEqual(['0', '8']);
    await page.getByText(/^Version \d+\.\d+\.\d+$/).waitFor();
    const reference = page.getByRole('link', { name: 'API reference: accounts, catalog, administration' });
    expect(await reference.getAttribute('href')).toBe(`${console.hosts.api.url}/docs`);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    expect(guest.faults).toEqual([]);
  });

  it.each([
    { theme: 'light', isPhone: false, language: 'en' },
    { theme: 'dark', isPhone: true, language: 'de' },
    { theme: 'dark', isPhone: false, language: 'de' },
    { theme: 'light', isPhone: true, language: 'en' },
  ] as const)('is accessible, and no wider than the screen: %j', async (options) => {
    await using guest = await visit(browser, options);
    const { page } = guest;
    const user = await newUser(['analyst', 'steward', 'auditor', 'admin']);
    await openProgramSession(user);
    await openAccount(page, user);
    await entries(page).nth(1).waitFor();
    await page.getByRole('grid', { name: /Limits and use|Grenzen und Nutzung/ }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
    expect(await findAxeViolations(page)).toEqual([]);
    const name = `${options.theme}-${options.isPhone ? 'phone' : 'desktop'}-${options.language}`;
    await takeScreenshot(page, `account-${name}`);
    await page.getByRole('grid', { name: /Limits and use|Grenzen und Nutzung/ }).scrollIntoViewIfNeeded();
    await takeScreenshot(page, `account-end-${name}`);
    expect(guest.faults).toEqual([]);
  });

  it('sets language and theme of this browser', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openAccount(page, await newUser());
    await page.getByRole('button', { name: /Theme$/ }).click();
    await page.getByRole('option', { name: 'Dark' }).click();
    await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark');
    await page.getByRole('button', { name: /Language$/ }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mein Konto' }).waitFor();
    await page.getByText('Sie dürfen lesendes SQL ausführen').waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('keeps which mails the user wants, and their language', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openAccount(page, await newUser());
    const mails = page.getByRole('region', { name: 'E-mail' });
    await mails.getByText('This installation sends no mails at present.').waitFor();
    const decisions = mails.getByRole('checkbox', { name: 'Decisions on my requests' });
    expect(await decisions.isChecked()).toBe(true);
    await decisions.press('Space');
    await mails.getByRole('button', { name: /Language of mails$/ }).click();
    await page.getByRole('option', { name: 'Français' }).click();
    await mails.getByRole('button', { name: 'Save' }).click();
    await notice(page, 'Your choice of mails is saved.');
    await page.reload();
    await decisions.waitFor();
    expect(await decisions.isChecked()).toBe(false);
    expect(await mails.getByRole('checkbox', { name: 'Requests for access that I decide' }).isChecked()).toBe(true);
    await mails.getByRole('button', { name: /^Français/ }).waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('says to a user without permissions whom to ask', async () => {
    await using guest = await visit(browser);
    await openAccount(guest.page, await newUser([]));
    await guest.page.getByText('Ask an administrator of your tenant for another role.').waitFor();
    expect(guest.faults).toEqual([]);
  });
});

describe('the sessions of the user', () => {
  it('show which one is this one; another ends after a question, with the focus on the list', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    const program = await openProgramSession(user);
    await openAccount(page, user);
    await entries(page).nth(1).waitFor();
    const [own, other] = await entries(page).allTextContents();
    expect(own).toMatch(/^Chrome on Linux This session.*127\.0\.0\.1.*Sign out$/);
    expect(other).toMatch(/^A program .*End the session$/);
    const button = entries(page).getByRole('button', { name: 'End the session: A program' });
    await button.click();
    await confirmation(page).getByText('A program is signed out within two seconds').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'account-end-session');
    await page.keyboard.press('Escape');
    await confirmation(page).waitFor({ state: 'detached' });
    expect(await focused(page, 'aria-label')).toBe('End the session: A program');
    expect(await statusOf(program)).toBe(200);
    await button.click();
    await confirmation(page).getByRole('button', { name: 'End the session' }).click();
    await notice(page, 'Session ended: A program.');
    await button.waitFor({ state: 'detached' });
    expect([await focused(page, 'aria-label'), await entries(page).count()]).toEqual(['Your sessions', 1]);
    expect(await statusOf(program)).toBe(401);
    expect(await page.getByRole('button', { name: 'End all other sessions' }).count()).toBe(0);
    expect(guest.faults).toEqual([]);
  });

  it('end all at once, except this one', async () => {
    await using guest = await visit(browser);
    await using elsewhere = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    const program = await openProgramSession(user);
    await openAccount(elsewhere.page, user);
    await openAccount(page, user);
    await entries(page).nth(2).waitFor();
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await confirmation(page).getByText('This session stays.').waitFor();
    await confirmation(page).getByRole('button', { name: 'End all other sessions' }).click();
    await notice(page, 'Ended 2 sessions.');
    await entries(page).nth(1).waitFor({ state: 'detached' });
    expect(await statusOf(program)).toBe(401);
    await elsewhere.page.reload();
    await elsewhere.page.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
    await page.reload();
    await untilPageShown(page);
    await entries(page).first().waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('say that one had ended already', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    const program = await openProgramSession(user);
    await openAccount(page, user);
    await entries(page)
      .getByRole('button', { name: /^End the session/ })
      .click();
    await send(`${console.hosts.api.url}/auth/logout/acme`, { headers: { ...idtoken(program) } });
    await confirmation(page).getByRole('button', { name: 'End the session' }).click();
    await page.getByRole('alert').filter({ hasText: 'The session has already ended.' }).waitFor();
    await entries(page).nth(1).waitFor({ state: 'detached' });
    expect(await focused(page, 'aria-label')).toBe('Your sessions');
    expect(guest.faults).toEqual([]);
  });
});

describe('the password of the user', () => {
  const current = (page: Page) => page.getByLabel('Current password');
  const next = (page: Page) => page.getByLabel('New password');
  const submit = (page: Page) => page.getByRole('button', { name: 'Change the password' }).click();

  it('is changed with the current one; a wrong one is an error of its field, which has the focus', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    const program = await openProgramSession(user);
    await openAccount(page, user);
    await submit(page);
    await page.getByText('Enter your current password.').waitFor();
    expect(await focused(page, 'autocomplete')).toBe('current-password');
    await current(page).fill('not the password');
    await next(page).fill('too short');
    await submit(page);
    await page.getByText('Use at least 12 characters.').waitFor();
    expect(await focused(page, 'autocomplete')).toBe('new-password');
    await next(page).fill(NEW_PASSWORD);
    await submit(page);
    await page.getByText('This is not your current password.').waitFor();
    expect([await focused(page, 'autocomplete'), await next(page).inputValue()]).toEqual([
      'current-password',
      NEW_PASSWORD,
    ]);
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'account-wrong-password');
    expect(await statusOf(program)).toBe(200);
    await current(page).fill(user.password);
    await page.keyboard.press('Enter');
    await notice(page, 'Changed your password.');
    expect([await current(page).inputValue(), await next(page).inputValue()]).toEqual(['', '']);
    expect([await focused(page, 'autocomplete'), await statusOf(program)]).toEqual(['current-password', 401]);
    await entries(page).nth(1).waitFor({ state: 'detached' });
    expect(await openProgramSession({ ...user, password: NEW_PASSWORD })).not.toBe('');
    await expect(openProgramSession(user)).rejects.toThrow('401');
    expect(guest.faults).toEqual([]);
  });

  it('has no fields for a user without one', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    await openAccount(page, user);
    await current(page).waitFor();
    await console.hosts.rows('update users set password_hash = null where id = $1', [user.id]);
    await page.reload();
    await page.getByText('you sign in at the identity provider of your tenant').waitFor();
    expect(await current(page).count()).toBe(0);
    expect(guest.faults).toEqual([]);
  });
});
