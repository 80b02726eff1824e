import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import type { Browser } from 'playwright-core';
import { FilesCatalog } from '../../src/files/files-catalog.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { harvestCatalog } from './harvest-catalog.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let work: string;
let console: ConsoleHosts;
let browser: Browser;
beforeAll(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), 'sluice-data-files-')));
  const data = join(work, 'data');
  await mkdir(data);
  await writeFile(join(data, 'rivers.tsv'), 'name\tkm\nElbe\t1094\n');
  await writeFile(join(data, 'ragged.csv'), 'a,b,c\n1,2\n');
  for (let index = 100; index < 210; index += 1) await writeFile(join(data, `z${index}.xlsx`), '');
  const settings = { FILES_CATALOG: join(work, 'files.duckdb'), FILES_REPORT: join(work, 'files.json') };
  const { signal } = new AbortController();
  await new FilesCatalog({
    dataFolder: data,
    merge: 'off',
    path: settings.FILES_CATALOG,
    reportPath: settings.FILES_REPORT,
    signal,
  }).refresh({ waits: false });
  [console, browser] = await Promise.all([startConsoleHosts({ ...settings, SLUICE_DATA_DIR: data }), startBrowser()]);
  const { hosts } = console;
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['admin'] });
  const urls = { apiUrl: hosts.api.url, streamUrl: hosts.url };
  await harvestCatalog(createClient({ tenant: 'acme', ...urls, auth: { email, password } }));
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
  await rm(work, { recursive: true, force: true });
});

it.each([
  { theme: 'light', isPhone: false, language: 'en' },
  { theme: 'dark', isPhone: true, language: 'de' },
] as const)('the page of the catalog files shows how each file was read, or its problem: %j', async (options) => {
  await using guest = await visit(browser, options);
  const { page, faults } = guest;
  await openSignedIn(page, `${console.url}tables/files`, console.hosts.ann);
  await page.getByRole('link', { name: 'main' }).waitFor();
  const rows = page.getByRole('grid', { name: /^(Files|Dateien)$/ }).getByRole('row');
  await rows.filter({ hasText: 'ragged.csv' }).getByText('line 2 has 2 values, the header has 3.').waitFor();
  const read = rows.filter({ hasText: 'rivers.tsv' }).locator('[role=rowheader], [role=gridcell]');
  expect(await read.allTextContents()).toEqual([
    'rivers.tsv',
    'files.main.rivers',
    '1',
    '2',
    options.language === 'en' ? 'separator ⇥, UTF-8' : 'Trennzeichen ⇥, UTF-8',
  ]);
  await page.getByText(/^(112 files\. 111 have a problem\.|112 Dateien\. 111 haben ein Problem\.)$/).waitFor();
  expect(await rows.count()).toBe(101);
  await page.getByRole('button', { name: /^(Show more|Mehr zeigen)$/ }).click();
  await rows.filter({ hasText: 'z209.xlsx' }).waitFor();
  await takeScreenshot(page, `data-files-${options.theme}-${options.isPhone ? 'phone' : 'desktop'}`);
  expect(await findAxeViolations(page)).toEqual([]);
  expect(faults).toEqual([]);
});
