import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import { logIn } from '@sluice/testkit/requests';
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
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { takeScreenshot } from './screenshots.ts';
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
const idOf = async (email: string): Promise<string> =>
  (await api.call('GET', `/admin/users?q=${encodeURIComponent(email)}`)).body.data[0].id;

describe('the administration pages', () => {
  let guest: Visit;
  let page: Page;
  beforeEach(async () => {
    guest = await visit(browser);
    page = guest.page;
  });
  afterEach(async () => await guest[Symbol.asyncDispose]());
  const open = (view: string): Promise<void> => openSignedIn(page, `${console.url}admin?view=${view}`, admin);

  it('overwrite nothing that another administrator has changed meanwhile, and show the current version', async () => {
    const user = await newUser();
    await open('users');
    await openUser(page, user.email);
    await toggle(page, 'steward');
    await api.call('PUT', `/admin/users/${await idOf(user.email)}`, { roles: ['auditor'] });
    await press(page, 'Save');
    await dialogOf(page).getByRole('alert').getByText('Someone else changed this').waitFor();
    await takeScreenshot(page, 'admin-conflict');
    expect(await api.rolesOf(user.email)).toEqual(['auditor']);
    expect(await roleBox(page, 'steward').isChecked()).toBe(true);
    await press(page, 'Show the current version');
    await dialogOf(page).getByRole('alert').waitFor({ state: 'detached' });
    expect(await roleBox(page, 'auditor').isChecked()).toBe(true);
    expect(await roleBox(page, 'steward').isChecked()).toBe(false);
  });

  it('do not remove the last administrator', async () => {
    const { body } = await api.call('GET', '/admin/users?role=admin');
    for (const { id, email } of body.data)
      if (email !== admin.email) await api.call('PUT', `/admin/users/${id}`, { roles: [] });
    await open('users');
    await openUser(page, admin.email);
    await toggle(page, 'admin');
    await press(page, 'Save');
    await dialogOf(page).getByRole('alert').getByText(/admin/).first().waitFor();
    expect(await api.rolesOf(admin.email)).toContain('admin');
    await takeScreenshot(page, 'admin-last');
  });

  it('keep what was entered when the host rejects it or cannot be reached', async () => {
    await open('users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    const email = dialogOf(page).getByLabel('E-mail');
    await email.fill(admin.email);
    await toggle(page, 'auditor');
    await press(page, 'Invite a user');
    await dialogOf(page).getByRole('alert').waitFor();
    expect([await email.inputValue(), await roleBox(page, 'auditor').isChecked()]).toEqual([admin.email, true]);
    await email.fill('unreachable@acme.example');
    await page.route('**/admin/users', (route) => route.abort());
    await press(page, 'Invite a user');
    await dialogOf(page).getByRole('alert').getByText('The host cannot be reached').waitFor();
    expect([await email.inputValue(), await roleBox(page, 'auditor').isChecked()]).toEqual([
      'unreachable@acme.example',
      true,
    ]);
  });

  it('can be used by keys alone', async () => {
    const user = await newUser();
    await open('users');
    const tabTo = async (isThere: () => Promise<boolean>): Promise<void> => {
      for (let count = 0; count < 60 && !(await isThere()); count += 1) await page.keyboard.press('Tab');
      expect(await isThere()).toBe(true);
    };
    const isFocused = (selector: string) => () =>
      page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
    await tabTo(isFocused('input[type=search]'));
    await page.keyboard.type(user.email);
    // The list still has all users until the host has filtered it.
    await rowOf(page, admin.email).waitFor({ state: 'detached' });
    await rowOf(page, user.email).waitFor();
    await tabTo(isFocused('table, [role=grid], [role=row]'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await roleBox(page, 'auditor').waitFor({ state: 'attached' });
    await tabTo(() => roleBox(page, 'auditor').evaluate((box) => box === document.activeElement));
    await page.keyboard.press('Space');
    await tabTo(() =>
      dialogOf(page)
        .getByRole('button', { name: 'Save' })
        .evaluate((button) => button === document.activeElement),
    );
    await page.keyboard.press('Enter');
    await page.getByText(`Saved ${user.email}.`).waitFor();
    expect(await api.rolesOf(user.email)).toEqual(['analyst', 'auditor']);
  });

  it('show hostile names as plain text', async () => {
    const names = PAYLOADS.filter((text) => text.trim() !== '' && text.length <= 256 && !text.includes('\u0000'));
    const { hosts } = console;
    const user = await newUser();
    await logIn({ api: hosts.api }, user);
    await hosts.rows('update sessions set issuer = $1 where account_id = $2', [names[0], await idOf(user.email)]);
    for (const name of names)
      await hosts.rows('insert into roles (tenant_id, name, permissions) values ($1, $2, $3)', [
        hosts.acme.id,
        `${name}${randomUUID()}`,
        ['query:run'],
      ]);
    await open('roles');
    await rowOf(page, 'analyst').waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    await page.getByRole('tab', { name: 'Sessions', exact: true }).click();
    await rowOf(page, user.email).waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    expect(guest.faults).toEqual([]);
  });
});
