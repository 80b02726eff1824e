import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { downloadRows, newestDownload, sha256OfFile, untilDownload } from './downloads-page.ts';
import { runStatement, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  guest = await visit(browser);
  page = guest.page;
  await openSignedIn(page, console.url, console.hosts.ann);
}, 180_000);
afterAll(async () => {
  await guest?.[Symbol.asyncDispose]();
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
afterEach(() => console.stream.reset());

describe('a download', () => {
  it.each(['CSV', 'Excel (XLSX)', 'JSON', 'NDJSON', 'Parquet'])(
    'saves the bytes of the receipt (%s)',
    async (format) => {
      await runStatement(page, 'SELECT range AS n FROM range(1000)');
      await untilState(page, 'Complete');
      const download = await downloadRows(page, format);
      expect(await download.failure()).toBeNull();
      await untilDownload(page, 'Sent');
      const sha256 = await sha256OfFile(await download.path());
      expect(await newestDownload(page).textContent()).toContain(sha256);
      await takeScreenshot(page, 'downloads');
      expect(guest.faults).toEqual([]);
    },
  );
});
