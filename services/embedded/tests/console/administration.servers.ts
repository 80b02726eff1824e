import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { basicOf, finalReceipt, idtoken, logIn, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import type { Browser, Page } from 'playwright-core';
import {
  type AdminApi,
  createAdminApi,
  dialogOf,
  openUser,
  press,
  roleBox,
  rowOf,
  toggle,
} from './administration-page.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let admin: BuiltUser;
let api: AdminApi;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  admin = await console.hosts.build.user(console.hosts.acme, { roles: ['admin'] });
  api = await createAdminApi(console, admin);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const newUser = (roles = ['analyst']): Promise<BuiltUser> => console.hosts.build.user(console.hosts.acme, { roles });

describe('an administrator', () => {
  let guest: Visit;
  let page: Page;
  beforeEach(async () => {
    guest = await visit(browser);
    page = guest.page;
  });
  afterEach(async () => {
    await guest[Symbol.asyncDispose]();
    expect(guest.faults).toEqual([]);
  });
  const open = (view: string): Promise<void> => openSignedIn(page, `${console.url}admin?view=${view}`, admin);

  it('invites a user, whose link sets a password, and finds the record', async () => {
    await open('users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await dialogOf(page).getByLabel('E-mail').fill('New.Person@acme.example');
    await toggle(page, 'auditor');
    await press(page, 'Invite a user');
    await dialogOf(page)
      .getByText(/Send this link to/)
      .waitFor();
    await takeScreenshot(page, 'admin-invited');
    const link = (await dialogOf(page).locator('code').textContent()) ?? '';
    await press(page, 'Close');
    await page.getByRole('searchbox', { name: 'Part of an e-mail address' }).fill('new.person');
    await rowOf(page, 'new.person@acme.example')
      .getByText(/^Invited until/)
      .waitFor();
    expect(await api.rolesOf('new.person@acme.example')).toEqual(['auditor']);
    await using invited = await visit(browser);
    await invited.page.goto(link);
    await invited.page.getByRole('heading').first().waitFor();
    await rowOf(page, 'new.person@acme.example').click();
    await dialogOf(page).getByRole('link', { name: 'In the audit log' }).click();
    await page.getByText(`${admin.email} created the user new.person@acme.example.`).waitFor();
  });

  it('sees what a user loses before it is changed, saves it, and follows the link to its record', async () => {
    const user = await newUser(['analyst', 'auditor']);
    await open('users');
    await openUser(page, user.email);
    await roleBox(page, 'auditor').waitFor();
    expect(await dialogOf(page).getByText('No account loses').count()).toBe(0);
    await toggle(page, 'auditor');
    await dialogOf(page).getByText(`${user.email} loses audit:read.`).waitFor();
    await takeScreenshot(page, 'admin-user');
    await press(page, 'Save');
    const notice = page.getByRole('region', { name: 'Notifications' });
    await notice.getByText(`Saved ${user.email}.`).waitFor();
    // At once: the notification disappears after some seconds.
    await notice.getByRole('link', { name: 'In the audit log' }).click();
    await page.getByText(`${admin.email} changed the user ${user.email}`).waitFor();
    expect(await api.rolesOf(user.email)).toEqual(['analyst']);
  });

  it('finds a search of users again after a reload', async () => {
    const user = await newUser();
    await open('users');
    const search = page.getByRole('searchbox', { name: 'Part of an e-mail address' });
    await search.fill(user.email);
    await page.waitForURL((url) => url.searchParams.get('q') === user.email);
    await page.reload();
    await rowOf(page, user.email).waitFor();
    expect(await search.inputValue()).toBe(user.email);
  });

  it('deletes a user after a second question', async () => {
    const user = await newUser();
    await open('users');
    await openUser(page, user.email);
    await press(page, 'Delete …');
    await dialogOf(page)
      .getByText(/is deleted with all sessions and grants/)
      .waitFor();
    await press(page, 'Delete the user');
    await page.getByText(`Deleted ${user.email}.`).waitFor();
    expect((await api.call('GET', `/admin/users?q=${user.email}`)).body.total).toBe(0);
  });

  it('sees which accounts lose a permission before a role is changed or deleted', async () => {
    await api.call('POST', '/admin/roles', { name: 'reviewer', permissions: ['audit:read', 'datamap:read'] });
    const [ann, ben] = [await newUser(['reviewer']), await newUser(['reviewer', 'analyst'])];
    await open('roles');
    await rowOf(page, 'reviewer').click();
    await roleBox(page, 'datamap:read').waitFor();
    expect(await dialogOf(page).getByText('No account loses').count()).toBe(0);
    await toggle(page, 'query:run');
    await dialogOf(page).getByText('No account loses a permission.').waitFor();
    await toggle(page, 'query:run');
    await toggle(page, 'datamap:read');
    await dialogOf(page).getByText(`${ann.email} loses datamap:read.`).waitFor();
    await press(page, 'Save');
    await page.getByText('Saved the role reviewer.').waitFor();
    await rowOf(page, 'reviewer').click();
    await press(page, 'Delete …');
    const both = [ann.email, ben.email].sort();
    await dialogOf(page)
      .getByText(`${both.join(' and ')} lose audit:read.`)
      .waitFor();
    await takeDocsPicture(page, 'console-admin');
    await press(page, 'Delete the role');
    await page.getByText('Deleted the role reviewer.').waitFor();
    expect((await api.call('GET', '/admin/roles/reviewer')).status).toBe(404);
  });

  it('ends a session, whose token no longer works', async () => {
    const user = await newUser();
    const { id_token: token } = await logIn({ api: console.hosts.api }, user);
    await open('sessions');
    await rowOf(page, user.email).click();
    await press(page, 'End the session');
    await page.getByText(`Ended the session of ${user.email}.`).waitFor();
    await until(
      async () =>
        (await send(`${console.hosts.api.url}/me`, { headers: idtoken(token) })).status === 401 ? true : undefined,
      { what: 'the rejection of the token', withinMs: 20_000 },
    );
  });

  it('ends all sessions of a user, and sees how many there were', async () => {
    const user = await newUser();
    const tokens = [await logIn({ api: console.hosts.api }, user), await logIn({ api: console.hosts.api }, user)];
    await open('users');
    await openUser(page, user.email);
    await dialogOf(page)
      .getByText(/^2 open sessions, the newest since/)
      .waitFor();
    await press(page, 'End all sessions …');
    await dialogOf(page).getByText(`${user.email} is signed out everywhere within two seconds`).waitFor();
    await takeScreenshot(page, 'admin-user-sessions');
    await press(page, 'End all sessions');
    await page.getByText('Ended 2 sessions.').waitFor();
    for (const { id_token: token } of tokens)
      expect((await send(`${console.hosts.api.url}/me`, { headers: idtoken(token) })).status).toBe(401);
    await openUser(page, user.email);
    await dialogOf(page).getByText('No open session.').waitFor();
  });

  it('sets when sessions end, within the limits of the deployment', async () => {
    await open('sessions');
    const idle = page.getByLabel('Minutes without a request');
    const hours = page.getByLabel('Hours after the sign-in');
    await idle.fill('4');
    await page.getByText('A whole number from 5, or empty.').waitFor();
    await idle.fill('45');
    await hours.fill('169');
    await page.getByText('At most 168.', { exact: true }).waitFor();
    await hours.fill('10');
    await takeScreenshot(page, 'admin-session-settings');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved when sessions end.').waitFor();
    const { body } = await api.call('GET', '/admin/session-settings');
    expect(body).toMatchObject({ idle_minutes: 45, absolute_hours: 10 });
    await api.call('PUT', '/admin/session-settings', {});
  });

  it('cancels the query of a user, which then has left the list and ended on the engine', async () => {
    const user = await newUser();
    const running = await startQuery(console.hosts.url, ENDLESS.replaceAll(' ', '\n  '), basicOf(user));
    await open('queries');
    await page
      .getByRole('tabpanel')
      .getByRole('grid')
      .or(page.getByRole('alert'))
      .or(page.getByText('No running queries'))
      .waitFor();
    await rowOf(page, user.email).getByText(ENDLESS, { exact: true }).waitFor();
    await takeScreenshot(page, 'admin-queries');
    await rowOf(page, user.email).click();
    await takeScreenshot(page, 'admin-query');
    await press(page, 'Cancel the query');
    await page.getByText(`Cancelled the query of ${user.email}.`).waitFor();
    const { state } = await finalReceipt(console.hosts.url, running.queryId, {
      credential: basicOf(user),
      withinMs: 20_000,
    });
    expect(state).toBe('CANCELLED');
    await page.getByText('No running queries').waitFor();
    running.disconnect();
  });
});

it('is not for users without the permission', async () => {
  await using guest = await visit(browser);
  await openSignedIn(guest.page, `${console.url}admin`, await newUser());
  await guest.page.getByRole('heading', { name: 'You are not allowed to use this page' }).waitFor();
  expect(await guest.page.getByRole('tab', { name: 'Users' }).count()).toBe(0);
});

it.each(['en', 'de'] as const)('shows all tabs in full, also on a phone (%s)', async (language) => {
  await using guest = await visit(browser, { language });
  const { page } = guest;
  await openSignedIn(page, `${console.url}admin`, admin);
  await page.locator(`html[lang=${language}]`).getByRole('tab').first().waitFor();
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 800 });
    const cut = await page.getByRole('tab').evaluateAll((tabs) =>
      tabs.flatMap((tab) => {
        const list = tab.parentElement?.getBoundingClientRect();
        const { left, right } = tab.getBoundingClientRect();
        const isWhole = list !== undefined && left >= list.left - 1 && right <= list.right + 1;
        return isWhole && list.right <= window.innerWidth ? [] : [tab.textContent];
      }),
    );
    expect({ width, cut }).toEqual({ width, cut: [] });
    await takeScreenshot(page, `admin-tabs-${language}-${width}`);
  }
  const tabs = page.getByRole('tab');
  await tabs.first().focus();
  await page.keyboard.press('ArrowLeft');
  expect(await tabs.last().evaluate((tab) => tab === document.activeElement)).toBe(true);
  expect(guest.faults).toEqual([]);
});
