import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { statementEditor } from './query-page.ts';
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

/** Places of the frame, in the way in which a user opens them. */
const PLACES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  frame: async () => undefined,
  palette: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: /Command palette|Befehlspalette/ }).waitFor();
  },
  shortcuts: async (page) => {
    await page.getByRole('link', { name: 'Sluice acme' }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: /Keyboard shortcuts|Tastenkürzel/ }).waitFor();
  },
  'user-menu': async (page) => {
    await page.getByRole('button', { name: /^(Account of|Konto von)/ }).click();
    await page.getByRole('menu').waitFor();
  },
};

describe('the frame of the console', () => {
  it.each([
    { theme: 'light', isPhone: false, language: 'en' },
    { theme: 'dark', isPhone: false, language: 'de' },
    { theme: 'dark', isPhone: true, language: 'en' },
    { theme: 'light', isPhone: true, language: 'de' },
  ] as const)('is accessible everywhere: %j', async (options) => {
    await using guest = await visit(browser, options);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    for (const [name, open] of Object.entries(PLACES)) {
      await open(page);
      await takeScreenshot(
        page,
        `${name}-${options.theme}-${options.isPhone ? 'phone' : 'desktop'}-${options.language}`,
      );
      expect([name, await findAxeViolations(page)]).toEqual([name, []]);
      await page.keyboard.press('Escape');
    }
    expect(faults).toEqual([]);
  });
});

/** Waits until the computed background of the page is a colour. */
const untilBackground = async (page: Page, color: string): Promise<void> => {
  await page.waitForFunction((wanted) => getComputedStyle(document.documentElement).backgroundColor === wanted, color);
};
const LIGHT = 'rgb(248, 249, 251)';
const DARK = 'rgb(16, 20, 26)';

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^(Account of|Konto von)/ }).click();
  await page.getByRole('menuitemradio', { name: item }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

describe('the theme', () => {
  it('follows the system until the user chooses one, which lasts', async () => {
    await using guest = await visit(browser, { theme: 'dark' });
    const { page } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await untilBackground(page, DARK);
    await page.emulateMedia({ colorScheme: 'light' });
    await untilBackground(page, LIGHT);
    await choose(page, 'Dark');
    await untilBackground(page, DARK);
    // The attribute is there before anything is painted.
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.reload();
    await untilBackground(page, DARK);
    await page.unroute('**/assets/index-*.js');
    await page.reload();
    await untilPageShown(page);
    await choose(page, 'System');
    await untilBackground(page, LIGHT);
    expect(guest.faults).toEqual([]);
  });
});

describe('the language', () => {
  it('is that of the browser until the user chooses one, which lasts', async () => {
    await using guest = await visit(browser, { language: 'de' });
    const { page } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await page.getByRole('button', { name: 'Ausführen' }).waitFor();
    await choose(page, 'English');
    await page.getByRole('button', { name: 'Run' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Run' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    expect(guest.faults).toEqual([]);
  });
});

/** Checks whether the middle of an element is on the screen, and not scrolled out of a box around it. */
const isInView = (element: Locator): Promise<boolean> =>
  element.evaluate((found) => {
    const { left, top, width, height } = found.getBoundingClientRect();
    return found.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

describe('the keyboard', () => {
  it('runs a command of the palette, which gives the focus back', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await page.getByRole('textbox', { name: 'Statement' }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await page.keyboard.press('Control+k');
    const chosen = page.locator('[role=menuitem][data-focused]');
    await page.keyboard.type('shortc');
    await chosen.filter({ hasText: 'shortcuts' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Ctrl+Enter').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('show downl');
    await chosen.filter({ hasText: 'Show downloads' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Downloads' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zebra crossings');
    await chosen.filter({ hasText: 'Find data with “zebra crossings”' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${console.url}search?q=zebra+crossings`);
    expect(guest.faults).toEqual([]);
  });

  it('shows the last command of a palette that is longer than the screen', async () => {
    await using guest = await visit(browser, { isPhone: true });
    const { page } = guest;
    const admin = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst', 'admin'] });
    await openSignedIn(page, console.url, admin);
    // The editor offers commands too.
    await statementEditor(page).waitFor();
    await page.setViewportSize({ width: 390, height: 400 });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
    expect(await isInView(page.getByRole('menuitem').last())).toBe(false);
    await page.keyboard.press('ArrowUp');
    const chosen = page.locator('[role=menuitem][data-focused]');
    const isShown = async () => ((await isInView(chosen)) ? true : undefined);
    await until(isShown, { what: 'the last command on the screen', withinMs: 20_000 });
    expect(guest.faults).toEqual([]);
  });

  it('reaches the content past the navigation, and shows where it is', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, console.hosts.ann);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    for (let tabs = 0; tabs < 2; tabs += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    }
  });
});

describe('a page that cannot be shown', () => {
  it.each(['no-such-page', 'a/b/c?d=e'])('says that there is no such page: %s', async (path) => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, `${console.url}${path}`, console.hosts.ann);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to your first page' }).click();
    await page.getByRole('textbox', { name: 'Statement' }).waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('says which permission is missing, and hides it from the navigation', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const auditor = await console.hosts.build.user(console.hosts.acme, { roles: ['auditor'] });
    await openSignedIn(page, `${console.url}metadata`, auditor);
    await page.getByText('It needs the permission metadata:write.').waitFor();
    expect(await page.getByRole('link', { name: 'Query' }).count()).toBe(0);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to your first page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    expect(guest.faults).toEqual([]);
  });

  it.each([
    ['auditor', 'Audit log', '/console/audit'],
    ['analyst', 'Query', '/console/'],
  ])('is not the first one: the console opens what an %s may use', async (role, heading, path) => {
    await using guest = await visit(browser);
    const { page } = guest;
    await openSignedIn(page, console.url, await console.hosts.build.user(console.hosts.acme, { roles: [role] }));
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.goto(`${console.url}no-such-page`);
    await page.getByRole('link', { name: 'Go to your first page' }).click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('says that a user has no permissions, who gives them, and what can be seen without', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    const user = await console.hosts.build.user(console.hosts.acme, { roles: [] });
    await openSignedIn(page, console.url, user);
    await page.getByRole('heading', { name: 'You have no permissions yet' }).waitFor();
    await page.getByText(`Ask an administrator of acme for a role.`).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'no-permissions');
    await page.getByRole('link', { name: 'See what the marketplace has' }).click();
    await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
    expect(guest.faults).toEqual([]);
  });

  it('shows a sentence instead of a blank page when its files cannot be loaded', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await page.route('**/assets/query-page-*.js', (route) => route.abort());
    await page.goto(console.url);
    await fillSignInForm(page, console.hosts.ann);
    await page.getByRole('heading', { name: 'Something went wrong on this page' }).waitFor();
    await page.getByRole('button', { name: 'Copy details' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('query-page');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.unroute('**/assets/query-page-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('textbox', { name: 'Statement' }).waitFor();
  });
});
