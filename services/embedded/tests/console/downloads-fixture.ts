import type { Receipt } from '@sluice/contract';
import { basicOf, finalReceipt } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { startFullBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { clearDownloads } from './downloads-page.ts';
import { openSignedIn } from './sign-in.ts';

/** Hosts, and a visitor who has signed in to the console as the analyst. */
export interface DownloadsFixture extends AsyncDisposable {
  readonly console: ConsoleHosts;
  readonly browser: Browser;
  readonly guest: Visit;
  readonly page: Page;
  /** Returns the final receipts of the newest tickets in the audit log, newest first. */
  newestReceipts(count: number): Promise<readonly Receipt[]>;
  /** Forwards everything unchanged again, and empties the list of downloads. */
  reset(): Promise<void>;
}

/** Starts what the tests of downloads share. */
export async function startDownloadsFixture(settings: Readonly<Record<string, string>>): Promise<DownloadsFixture> {
  const [console, browser] = await Promise.all([startConsoleHosts(settings), startFullBrowser()]);
  const guest = await visit(browser);
  const { hosts } = console;
  await openSignedIn(guest.page, console.url, hosts.ann);
  return {
    console,
    browser,
    guest,
    page: guest.page,
    async newestReceipts(count) {
      const tickets = await hosts.rows<{ target: string }>(
        `select target from audit_log where action = 'CREATE_TICKET' order by occurred desc limit ${count}`,
      );
      const wait = { credential: basicOf(hosts.ann), withinMs: 15_000 };
      return await Promise.all(tickets.map(({ target }) => finalReceipt(hosts.url, target, wait)));
    },
    async reset() {
      console.stream.reset();
      await clearDownloads(guest.page);
    },
    async [Symbol.asyncDispose]() {
      await guest[Symbol.asyncDispose]();
      await browser.close();
      await console[Symbol.asyncDispose]();
    },
  };
}
