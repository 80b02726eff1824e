import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, shortOrLong } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn, untilPageShown } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let user: BuiltUser;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  user = await build.user(acme, { roles: ['analyst', 'steward', 'admin', 'auditor'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

/** Each width at a usual height, and each height at the width of a desktop and of a phone. */
const SIZES = [
  ...range(320, 1920, shortOrLong(160, 80, 20)).map((width) => ({ width, height: 800 })),
  ...range(360, 1080, shortOrLong(240, 120, 60)).flatMap((height) => [
    { width: 1280, height },
    { width: 390, height },
  ]),
];

const SQL = `SELECT range AS n, repeat('long ', 60) AS text, DATE '2026-01-01' AS day FROM range(500)`;

/** Faults of a page at all sizes, each with the sizes that have it. */
async function sweep(page: Page, name: string): Promise<Record<string, string>> {
  const found = new Map<string, string[]>();
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    // Two frames: observers of sizes change the page after the first one.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
    );
    for (const fault of await findLayoutFaults(page)) {
      found.set(fault, [...(found.get(fault) ?? []), `${width}x${height}`]);
      if (found.get(fault)?.length === 1) await takeScreenshot(page, `layout-${name}-${width}x${height}`);
    }
  }
  return Object.fromEntries(
    [...found].map(([fault, sizes]) => [fault, `${sizes.length}: ${sizes[0]} to ${sizes.at(-1)}`]),
  );
}

const PAGES = [
  'search?q=items',
  'tables',
  'tables/shop/main',
  'tables/shop/main/items',
  'marketplace',
  'marketplace/new',
  'requests',
  'metadata',
  'metadata?tab=coverage',
  'domains',
  'audit',
  'admin',
  'account',
  'no-such-page',
] as const;

describe.each(['en', 'de'] as const)('the layout (%s)', (language) => {
  it('has no controls that overlap or are cut off on any page, at any width and height', async () => {
    await using guest = await visit(browser, { language });
    const { page } = guest;
    await openSignedIn(page, hosts.console.url, user);
    const faults: Record<string, unknown> = {};
    for (const path of [...PAGES, `datamaps/${hosts.datamapId}`, `domains/${hosts.domainId}`]) {
      await page.goto(`${hosts.console.url}${path}`);
      await untilPageShown(page);
      await page.waitForLoadState('networkidle');
      const found = await sweep(page, path.replaceAll(/\W+/g, '-'));
      if (Object.keys(found).length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
  }, 600_000);

  it('of the query page leaves room for the rows, also beside a long value', async () => {
    await using guest = await visit(browser, { language });
    const { page } = guest;
    await openSignedIn(page, hosts.console.url, user);
    const faults: Record<string, unknown> = {};
    const note = async (name: string) => {
      const found = await sweep(page, name);
      if (Object.keys(found).length > 0) faults[name] = found;
    };
    await note('empty');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('textbox', { name: /^(Statement|Anweisung)/ }).fill(SQL);
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-state=complete]').waitFor();
    await note('result');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('[role=gridcell]').nth(1).dblclick();
    await note('value');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page
      .getByRole('textbox', { name: /^(Statement|Anweisung)/ })
      .fill('SELECT $first_name AS a, $second_name AS b');
    await page.getByRole('textbox', { name: '$second_name' }).waitFor();
    await note('parameters');
    expect(faults).toEqual({});
  }, 600_000);
});
