import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import type { Browser, Page } from 'playwright-core';
import { openTerminal } from '../cli/open-terminal.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm } from './sign-in.ts';

let hosts: TestHosts;
let browser: Browser;
let home: string;
let env: Record<string, string>;
let addresses: string[];

beforeAll(async () => {
  [hosts, browser] = await Promise.all([startHosts(), startBrowser()]);
  addresses = ['--api-url', hosts.api.url, '--stream-url', hosts.url, '--tenant', 'acme'];
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

/** The program that `login` starts as the browser writes the address to a file. */
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-program-login-'));
  const opener = join(home, 'browser.sh');
  await writeFile(opener, `#!/bin/sh\nprintf %s "$1" > "${home}/opened"\n`);
  await chmod(opener, 0o755);
  env = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    SLUICE_CREDENTIAL_STORE: 'file',
    LANG: 'C.UTF-8',
    BROWSER: opener,
  };
});
afterEach(async () => await rm(home, { recursive: true, force: true }));

const opened = (): Promise<string> =>
  until(async () => (await readFile(join(home, 'opened'), 'utf8').catch(() => '')) || undefined, {
    what: 'the browser',
  });

/** Checks and pictures a page. */
async function inspect(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, `program-login-${name}`);
  expect([name, await findAxeViolations(page)]).toEqual([name, []]);
}

const headingOf = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

describe('a login of the command line in a real browser', () => {
  it.each([
    { theme: 'light', language: 'en', isPhone: false, allow: 'Allow', finished: 'Logged in' },
    { theme: 'dark', language: 'de', isPhone: true, allow: 'Erlauben', finished: 'Angemeldet' },
  ] as const)('leads through the sign-in and the consent to the terminal, and back: %j', async (options) => {
    using terminal = openTerminal(['login', '--browser', ...addresses], { env, columns: 120 });
    await using guest = await visit(browser, options);
    const { page, faults } = guest;
    await page.goto(await opened());
    await fillSignInForm(page, hosts.ann);
    await headingOf(page, /Sluice command line/);
    await inspect(page, `consent-${options.language}`);
    await page.getByRole('button', { name: options.allow, exact: true }).click();
    await headingOf(page, options.finished);
    await inspect(page, `finished-${options.language}`);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().at(-1)).toBe(`Logged in as ${hosts.ann.email} in acme.`);
    expect(faults).toEqual([]);
  });

  it('can be denied, and the browser says to look at the terminal', async () => {
    using terminal = openTerminal(['login', '--browser', ...addresses], { env, columns: 120 });
    await using guest = await visit(browser);
    const { page } = guest;
    await page.goto(await opened());
    await fillSignInForm(page, hosts.ann);
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.getByText('The login failed. The terminal says why.').waitFor();
    expect(await terminal.exitCode).toBe(1);
  });

  it('approves a device by its code', async () => {
    using terminal = openTerminal(['login', '--device', ...addresses], { env, columns: 120 });
    await terminal.waitFor(/enter the code [A-Z-]{9}/);
    const [, code = ''] = /enter the code ([A-Z-]{9})/.exec(terminal.lines().join('')) ?? [];
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await page.goto(`${hosts.api.url}/auth/device/acme`);
    await fillSignInForm(page, hosts.ann);
    await headingOf(page, 'Log a device in to acme');
    await inspect(page, 'device-code');
    await page.getByLabel('Code').fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await headingOf(page, 'Let Sluice command line log in?');
    await inspect(page, 'device-consent');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('Go back to the device.').waitFor();
    await inspect(page, 'device-approved');
    expect(await terminal.exitCode).toBe(0);
    expect(faults).toEqual([]);
  });
});
