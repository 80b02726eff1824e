import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { type AdminApi, createAdminApi, dialogOf, press } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
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

let guest: Visit;
let page: Page;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  await openSignedIn(page, `${console.url}admin?view=apply`, admin);
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const file = (): Locator => page.getByRole('textbox', { name: 'Configuration' });
const plan = (): Promise<void> => page.getByRole('button', { name: 'Show the changes' }).click();
const apply = (): Locator => page.getByRole('button', { name: /^Apply \d/ });

describe('a configuration file', () => {
  it('shows its changes and what they take away, and is applied after that', async () => {
    const user = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst', 'auditor'] });
    await api.call('POST', '/admin/roles', { name: 'checker', permissions: ['audit:read', 'query:run'] });
    const checker = await console.hosts.build.user(console.hosts.acme, { roles: ['checker'] });
    await page.locator('input[type=file]').setInputFiles({
      name: 'acme.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(
        [
          'roles:',
          '  - { name: planner, permissions: ["query:run"] }',
          '  - { name: checker, permissions: ["query:run"] }',
          'users:',
          `  - { email: ${user.email}, roles: [analyst] }`,
          '  - { email: new@acme.example, roles: [planner] }',
          'service_accounts:',
          '  - { client_id: by-file, roles: [planner] }',
        ].join('\n'),
      ),
    });
    await plan();
    await page.getByText('3 to create, 2 to change, 0 as in the file.').waitFor();
    await page.getByText(`${user.email} loses audit:read.`).waitFor();
    await page.getByText(`${checker.email} loses audit:read.`).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'admin-apply');
    expect(await api.rolesOf(user.email)).toEqual(['analyst', 'auditor']);
    await apply().click();
    await dialogOf(page)
      .getByText(/are shown only now/)
      .waitFor();
    expect(await dialogOf(page).locator('code').count()).toBe(2);
    await page.mouse.click(5, 5);
    await page.keyboard.press('Escape');
    await takeScreenshot(page, 'admin-applied');
    await press(page, 'Close');
    expect(await api.rolesOf(user.email)).toEqual(['analyst']);
    expect(await api.rolesOf('new@acme.example')).toEqual(['planner']);
    await plan();
    await page.getByText('0 to create, 0 to change, 5 as in the file.').waitFor();
    expect(await apply().count()).toBe(0);
  });

  it('with mistakes changes nothing, names every place, and stays', async () => {
    const text =
      'users:\n  - { email: a@acme.example, roles: [none] }\n  - { email: b@acme.example, roles: [neither] }';
    await file().fill(text);
    await plan();
    await page.getByRole('alert').waitFor();
    const violations = page.getByRole('listitem').filter({ hasText: 'there is no role' });
    await violations.filter({ hasText: /^Line 3, users\[1\]\.roles\[0\] / }).waitFor();
    await violations.filter({ hasText: /^Line 2, users\[0\]\.roles\[0\] / }).waitFor();
    await page.getByRole('tab', { name: 'Users' }).click();
    await page.getByRole('tab', { name: 'Apply a file' }).click();
    expect(await file().inputValue()).toBe(text);
    await file().fill('users: [');
    await plan();
    await page.getByRole('alert').waitFor();
    expect(await file().inputValue()).toBe('users: [');
    await file().fill('{"roles": [{"name": "never", "permissions": ["query:run"]}], "dry_run": true}');
    await plan();
    await page.getByText('1 to create, 0 to change, 0 as in the file.').waitFor();
    await apply().click();
    await dialogOf(page)
      .getByText(/says dry_run: true/)
      .waitFor();
    expect((await api.call('GET', '/admin/roles/never')).status).toBe(404);
  });

  it('is not applied when its text is no longer the one that was shown, or would remove the last admin', async () => {
    await file().fill('roles:\n  - { name: first, permissions: ["query:run"] }');
    await plan();
    await apply().waitFor();
    await file().fill('roles:\n  - { name: second, permissions: ["query:run"] }');
    await page.getByText('The text has changed.').waitFor();
    expect(await apply().isDisabled()).toBe(true);
    await file().fill('roles:\n  - { name: admin, permissions: [] }');
    await plan();
    await page.getByRole('alert').getByText(/admin/).first().waitFor();
    expect((await api.call('GET', '/admin/roles/first')).status).toBe(404);
  });

  it('shows hostile strings as plain text', async () => {
    const names = PAYLOADS.filter((text) => text.trim() !== '' && text.length <= 256 && !/\p{Cc}/u.test(text));
    await file().fill(JSON.stringify({ domains: names.map((name) => ({ name, description: name })) }));
    await plan();
    await page
      .getByText(/to create, 0 to change/)
      .or(page.getByRole('alert'))
      .first()
      .waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
  });
});
