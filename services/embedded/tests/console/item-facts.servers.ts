import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import { createSendRequest } from '@sluice/testkit/fixtures';
import { basicOf } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { createAccessibilityInspector } from './accessibility-inspector.ts';
import { dialogOf } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm, openSignedIn, untilPageShown } from './sign-in.ts';

const TERMS = 'Only for **internal** reports.\n\n- Name the source.\n- Ask before you pass it on.';

let console: ConsoleHosts;
let market: Market;
let browser: Browser;
let reader: BuiltUser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  market = await makeMarket(console.hosts);
  reader = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst'] });
  await market.item({
    id: 'trips',
    title: 'Trips by day',
    license: 'CC-BY-4.0',
    terms_of_use: TERMS,
    queries: { trips: `SELECT range AS id, 'EU' AS region FROM range(500)` },
    columns: { id: 'bigint', region: 'varchar' },
    descriptions: { region: 'Region of the *first* stop' },
  });
  await market.grant('trips', [{ name: reader.email }]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const inspector = createAccessibilityInspector();
let guest: Visit;
let page: Page;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});
const open = (path: string, user: BuiltUser) => openSignedIn(page, `${console.url}${path}`, user);
const fact = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
const ask = () => createSendRequest(console.hosts);

describe('the page of an item', () => {
  it('links a license that is an address, and opens it without a way back to the console', async () => {
    const license = 'https://licenses.example/by/4.0/';
    await market.item({ id: 'linked', title: 'Linked', license, queries: { one: 'SELECT 1 AS n' } });
    await market.grant('linked', [{ name: reader.email }]);
    await open('marketplace/linked', reader);
    const link = fact('License').getByRole('link', { name: license });
    expect(await link.getAttribute('href')).toBe(license);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('says what users may do with it, how old and how large it is, and claims no more', async () => {
    await open('marketplace/trips', reader);
    await fact('License').getByText('CC-BY-4.0').waitFor();
    await page.getByRole('region', { name: 'Terms of use' }).getByText('internal', { exact: true }).first().waitFor();
    await page
      .getByRole('row', { name: /region/ })
      .getByText('Region of the first stop')
      .waitFor();
    await fact('As of').getByText('The time of your download, which reads the tables then.').waitFor();
    await fact('As of').getByText('When their data last changed is not known.').waitFor();
    await fact('Size').getByText('Not known: there is no complete download yet.').waitFor();
    expect(await inspector.inspect(page, 'item-facts')).toEqual([]);
    const csv = await ask()('POST', '/marketplace/trips/download/csv', { credential: basicOf(reader) });
    await until(
      async () => {
        const { body } = await ask()('GET', '/marketplace/trips', { credential: basicOf(reader) });
        return body.last_complete_download ?? undefined;
      },
      { what: 'the size of the download' },
    );
    await page.reload();
    await fact('Size').getByText(`500 rows`).waitFor();
    await fact('Size').getByText('kB as CSV').waitFor();
    expect(csv.bytes.length).toBeGreaterThan(1000);
    await takeScreenshot(page, 'item-facts');
  });

  it('shows programs with whole lines, which scroll and are copied as they are', async () => {
    await open('marketplace/trips', reader);
    const program = page.getByRole('textbox', { name: 'curl' });
    await program.waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const [isWrapped, overflow] = await program.evaluate((field: HTMLTextAreaElement) => [
        getComputedStyle(field).whiteSpace !== 'pre',
        document.documentElement.scrollWidth - innerWidth,
      ]);
      expect([width, isWrapped, overflow]).toEqual([width, false, 0]);
    }
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'item-program-phone');
  });

  it('is accessible on a phone in German', async () => {
    await using phone = await visit(browser, { theme: 'dark', isPhone: true, language: 'de' });
    await phone.page.goto(`${console.url}marketplace/trips`);
    await fillSignInForm(phone.page, reader);
    await untilPageShown(phone.page);
    await phone.page.getByText('Der Zeitpunkt Ihres Downloads, der die Tabellen dann liest.').waitFor();
    await phone.page.getByText('Zugriff gewährt', { exact: true }).waitFor();
    expect(await findAxeViolations(phone.page)).toEqual([]);
    const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await takeScreenshot(phone.page, 'item-facts-phone');
    expect(phone.faults).toEqual([]);
  });
});

