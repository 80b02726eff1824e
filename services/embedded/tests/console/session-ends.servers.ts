import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { runStatement, untilState } from './query-page.ts';
import { openSignedIn } from './sign-in.ts';

/** The sign-in of the console, the renewal of its tokens, and the end of its session (docs/adr/0042). */
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
const endedDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Your session has ended' });

/** Ends the session of a visitor without their pages. */
async function endSession({ context }: Visit): Promise<void> {
  await context.request.get(`${console.hosts.api.url}/auth/logout/acme`, { maxRedirects: 0 });
}

/** Headers of a new admin of the tenant. */
async function newAdmin(): Promise<Record<string, string>> {
  const { email, password } = await newUser(['admin']);
  const headers = { 'content-type': 'application/json' };
  const url = `${console.hosts.api.url}/auth/login/acme`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  const { id_token: idtoken } = (await response.json()) as { readonly id_token: string };
  return { ...headers, idtoken };
}

async function sendAdmin(method: string, path: string, body: object): Promise<void> {
  const url = `${console.hosts.api.url}/admin${path}`;
  const { status } = await fetch(url, { method, headers: await newAdmin(), body: JSON.stringify(body) });
  expect(status).toBe(200);
}

/** Ways in which a session ends without its own page. */
const ENDS: readonly (readonly [string, (user: BuiltUser, guest: Visit) => Promise<unknown>])[] = [
  ['a logout in another tab, whose message is lost', (_user, guest) => endSession(guest)],
  ['an admin who ends it', ({ id }) => sendAdmin('POST', '/sessions/end', { account_id: id })],
  ['a disabled account', ({ id }) => console.hosts.rows('update users set disabled = true where id = $1', [id])],
  [
    'the time without use that the tenant allows',
    async ({ id }) => {
      await sendAdmin('PUT', '/session-settings', { idle_minutes: 30 });
      const unused = `update sessions set last_used = now() - interval '31 minutes' where account_id = $1`;
      await console.hosts.rows(unused, [id]);
    },
  ],
];

describe('the console', () => {
  it('uses the addresses of every other login, and leaves no token where a script finds it later', async () => {
    await using guest = await visit(browser);
    const { page, context } = guest;
    const paths = new Set<string>();
    const tokens = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/auth/')) paths.add(`${request.method()} ${pathname}`);
      const { authorization } = request.headers();
      if (authorization !== undefined) tokens.add(authorization.slice('Bearer '.length));
    });
    await openSignedIn(page, console.url, await newUser());
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    const stored = await page.evaluate(async () => {
      const names = (await indexedDB.databases()).map(({ name }) => name);
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, names, await caches.keys()]);
    });
    expect(tokens.size).toBeGreaterThan(0);
    for (const token of tokens) expect(stored).not.toContain(token);
    expect(stored).not.toMatch(/eyJ|sluice_session/);
    const cookies = await context.cookies();
    const session = cookies.find(({ name }) => name.endsWith('sluice_session_acme'));
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
    // The check may or may not have been due.
    paths.delete('GET /auth/session/acme');
    expect([...paths].sort()).toEqual([
      'GET /auth/login/acme',
      'GET /auth/logout/acme',
      'GET /auth/sign-in/acme',
      'POST /auth/session/acme',
      'POST /auth/sign-in/acme',
    ]);
    expect(guest.faults).toEqual([]);
  });

  it('renews its tokens in the background, without the user', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const renewals: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/auth/session/acme')) renewals.push(request.url());
    });
    await openSignedIn(page, console.url, await newUser());
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Complete');
    const before = renewals.length;
    // Four fifths of the hour for which a token is valid.
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 50 * 60_000;
    });
    await runStatement(page, 'SELECT 2 AS n');
    await untilState(page, 'Complete');
    expect(renewals).toHaveLength(before + 1);
    expect(guest.faults).toEqual([]);
  });
});

describe('a session that ends elsewhere', () => {
  it.each(ENDS)('is noticed by a page on which nobody does anything: %s', async (_name, end) => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await newUser();
    await openSignedIn(page, `${console.url}account?from=mail#place`, user);
    await page.waitForLoadState('networkidle');
    await end(user, guest);
    await endedDialog(page).waitFor();
    // The dialog leads to the same page.
    expect(page.url()).toBe(`${console.url}account?from=mail#place`);
    expect(guest.faults).toEqual([]);
  });

  it('is not looked for while the tab is hidden, and is noticed when it is shown again', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await page.clock.install();
    await openSignedIn(page, console.url, await newUser());
    await page.waitForLoadState('networkidle');
    const setVisibility = (state: 'hidden' | 'visible') =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    const checks: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().endsWith('/auth/session/acme')) checks.push(request.url());
    });
    await page.clock.runFor(5000);
    await until(async () => (checks.length > 0 ? true : undefined), { what: 'a check while the tab is visible' });
    await setVisibility('hidden');
    checks.length = 0;
    await page.clock.runFor(20_000);
    expect(checks).toEqual([]);
    await endSession(guest);
    await setVisibility('visible');
    await endedDialog(page).waitFor();
    expect(guest.faults).toEqual([]);
  });
});
