import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import { createItem } from '@sluice/testkit/fixtures';
import { basicOf } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { openSignedIn, untilPageShown } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let analyst: BuiltUser;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { hosts: both } = hosts.console;
  analyst = await both.build.user(both.acme, { roles: ['analyst'] });
  await createItem(both, basicOf(hosts.stewardUser), { id: 'cheap', queries: { one: 'SELECT 1 AS one' } });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

/** Returns the records that an act of a user writes, each as a line, sorted. */
async function recordsOf({ email }: BuiltUser, act: () => Promise<void>): Promise<readonly string[]> {
  const { rows } = hosts.console.hosts;
  const [mark] = await rows<{ now: string }>('select clock_timestamp()::text as now');
  await act();
  const found = await rows<{ action: string; target: string; metadata: object }>(
    `select action, target, metadata from audit_log where user_name = $1 and occurred > $2::timestamptz and record_id is null`,
    [email, mark?.now],
  );
  return found.map(({ action, target, metadata }) => `${action} ${target} ${JSON.stringify(metadata)}`).toSorted();
}

/** Opens a page anew, as from a bookmark, and waits until it has read everything. */
const load = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${hosts.console.url}${path}`);
  await untilPageShown(page);
  await page.waitForLoadState('networkidle');
};

const actionsOf = (records: readonly string[]) => records.map((record) => record.slice(0, record.indexOf(' ')));
const DATAMAP_SEARCHES = Array<string>(3).fill('SEARCH_DATAMAPS');

describe('a page writes one record for each list or description that it shows', () => {
  it.each<readonly [path: string, analyst: readonly string[], steward: readonly string[]]>([
    [
      'search',
      ['READ_CATALOG', 'READ_DOMAINS', 'READ_MARKETPLACE', ...DATAMAP_SEARCHES],
      ['READ_CATALOG', 'READ_DOMAINS', 'READ_MARKETPLACE', ...DATAMAP_SEARCHES, 'SEARCH_DATAMAPS'],
    ],
    [
      'search?q=items',
      ['READ_CATALOG', 'READ_DOMAINS', 'READ_MARKETPLACE', ...DATAMAP_SEARCHES],
      ['READ_CATALOG', 'READ_DOMAINS', 'READ_MARKETPLACE', ...DATAMAP_SEARCHES, 'SEARCH_DATAMAPS'],
    ],
    ['tables/shop/main/items', ['READ_CATALOG', 'READ_DOMAINS'], ['READ_CATALOG', 'READ_DOMAINS']],
    ['marketplace', ['READ_MARKETPLACE', 'READ_MARKETPLACE'], ['READ_MARKETPLACE', 'READ_MARKETPLACE']],
    ['marketplace/cheap', ['READ_MARKETPLACE', 'READ_MARKETPLACE'], ['READ_MARKETPLACE', 'READ_MARKETPLACE']],
  ])('/%s', async (path, ofAnalyst, ofSteward) => {
    for (const [user, expected] of [
      [analyst, ofAnalyst],
      [hosts.stewardUser, ofSteward],
    ] as const) {
      await using guest = await visit(browser);
      await openSignedIn(guest.page, `${hosts.console.url}account`, user);
      await guest.page.waitForLoadState('networkidle');
      const records = (await recordsOf(user, () => load(guest.page, path))).filter(
        // Every page load gets a token for its session.
        (record) => !record.startsWith('ISSUE_TOKEN'),
      );
      expect([path, records.filter((record, index) => records.indexOf(record) !== index)]).toEqual([path, []]);
      expect([path, actionsOf(records), records]).toEqual([path, expected, records]);
      expect(guest.faults).toEqual([]);
    }
  });

  it('and the editor, with its tables, completion and examples, reads the catalogs once', async () => {
    await using guest = await visit(browser);
    await openSignedIn(guest.page, `${hosts.console.url}account`, analyst);
    const records = await recordsOf(analyst, async () => {
      await guest.page.goto(hosts.console.url);
      await guest.page.getByRole('list', { name: 'Examples with your data' }).waitFor();
      await guest.page.waitForLoadState('networkidle');
    });
    expect(records.filter((record) => record.startsWith('READ_CATALOG catalog '))).toHaveLength(1);
    expect(records.filter((record, index) => records.indexOf(record) !== index)).toEqual([]);
    expect(guest.faults).toEqual([]);
  });
});