describe('the state of access', () => {
  it('has one word in the list, on the page of the item, in the search and for the request', async () => {
    const user = await console.hosts.build.user(console.hosts.acme, { roles: ['analyst'] });
    await market.item({ id: 'states', title: 'States of access', queries: { one: 'SELECT 1 AS a' } });
    await open('marketplace?q=states', user);
    const card = page.getByRole('article').filter({ hasText: 'States of access' });
    const row = page.getByRole('row', { name: /States of access/ });
    const panel = page.getByRole('region', { name: 'Your access' });
    const everywhere = async (word: string): Promise<void> => {
      await page.goto(`${console.url}marketplace?q=states`);
      await card.getByText(word, { exact: true }).waitFor();
      await page.goto(`${console.url}marketplace/states`);
      await panel.getByText(word, { exact: true }).waitFor();
      await page.goto(`${console.url}requests?list=own`);
      await row.getByText(word, { exact: true }).waitFor();
    };
    await card.getByText('No access', { exact: true }).waitFor();
    const first = await market.request('states', user, 'Work');
    await everywhere('Access requested');
    await market.decide('states', first, 'refuse', { note: 'Say more' });
    await everywhere('Access refused');
    const second = await market.request('states', user, 'Work on the yearly report');
    await market.decide('states', second, 'approve', {});
    await everywhere('Access granted');
    await page.goto(`${console.url}search?q=states`);
    await page.getByRole('list', { name: 'Results' }).getByText('Access granted').waitFor();
  });
});

describe('the owner of an item', () => {
  it('edits license and terms of use, and sees both versions when somebody else has changed them', async () => {
    await market.item({ id: 'terms', title: 'Terms', queries: { one: 'SELECT 1 AS a' } });
    await open('marketplace/terms/edit', market.owner);
    await page.getByRole('textbox', { name: 'License' }).fill('CC0-1.0');
    await page.getByRole('textbox', { name: 'Terms of use' }).fill('Ask *first*.');
    expect(await inspector.inspect(page, 'item-edit-terms')).toEqual([]);
    const item = async () => (await ask()('GET', '/marketplace/terms', { credential: basicOf(market.owner) })).body;
    const { title, queries } = await item();
    const body = {
      title,
      queries: queries.map(({ name, datamap_id }: Record<string, string>) => ({ name, datamap_id })),
      license: 'MIT',
    };
    await ask()('PUT', '/marketplace/terms', { credential: basicOf(market.owner), body });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.getByRole('alert', { name: 'Someone else changed this in the meantime' });
    await conflict.getByText('MIT').waitFor();
    await conflict.getByText('CC0-1.0').waitFor();
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Item saved.').waitFor();
    expect(await item()).toMatchObject({ license: 'CC0-1.0', terms_of_use: 'Ask *first*.' });
  });

  it('sees both versions of a grant that somebody else has changed, and loses neither', async () => {
    await market.item({ id: 'contested', title: 'Contested', queries: { one: 'SELECT 1 AS a' } });
    await open('marketplace/contested/edit', market.owner);
    await page.getByRole('textbox', { name: 'E-mail' }).fill(reader.email);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('New, not saved yet').waitFor();
    await market.grant('contested', [{ name: reader.email }]);
    await page.getByRole('button', { name: 'Save the grants' }).click();
    await page.getByText('Someone else changed the grants in the meantime.').waitFor();
    await page.getByRole('button', { name: 'Keep theirs' }).waitFor();
    expect(await inspector.inspect(page, 'item-grants-conflict')).toEqual([]);
    expect(await market.grants('contested')).toMatchObject([{ name: reader.email, expires_ts: null }]);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save the grants' }).click();
    await page.getByText('Item saved.').waitFor();
    expect(await market.grants('contested')).toMatchObject([{ expires_ts: expect.any(Number) }]);
  });
});

describe('a recipient that does not exist', () => {
  it('is marked while the owner of an item types', async () => {
    await open('marketplace/trips/edit', market.owner);
    const field = page.getByRole('textbox', { name: 'E-mail' });
    await field.fill('nobody@acme.example');
    await page.getByText('There is no user nobody@acme.example.').waitFor();
    expect(await inspector.inspect(page, 'item-grant-unknown')).toEqual([]);
    await field.fill(reader.email);
    await page.getByText('There is no user').waitFor({ state: 'detached' });
  });

  it('is marked while an admin types', async () => {
    await open('admin?view=grants', market.admin);
    await page.getByRole('button', { name: 'New grant' }).click();
    const field = (name: string) => dialogOf(page).getByRole('combobox', { name });
    await field('Item ID').fill('no-such-item');
    await dialogOf(page).getByText('There is no item no-such-item.').waitFor();
    await field('E-mail of the user').fill('nobody@acme.example');
    await dialogOf(page).getByText('There is no user nobody@acme.example.').waitFor();
    expect(await inspector.inspect(page, 'admin-grant-unknown')).toEqual([]);
    await field('Item ID').fill('trips');
    await field('E-mail of the user').fill(reader.email.toUpperCase());
    await dialogOf(page).getByText('There is no').waitFor({ state: 'detached' });
  });
});
