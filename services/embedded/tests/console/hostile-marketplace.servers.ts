import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let market: Market;
let browser: Browser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  market = await makeMarket(console.hosts);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

/** Payloads of one line, as titles, names and tags have them. */
const SHORT = PAYLOADS.filter((text) => text.trim() !== '' && text.length <= 256);
const ALL_LINES = PAYLOADS.filter((text) => text.length < 10_000).join('\n');
/** Characters that move what is around them, or that a terminal obeys. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069]|(?![\n\t\r])\p{Cc}/u;

/** Asserts that a page shows plain text only: no element, effect or hidden character of a payload. */
async function expectPlainText(page: Page, place: string): Promise<void> {
  expect([place, await findTraces(page)]).toEqual([place, NO_TRACES]);
  expect([place, HIDDEN.test((await page.locator('body').textContent()) ?? '')]).toEqual([place, false]);
}

/** Stores a string where the host would have rejected some of it, so that every payload reaches the page. */
async function makeHostileItems(): Promise<void> {
  const { hosts } = console;
  for (const [index, title] of SHORT.entries()) {
    const id = await market.item({ id: `hostile-${index}`, queries: { one: 'SELECT 1 AS a' } });
    await hosts.rows('update marketplace_items set title = $2, description = $2, tags = $3 where item_id = $1', [
      id,
      title,
      [title],
    ]);
  }
  const id = await market.item({
    id: 'all',
    queries: Object.fromEntries(SHORT.map((_, index) => [`q${index}`, 'SELECT 1 AS a'])),
    columns: Object.fromEntries(SHORT.map((name) => [name, 'varchar'])),
    parameters: [{ name: 'p', type: 'varchar', description: ALL_LINES.slice(0, 2_000), allowed_values: SHORT }],
  });
  await hosts.rows(
    'update marketplace_items set description = $2, tags = $3, domain_ids = $3, owner_name = $4 where item_id = $1',
    [id, ALL_LINES, SHORT, SHORT[0]],
  );
  for (const [index, name] of SHORT.entries())
    await hosts.rows('update marketplace_queries set name = $2 where item_id = $1 and name = $3', [
      id,
      name,
      `q${index}`,
    ]);
}

/** Requests of users whose names, reasons and notes are payloads. */
async function makeHostileRequests(state: 'PENDING' | 'REFUSED'): Promise<void> {
  const { hosts } = console;
  for (const text of PAYLOADS.filter((each) => each !== '')) {
    // A request of an account that does not exist cannot be decided.
    const { id } = await hosts.build.user(hosts.acme);
    await hosts.rows(
      `insert into marketplace_requests
         (tenant_id, request_id, item_id, account_kind, account_id, account_name, reason, state, decided, decided_by, note)
       values ($1, $2, 'hostile-0', 'user', $3, $4, $4, $5, now(), $4, $4)`,
      [hosts.acme.id, randomUUID(), id, text, state],
    );
  }
}

/** Moves through all pages of a list, and checks each. */
async function checkPages(page: Page, place: string): Promise<void> {
  for (;;) {
    await expectPlainText(page, place);
    const next = page.getByRole('button', { name: 'Next' });
    if ((await next.count()) === 0 || (await next.isDisabled())) return;
    const shown = page.getByText(/^\d+ to \d+ of \d+$/);
    const before = (await shown.textContent()) ?? '';
    await next.click();
    await page.getByText(before, { exact: true }).waitFor({ state: 'detached' });
  }
}

describe('hostile text', () => {
  it(`is text in the marketplace: ${PAYLOADS.length} payloads`, async () => {
    await makeHostileItems();
    await makeHostileRequests('PENDING');
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, console.url, market.owner);
    const goTo = async (path: string): Promise<void> => {
      await page.goto(`${console.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    };
    const places: Record<string, () => Promise<void>> = {
      'titles, descriptions, tags and facets': async () => {
        await goTo('marketplace');
        await page.getByRole('article').first().waitFor();
      },
      'the address': async () => {
        for (const text of SHORT.slice(0, 10))
          await goTo(`marketplace?q=${encodeURIComponent(text)}&tag=${encodeURIComponent(text)}`);
      },
      'an item with its queries, columns and parameters': async () => {
        await goTo('marketplace/all');
        await page.getByRole('tab').nth(1).click();
        await page
          .getByRole('button', { name: /^.*p .varchar/ })
          .first()
          .click();
        await page.getByRole('option').nth(2).click();
      },
      'requests to decide': async () => {
        await goTo('requests');
        await page.getByRole('article').first().waitFor();
      },
      'a decision and its message': async () => {
        await page.getByRole('button', { name: 'Refuse' }).first().click();
        await page.getByRole('textbox', { name: 'Reason for the refusal' }).fill(SHORT[0] ?? '');
        await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      },
      'decided requests': async () => {
        await console.hosts.rows(`update marketplace_requests set state = 'REFUSED'`);
        await goTo('requests?list=inbox');
        await page.getByRole('row').nth(1).waitFor();
      },
    };
    for (const [place, show] of Object.entries(places)) {
      await show();
      await checkPages(page, place);
    }
    expect(faults).toEqual([]);
    const names = Object.keys(places);
    process.stdout.write(
      `hostile text in the marketplace: ${PAYLOADS.length} payloads × ${names.length} places: ${names.join('; ')}\n`,
    );
  });

  it('of the one who decided is text for the requester', async () => {
    const user = await console.hosts.build.user(console.hosts.acme);
    await market.item({ id: 'noted', queries: { one: 'SELECT 1 AS a' } });
    const requestId = await market.request('noted', user, 'Please');
    await market.decide('noted', requestId, 'refuse', { note: 'No' });
    await console.hosts.rows('update marketplace_requests set note = $2, decided_by = $3 where request_id = $1', [
      requestId,
      ALL_LINES,
      SHORT[0],
    ]);
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, `${console.url}marketplace/noted`, user);
    await page.getByText('DROP TABLE items').first().waitFor();
    await expectPlainText(page, 'a note');
    await page.goto(`${console.url}requests?list=own`);
    await page.getByText('DROP TABLE items').first().waitFor();
    await expectPlainText(page, 'own requests');
    expect(faults).toEqual([]);
  });
});
