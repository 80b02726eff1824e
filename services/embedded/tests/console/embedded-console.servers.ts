import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type SpawnedSluice, spawnSluice } from '../spawn-sluice.ts';
import { findAxeViolations } from './axe.ts';
import { startFullBrowser, visit } from './console-browser.ts';
import { downloadRows, newestDownload, sha256OfFile, untilDownload } from './downloads-page.ts';
import { runStatement, untilState } from './query-page.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { fillSignInForm, untilPageShown } from './sign-in.ts';

// What a user does in the first minute after `npm start`, with the demo's data and its identity provider.

const ANALYST = { email: 'analyst@acme.example', password: 'sluice-demo' };
const DELAYS = `-- Flights and delays of the busiest airports
SELECT a.iata, a.city, count(*) AS flights, round(avg(f.delay), 1) AS delay, max(f.delay) AS longest
FROM flights AS f JOIN airports AS a ON a.iata = f.origin
GROUP BY ALL ORDER BY flights DESC LIMIT 200`;

let home: string;
let sluice: SpawnedSluice;
let browser: Browser;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-console-'));
  [sluice, browser] = await Promise.all([spawnSluice({ home }), startFullBrowser()]);
  await sluice.untilPrinted(/Sluice is ready/);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  sluice?.child.kill('SIGINT');
  await sluice?.exited;
  await rm(home, { recursive: true, force: true });
});

/** Address of the console as the start prints it. */
const printedAddress = (): string => /http:\S+\/console\//.exec(sluice.output())?.[0] ?? 'not printed';

async function signInAtProvider(page: Page): Promise<void> {
  await page.goto(printedAddress());
  await fillProviderForm(page);
}

/** Fills the form of the identity provider. Returns when the console is shown. */
async function fillProviderForm(page: Page): Promise<void> {
  await page.waitForURL((url) => url.port === String(sluice.identityProviderPort));
  await page.locator('[type=password]').waitFor();
  await page.locator('input:not([type=password]):not([type=hidden])').first().fill(ANALYST.email);
  await page.locator('[type=password]').fill(ANALYST.password);
  await page.keyboard.press('Enter');
  await untilPageShown(page);
}

describe('the console after `npm start`', () => {
  it.each([
    ['light', false],
    ['dark', false],
    ['light', true],
  ] as const)(
    'is one login at the identity provider away from the first rows (%s, phone: %s)',
    async (theme, isPhone) => {
      await using guest = await visit(browser, { theme, isPhone });
      const { page } = guest;
      await signInAtProvider(page);
      await runStatement(page, DELAYS);
      await untilState(page, 'Complete');
      await takeDocsPicture(page, `console-${theme}${isPhone ? '-phone' : ''}`);
      expect(await findAxeViolations(page)).toEqual([]);
      expect(guest.faults).toEqual([]);
    },
  );

  it.each(['light', 'dark'] as const)(
    'shows an item of the marketplace with its columns and your access (%s)',
    async (theme) => {
      await using guest = await visit(browser, { theme });
      const { page } = guest;
      await signInAtProvider(page);
      await page.getByRole('link', { name: 'Marketplace' }).click();
      await page.getByRole('link', { name: 'Flights by origin' }).click();
      await page.getByText('You may download this data.').waitFor();
      await (theme === 'light' ? takeDocsPicture : takeScreenshot)(
        page,
        `console-marketplace${theme === 'light' ? '' : '-dark'}`,
      );
      expect(await findAxeViolations(page)).toEqual([]);
      expect(guest.faults).toEqual([]);
    },
  );

  it('saves a kept result, and shows its SHA-256', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await signInAtProvider(page);
    await runStatement(page, DELAYS);
    await untilState(page, 'Complete');
    const download = await downloadRows(page, 'Parquet');
    await untilDownload(page, 'With your browser');
    expect(await newestDownload(page).textContent()).toContain(await sha256OfFile(await download.path()));
    await takeDocsPicture(page, 'console-download');
    expect(await findAxeViolations(page)).toEqual([]);
    expect(guest.faults).toEqual([]);
  });

  it('finds the data of the demo by a word, and shows a table of it', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await signInAtProvider(page);
    await page.getByRole('link', { name: 'Find data' }).click();
    await page.getByRole('searchbox').fill('flights');
    await page.getByRole('link', { name: 'Flights by origin' }).first().waitFor();
    await page
      .getByRole('navigation', { name: 'Narrow the results' })
      .getByRole('link', { name: 'Transport' })
      .waitFor();
    await takeDocsPicture(page, 'console-find');
    await page.getByRole('link', { name: /^Tables/ }).click();
    // The link of the table, not that of a tag of the same name in results that are still shown.
    await page
      .locator('a[href^="/console/tables/"]', { hasText: /^flights$/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    await page.getByRole('button', { name: 'Show the first 100 rows' }).click();
    await untilState(page, 'Limited');
    // The page scrolls, not the window around it.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0);
    await takeDocsPicture(page, 'console-table');
    expect(guest.faults).toEqual([]);
  });

  it('leads back to the console after a logout at the identity provider', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await signInAtProvider(page);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The provider asks before it ends its own session.
    await page.waitForURL((url) => url.port === String(sluice.identityProviderPort));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await fillProviderForm(page);
    expect(page.url()).toBe(printedAddress());
  });

  it('serves another tenant at the host name of that tenant', async () => {
    await using guest = await visit(browser);
    const { page } = guest;
    await page.goto(printedAddress().replace('127.0.0.1', 'globex-api.localhost'));
    await fillSignInForm(page, { email: 'analyst@globex.example', password: ANALYST.password });
    await untilPageShown(page);
    await runStatement(page, 'SELECT count(*) AS airports FROM airports');
    await untilState(page, 'Complete');
    expect(await page.title()).toBe('Query · globex · Sluice');
    expect(guest.faults).toEqual([]);
  });
});
