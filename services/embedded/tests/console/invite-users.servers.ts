import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import { logIn } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { createAccessibilityInspector } from './accessibility-inspector.ts';
import { type AdminApi, createAdminApi, dialogOf, press, rowOf, toggle } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm, openSignedIn, untilPageShown } from './sign-in.ts';

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

const inspector = createAccessibilityInspector();
let guest: Visit;
let page: Page;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
});
const open = (view: string): Promise<void> => openSignedIn(page, `${console.url}admin?view=${view}`, admin);
const listField = () => dialogOf(page).getByRole('textbox', { name: 'E-mail addresses, one a line' });
const lineOf = (text: string) => dialogOf(page).getByRole('row').filter({ hasText: text });
const openList = () => page.getByRole('button', { name: 'Invite several users' }).click();
const emails = () => page.getByRole('grid', { name: 'Users' }).getByRole('rowheader').allTextContents();

describe('the list of users', () => {
  it('has the last sign-in, and its order and filters are in the address', async () => {
    const word = 'desk.example';
    const { build, acme } = console.hosts;
    const people: BuiltUser[] = [];
    for (const name of ['ann', 'ben', 'cid'])
      people.push(await build.user(acme, { email: `${name}@${word}`, roles: ['analyst'] }));
    await api.call('POST', '/admin/users', { email: `dot@${word}`, roles: ['auditor'] });
    const [, ben] = people;
    await logIn({ api: console.hosts.api }, ben as BuiltUser);
    await until(
      async () => (await api.call('GET', `/admin/users?q=ben@${word}`)).body.data[0].last_login_ts ?? undefined,
      { what: 'the time of the login' },
    );
    await open(`users&q=${word}`);
    await rowOf(page, `ann@${word}`).getByText('None yet').waitFor();
    expect(await rowOf(page, `ben@${word}`).getByText('None yet').count()).toBe(0);
    await page.getByRole('columnheader', { name: 'Last sign-in' }).click();
    await page.getByRole('columnheader', { name: 'Last sign-in' }).click();
    await page.waitForURL(/sort=last_login_ts&order=desc|order=desc&sort=last_login_ts/);
    await until(async () => (await emails())[0] === `ben@${word}` || undefined, { what: 'the new order' });
    expect(await inspector.inspect(page, 'admin-users-sorted')).toEqual([]);
    await page.reload();
    await rowOf(page, `ben@${word}`).waitFor();
    expect((await emails())[0]).toBe(`ben@${word}`);
    await page.getByRole('button', { name: /State/ }).click();
    await page.getByRole('option', { name: 'Invited' }).click();
    await until(async () => (await emails()).join() === `dot@${word}` || undefined, { what: 'the invited user' });
    expect(new URL(page.url()).searchParams.get('state')).toBe('invited');
    await page.goto(`${console.url}admin?view=users&q=${word}&role=analyst&state=gone&sort=roles`);
    await until(
      async () =>
        (await emails()).join() === ['ann', 'ben', 'cid'].map((name) => `${name}@${word}`).join() || undefined,
      {
        what: 'the analysts in the usual order',
      },
    );
    expect(guest.faults).toEqual([]);
  });

  it('keeps a long e-mail address inside its dialogs', async () => {
    const long = `${'long'.repeat(60)}@acme.example`;
    await open('users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await dialogOf(page).getByLabel('E-mail').fill(long);
    await press(page, 'Invite a user');
    await dialogOf(page)
      .getByText(/Send this link to/)
      .waitFor();
    const overflow = () =>
      dialogOf(page).evaluate((dialog) => {
        const { right } = dialog.getBoundingClientRect();
        const parts = [...dialog.querySelectorAll('*')];
        return Math.max(...parts.map((part) => part.getBoundingClientRect().right - right));
      });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow()).toBeLessThanOrEqual(0);
    }
    await press(page, 'Close');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('searchbox', { name: 'Part of an e-mail address' }).fill(long);
    await rowOf(page, long).click();
    await press(page, 'Delete …');
    expect(await overflow()).toBeLessThanOrEqual(0);
    await takeScreenshot(page, 'admin-long-email');
  });
});

