import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { createAccessibilityInspector } from './accessibility-inspector.ts';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { writeStatement } from './query-page.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let steward: BuiltUser;
let guest: Visit;
let page: Page;
const inspector = createAccessibilityInspector();
/** Id of a draft of the test. */
let id: string;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  steward = await build.user(acme, { email: 'dana@acme.example', roles: ['steward', 'auditor'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});
let drafts = 0;
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  drafts += 1;
  ({ id } = await hosts.steward.api.createDatamap({ body: { name: `draft_${drafts}`, sql: 'SELECT id FROM items' } }));
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const open = (user = steward) => openSignedIn(page, `${hosts.console.url}datamaps/${id}`, user);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('alertdialog');
const read = async () => (await hosts.steward.api.getDatamap({ params: { id } })).datamap;
const publish = () => hosts.steward.api.publishDatamap({ params: { id } });
const field = () => page.getByRole('textbox', { name: 'Statement', exact: true });

async function openField(): Promise<void> {
  await page.getByRole('tab', { name: 'Statement' }).click();
  await button('Edit the statement').click();
  await field().waitFor();
}

describe('the life of a datamap', () => {
  it('goes from a draft to all users, and is followed to its audit record', async () => {
    await open();
    await button('Publish').click();
    await page.getByText('Datamap published').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect((await read()).state).toBe('PUBLISHED');
    await page.getByRole('link', { name: 'In the audit log' }).click();
    await page.getByRole('grid', { name: 'Records' }).getByText(steward.email).first().waitFor();
  });

  it('says who uses it before it is withdrawn, and withdraws it only then', async () => {
    const texts = { display_name: 'Orders of the week', description: 'One row for each order.', tags: ['sales'] };
    await hosts.steward.api.updateDatamap({ params: { id }, body: texts });
    await publish();
    const body = { id: `uses-${drafts}`, title: 'Report of the week', queries: [{ name: 'q', datamap_id: id }] };
    await hosts.steward.stream.createMarketplaceItem({ body });
    await open();
    await button('Withdraw').click();
    await dialog().getByText('1 marketplace item cannot be downloaded').waitFor();
    await dialog().getByRole('link', { name: 'Report of the week' }).waitFor();
    await takeDocsPicture(page, 'console-impact');
    expect(await inspector.inspect(page, 'datamap-impact')).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect((await read()).state).toBe('PUBLISHED');
    await button('Withdraw').click();
    await dialog().getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Datamap withdrawn').waitFor();
    expect((await read()).state).toBe('IN_PROGRESS');
    await button('Archive').click();
    await page.getByText('Datamap archived.').waitFor();
    expect((await read()).state).toBe('ARCHIVED');
  });

  it('ends with its deletion, which says what is lost and leads to its audit record', async () => {
    const body = { id: `needs-${drafts}`, title: 'Needs it', queries: [{ name: 'q', datamap_id: id }] };
    await publish();
    await hosts.steward.stream.createMarketplaceItem({ body });
    await hosts.steward.api.archiveDatamap({ params: { id } });
    await open();
    await button('Delete').focus();
    await page.keyboard.press('Enter');
    await dialog().getByText('1 marketplace item cannot be downloaded until its owner removes this query.').waitFor();
    await dialog().getByText(hosts.stewardUser.email).waitFor();
    expect(await inspector.inspect(page, 'datamap-delete')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect((await read()).state).toBe('ARCHIVED');
    // The focus returns to the button in a later frame.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Delete');
    await page.keyboard.press('Enter');
    await dialog().getByText('1 marketplace item').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // The notification leaves after a while, so it is followed immediately.
    await page.getByRole('link', { name: 'In the audit log' }).click();
    await expect(read()).rejects.toMatchObject({ code: 'not_found' });
    await page.getByRole('grid', { name: 'Records' }).getByText(steward.email).first().waitFor();
  });

  it('gets the sentence of the host when somebody else was faster', async () => {
    await open();
    await button('Publish').waitFor();
    await publish();
    await button('Publish').click();
    await page.getByText('The datamap was changed meanwhile.').waitFor();
    await button('Withdraw').waitFor();
  });

  it('is not for users who may not change it', async () => {
    await publish();
    const { build, acme } = hosts.console.hosts;
    await open(await build.user(acme, { roles: ['analyst'] }));
    await page.getByRole('tab', { name: 'Statement' }).click();
    await page.getByText('FROM items').waitFor();
    expect(await button('Withdraw').count()).toBe(0);
    expect(await button('Edit the statement').count()).toBe(0);
  });
});

describe('the statement of a datamap', () => {
  it('has the message of the engine at its place, and is saved when it is right', async () => {
    await open();
    await openField();
    await writeStatement(page, 'SELECT id,\n  nmae FROM items');
    await button('Check and save').click();
    await page.getByText('Line 2, column 3: see the mark in the statement.').waitFor();
    expect(await page.locator('[data-error]').textContent()).toBe('nmae');
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'datamap-statement-error');
    expect((await read()).advanced_mode.sql).toBe('SELECT id FROM items');
    await writeStatement(page, 'SELECT id, name FROM items WHERE id > $least');
    await page.getByRole('combobox', { name: 'Type of $least' }).fill('bigint');
    await button('Check and save').click();
    await page.getByText('Statement saved.').waitFor();
    const { advanced_mode: mode, parameters, state } = await read();
    expect([mode.sql, state]).toEqual(['SELECT id, name FROM items WHERE id > $least', 'IN_PROGRESS']);
    expect(parameters).toMatchObject([{ name: 'least', type: 'bigint' }]);
    await page.getByRole('tab', { name: '2 columns' }).waitFor();
  });

  it('declares parameters, and says which requests a change of them breaks', async () => {
    const digits = '1234567890123456789012345678.90';
    const about = { required: false, default: digits, description: 'Highest *net* price\nof an item' };
    const parameters = [{ name: 'most', type: 'decimal(30,2)', ...about }];
    await hosts.steward.api.updateDatamap({
      params: { id },
      body: { sql: 'SELECT id FROM items WHERE price < $most', parameters },
    });
    await publish();
    await open();
    await page.getByRole('tab', { name: 'Statement' }).click();
    await page.getByRole('grid', { name: 'Parameters' }).getByText(digits).waitFor();
    const described = page.getByRole('grid', { name: 'Parameters' }).getByText('Highest net price');
    await described.waitFor();
    expect(await described.allInnerTexts()).toEqual(['Highest net price\nof an item']);
    await button('Edit the statement').click();
    await page.getByRole('textbox', { name: 'Description of $most' }).fill('Highest price');
    await button('Check and save').click();
    await dialog().getByText('Other users no longer find it.').waitFor();
    await dialog().getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('Statement saved.').waitFor();
    expect((await read()).parameters).toMatchObject([{ ...parameters[0], description: 'Highest price' }]);
    await publish();
    await page.reload();
    await page.getByRole('tab', { name: 'Statement' }).click();
    await button('Edit the statement').click();
    await page.getByRole('textbox', { name: 'Allowed values of $most' }).fill('1.50\n2.50');
    await page.reload();
    await page.getByRole('tab', { name: 'Statement' }).click();
    await page.getByRole('button', { name: /A request without \$most/ }).click();
    await page.getByRole('option', { name: 'is rejected' }).click();
    expect(await inspector.inspect(page, 'datamap-parameters')).toEqual([]);
    await button('Check and save').click();
    await dialog().getByText('Requests without a value for $most are rejected.').waitFor();
    await dialog().getByText('Values of $most that were accepted may be rejected.').waitFor();
    await dialog().getByText('No marketplace item uses it.').waitFor();
    await dialog().getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('Statement saved.').waitFor();
    expect(await read()).toMatchObject({
      state: 'IN_PROGRESS',
      parameters: [{ required: true, allowed_values: ['1.50', '2.50'] }],
    });
  });

  it('of a published datamap is saved after a question, and stays typed over a reload', async () => {
    await publish();
    await open();
    await openField();
    await writeStatement(page, 'SELECT name FROM items');
    await page.reload();
    await page.getByRole('tab', { name: 'Statement' }).click();
    await field().getByText('SELECT name FROM items').waitFor();
    await button('Check and save').click();
    await dialog().getByText('Other users no longer find it.').waitFor();
    await dialog().getByRole('button', { name: 'Check and save' }).click();
    await page.getByText('Statement saved.').waitFor();
    expect((await read()).advanced_mode.sql).toBe('SELECT name FROM items');
  });

  it('shows both versions when somebody else has stored another, and the user chooses', async () => {
    await open();
    await openField();
    await writeStatement(page, 'SELECT 1 AS mine');
    await hosts.steward.api.updateDatamap({ params: { id }, body: { sql: 'SELECT 2 AS theirs' } });
    await button('Check and save').click();
    const conflict = page.getByRole('alert', { name: /another statement or other parameters in the meantime/ });
    await conflict.getByText('SELECT 2 AS theirs').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    expect((await read()).advanced_mode.sql).toBe('SELECT 2 AS theirs');
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await button('Check and save').click();
    await page.getByText('Statement saved.').waitFor();
    expect((await read()).advanced_mode.sql).toBe('SELECT 1 AS mine');
  });

  it('keeps what is typed while it is being saved', async () => {
    await open();
    await openField();
    await writeStatement(page, 'SELECT 1 AS first');
    let goOn = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(`**/datamap/${id}`, async (route) => {
      if (route.request().method() === 'PUT') await isTyped;
      await route.continue();
    });
    await button('Check and save').click();
    await writeStatement(page, 'SELECT 2 AS second');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    goOn();
    await saved;
    await field().getByText('SELECT 2 AS second').waitFor();
    expect((await read()).advanced_mode.sql).toBe('SELECT 1 AS first');
    await button('Check and save').click();
    await page.getByText('Statement saved.').waitFor();
    expect((await read()).advanced_mode.sql).toBe('SELECT 2 AS second');
  });

  it('stays text, whatever is in it', async () => {
    const texts = PAYLOADS.filter((each) => !each.includes('\0') && each.isWellFormed() && each.trim() !== '');
    const text = texts.filter(({ length }) => length < 4000).join('\n');
    const sql = `SELECT 1 AS n WHERE $p IS NULL -- ${text.replaceAll('\n', '\n-- ')}`;
    const parameters = [
      {
        name: 'p',
        type: 'varchar',
        description: text.slice(0, 2000),
        default: text,
        allowed_values: [text],
        required: false,
      },
    ];
    const name = texts.find(({ length }) => length < 250) ?? '';
    await hosts.steward.api.updateDatamap({ params: { id }, body: { sql, parameters, display_name: name } });
    await publish();
    const queries = [{ name, datamap_id: id }];
    await hosts.steward.stream.createMarketplaceItem({ body: { id: `odd-${drafts}`, title: name, queries } });
    await open();
    await openField();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    await button('Withdraw').click();
    await dialog().getByText('1 marketplace item').waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    expect(await dialog().locator('img, script, iframe, style, math').count()).toBe(0);
  });
});

describe('the page', () => {
  it.each([
    ['on a desktop in English', 'light', false, 'en', 'Statement', 'Edit the statement'],
    ['on a phone in German', 'dark', true, 'de', 'Anweisung', 'Anweisung bearbeiten'],
  ] as const)('is accessible %s', async (_name, theme, isPhone, language, tab, edit) => {
    await using other = await visit(browser, { theme, isPhone, language });
    await other.page.goto(`${hosts.console.url}datamaps/${id}`);
    await other.page.getByLabel('E-mail').fill(steward.email);
    await other.page.locator('input[type=password]').fill(steward.password);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('tab', { name: tab }).click();
    await other.page.getByRole('button', { name: edit }).click();
    await other.page.locator('.cm-content').waitFor();
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, `datamap-statement-${theme}${isPhone ? '-phone' : ''}`);
    const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(other.faults).toEqual([]);
  });
});
