import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createExternalLogins } from '@sluice/auth';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm } from './sign-in.ts';

let hosts: TestHosts;
let browser: Browser;

beforeAll(async () => {
  [hosts, browser] = await Promise.all([startHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

/** Begins the login of a Trino client at this address, which polls until its user has decided. */
async function begin(address: string) {
  const { seal } = hosts.stream.context;
  const { secret, login } = await createExternalLogins({ seal }).begin('acme', { address, program: 'DBeaver 26.1' });
  const page = `${hosts.api.url}/auth/external/acme`;
  const poll = async (): Promise<Record<string, string>> => {
    const response = await fetch(`${page}/token?secret=${secret}`);
    return (await response.json()) as Record<string, string>;
  };
  return { redirectUrl: `${page}?login=${login}`, answer: poll() };
}

/** Checks and pictures a page. */
async function inspect(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, `trino-login-${name}`);
  expect([name, await findAxeViolations(page)]).toEqual([name, []]);
}

const headingOf = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

describe('a login of a Trino client in a real browser', () => {
  it.each([
    { theme: 'light', language: 'en', isPhone: false, allow: 'Allow', goBack: 'Go back to the program.' },
    { theme: 'dark', language: 'de', isPhone: true, allow: 'Erlauben', goBack: 'Gehen Sie zurück zum Programm.' },
  ] as const)('leads through the sign-in to the consent, and the client gets its token: %j', async (options) => {
    const { redirectUrl, answer } = await begin('127.0.0.1');
    await using guest = await visit(browser, options);
    const { page, faults } = guest;
    await page.goto(redirectUrl);
    await fillSignInForm(page, hosts.ann);
    await headingOf(page, /Trino client/);
    await page.getByText('DBeaver 26.1').waitFor();
    await inspect(page, `consent-${options.language}`);
    await page.getByRole('button', { name: options.allow, exact: true }).click();
    await page.getByText(options.goBack).waitFor();
    await inspect(page, `allowed-${options.language}`);
    const { token } = await answer;
    const me = await fetch(`${hosts.url}/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(((await me.json()) as { user: string }).user).toBe(hosts.ann.email);
    expect(faults).toEqual([]);
  });

  it('from another address says so, can be denied, and cannot be decided again', async () => {
    const { redirectUrl, answer } = await begin('203.0.113.9');
    await using guest = await visit(browser);
    const { page } = guest;
    await page.goto(redirectUrl);
    await fillSignInForm(page, hosts.ann);
    await page.getByText('Your browser has another address, 127.0.0.1.').waitFor();
    await inspect(page, 'elsewhere');
    await page.getByRole('button', { name: 'Do not allow' }).click();
    await page.getByText('Trino client may not log in.').waitFor();
    expect(await answer).toEqual({ error: 'The user denied the login.' });
    await page.goto(redirectUrl);
    await page.getByText('Connect again in your program').waitFor();
    await inspect(page, 'over');
  });
});