describe('a list of users to invite', () => {
  it('shows faults by line, and invites the others with a link each', async () => {
    const known = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst'] });
    await open('users');
    await openList();
    await listField().fill(
      [
        'email,roles',
        'One Person <one@several.example> auditor',
        'two@several.example;analyst,auditor',
        'no address',
        'three@several.example owner',
        known.email,
        'ONE@several.example',
        'four@several.example',
      ].join('\n'),
    );
    await toggle(page, 'steward');
    await press(page, 'Check the list');
    await dialogOf(page).getByText('4 lines are left out.').waitFor();
    await lineOf('no address').getByText('The line does not begin with an e-mail address.').waitFor();
    await lineOf('three@several.example').getByText('There is no role owner.').waitFor();
    await lineOf(known.email).getByText('Is a user already.').waitFor();
    await lineOf('one@several.example').getByText('Is in line 2 already.').waitFor();
    expect(await inspector.inspect(page, 'admin-invite-several-checked')).toEqual([]);
    expect((await api.call('GET', '/admin/users?q=several.example')).body.total).toBe(0);
    await press(page, 'Invite 3 users');
    await dialogOf(page).getByText('3 users are invited.').waitFor();
    expect(await inspector.inspect(page, 'admin-invite-several-sent')).toEqual([]);
    await takeScreenshot(page, 'admin-invite-several');
    expect(await api.rolesOf('one@several.example')).toEqual(['auditor']);
    expect(await api.rolesOf('two@several.example')).toEqual(['analyst', 'auditor']);
    expect(await api.rolesOf('four@several.example')).toEqual(['steward']);
    await dialogOf(page).getByRole('button', { name: 'Copy all links' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(
      copied
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(['one@several.example', 'two@several.example', 'four@several.example']);
    const [, link = ''] = copied.split('\n')[0]?.split('\t') ?? [];
    await using invited = await visit(browser);
    await invited.page.goto(link);
    await invited.page.getByRole('heading', { name: /Welcome/ }).waitFor();
    // A click beside the dialog and Escape do not lose the links.
    await page.keyboard.press('Escape');
    await dialogOf(page).getByText('3 users are invited.').waitFor();
    await press(page, 'Close');
    await dialogOf(page).waitFor({ state: 'detached' });
    await openList();
    // What was not invited is there for another try, except for users who exist.
    expect(await listField().inputValue()).toBe('no address\nthree@several.example owner');
    expect(guest.faults).toEqual([]);
  });

  it('loses nothing when a request fails in the middle, and tries that one again', async () => {
    let isBroken = true;
    await page.route('**/admin/users', async (route) => {
      const isFailing = isBroken && route.request().postData()?.includes('"mid-2@several.example"') === true;
      await (isFailing ? route.abort('connectionreset') : route.fallback());
    });
    await open('users');
    await openList();
    await listField().fill(Array.from({ length: 8 }, (_, index) => `mid-${index}@several.example analyst`).join('\n'));
    await press(page, 'Check the list');
    await press(page, 'Invite 8 users');
    await dialogOf(page).getByText('7 users are invited.').waitFor();
    await dialogOf(page).getByText('1 line failed. The others are not affected.').waitFor();
    await lineOf('mid-2@several.example').getByText('Failed').waitFor();
    await lineOf('mid-3@several.example').getByText('Invited').waitFor();
    isBroken = false;
    await press(page, 'Try the failed ones again');
    await dialogOf(page).getByText('8 users are invited.').waitFor();
    expect((await api.call('GET', '/admin/users?q=mid-')).body.total).toBe(8);
  });

  it('marks what the host does not accept, such as a domain that the operator does not allow', async () => {
    const allow = (domains: string | null) =>
      console.hosts.rows('update tenants set email_domains = $2 where id = $1', [console.hosts.acme.id, domains]);
    await allow('["allowed.example"]');
    try {
      await open('users');
      await openList();
      await listField().fill('in@allowed.example\nout@elsewhere.example');
      await press(page, 'Check the list');
      await dialogOf(page).getByText('1 line is left out.').waitFor();
      await lineOf('out@elsewhere.example').getByText('Left out').waitFor();
      await lineOf('in@allowed.example').getByText('Is invited').waitFor();
    } finally {
      await allow(null);
    }
  });

  it('is accessible on a phone in German', async () => {
    await using phone = await visit(browser, { theme: 'dark', isPhone: true, language: 'de' });
    await phone.page.goto(`${console.url}admin?view=users`);
    await fillSignInForm(phone.page, admin);
    await untilPageShown(phone.page);
    await phone.page.getByRole('button', { name: 'Mehrere Benutzer einladen' }).click();
    await dialogOf(phone.page)
      .getByRole('textbox', { name: 'E-Mail-Adressen, eine je Zeile' })
      .fill('kein Name\nneu@several.example');
    expect(await findAxeViolations(phone.page)).toEqual([]);
    await press(phone.page, 'Liste prüfen');
    await dialogOf(phone.page).getByText('1 Zeile wird ausgelassen.').waitFor();
    expect(await findAxeViolations(phone.page)).toEqual([]);
    await takeScreenshot(phone.page, 'admin-invite-several-phone');
    const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(phone.faults).toEqual([]);
  });
});
