import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startFullBrowser } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';

/** Hosts that keep results in a folder, and a browser. */
export interface KeptResultsFixture extends AsyncDisposable {
  readonly console: ConsoleHosts;
  readonly browser: Browser;
  /** Returns how many records of an action a user has in the audit log, without those of outcomes. */
  countRecords(action: string, user: string): Promise<number>;
}

/** Starts what the tests of kept results share. */
export async function startKeptResultsFixture(): Promise<KeptResultsFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-kept-'));
  const settings = {
    RESULT_FOLDER: join(folder, 'results'),
    RESULT_KEY: randomBytes(32).toString('base64'),
    RESULT_KEEP_MAX: '48h',
  };
  const [console, browser] = await Promise.all([startConsoleHosts(settings), startFullBrowser()]);
  return {
    console,
    browser,
    async countRecords(action, user) {
      const [row] = await console.hosts.rows<{ count: number }>(
        'select count(*)::int as count from audit_log where action = $1 and user_name = $2 and record_id is null',
        [action, user],
      );
      return row?.count ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await console[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
