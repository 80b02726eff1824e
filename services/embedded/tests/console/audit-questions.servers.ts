import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

const HOUR_MS = 3_600_000;

let console: ConsoleHosts;
let browser: Browser;
let auditor: BuiltUser;
let ann: BuiltUser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  const { build, acme, rows } = console.hosts;
  auditor = await build.user(acme, { roles: ['auditor'] });
  ann = await build.user(acme, { roles: ['analyst'] });
  // Two statements, one of them cancelled, among what pages read when they open.
  await rows(
    `with given (n, who, action, target, metadata, query) as (values
       (1, 'ann@x.example', 'RUN_QUERY', 'q1', '{"sql": "-- Delays\\nSELECT carrier\\nFROM demo.vega.flights", "tables_read": ["demo.vega.flights"]}', 1),
       (2, 'ann@x.example', 'READ_CATALOG', 'demo.vega.flights', '{"catalog": "demo", "schema": "vega", "table": "flights"}', null),
       (3, 'ann@x.example', 'READ_CATALOG', 'demo', '{"catalog": "demo"}', null),
       (4, 'ann@x.example', 'READ_MARKETPLACE', 'marketplace', '{}', null),
       (5, 'ann@x.example', 'RUN_QUERY', 'q2', '{"sql": "SELECT 2 AS two"}', 2),
       (6, 'bob@x.example', 'LOGIN', 'bob@x.example', '{"method": "password"}', null),
       (7, 'ann@x.example', 'CANCEL_QUERY', 'q2', '{}', 2),
       (8, 'bob@x.example', 'LOGIN_FAILED', 'bob@x.example', '{}', null))
     insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
     select $1, gen_random_uuid(), now() - interval '2 hours' + n * interval '1 second', who, action, target, metadata::jsonb,
       ('00000000-0000-4000-8000-00000000000' || query)::uuid from given`,
    [acme.id],
  );
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const rowsOf = (page: Page, name = 'Records') => page.getByRole('grid', { name }).getByRole('row');
const open = (page: Page, path = 'audit') => openSignedIn(page, `${console.url}${path}`, auditor);

/** Texts of the rows without their head. */
async function textsOf(page: Page): Promise<readonly string[]> {
  const texts = await rowsOf(page).allTextContents();
  return texts.slice(1);
}

describe('an auditor', () => {
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

  it('does not see page loads at first, and finds them with one click; the address has the choice', async () => {
    await open(page, 'audit?user=ann@x.example');
    await page.getByText('3 records', { exact: true }).waitFor();
    expect((await textsOf(page)).join('\n')).not.toContain('READ_CATALOG');
    await takeScreenshot(page, 'audit-page-loads');
    await page.getByText('Hide page loads').click();
    await page.getByText('6 records', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?user=ann%40x.example&loads=shown');
    const text = (await textsOf(page)).join('\n');
    expect(text).toContain('ann@x.example looked at the description of demo.vega.flights.');
    expect(text).toContain('ann@x.example looked at the list of tables of demo.');
  });

  it('sees the first line of each statement, and the records of a query below each other', async () => {
    await open(page, 'audit?user=ann@x.example');
    await page.getByText('3 records', { exact: true }).waitFor();
    const [first = '', second = '', third = ''] = await textsOf(page);
    expect(first).toContain('SELECT 2 AS two');
    expect(second).toContain('CANCEL_QUERY');
    expect(third).toContain('SELECT carrier …');
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('searches for several actions and for words, and copies the address of what is shown', async () => {
    await open(page);
    await page.getByRole('button', { name: /^All actions/ }).click();
    await page.getByRole('option', { name: 'LOGIN_FAILED', exact: true }).click();
    await page.getByRole('option', { name: 'CANCEL_QUERY', exact: true }).click();
    await takeScreenshot(page, 'audit-actions');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^2 actions/ }).waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('2 records', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(`${console.url}audit?action=CANCEL_QUERY%2CLOGIN_FAILED`);
    await using other = await visit(browser);
    await open(other.page, 'audit?action=CANCEL_QUERY%2CLOGIN_FAILED');
    await other.page.getByText('2 records', { exact: true }).waitFor();
    await other.page.getByRole('button', { name: 'Remove filters' }).click();
    await other.page.getByRole('textbox', { name: 'Words in SQL, target or error' }).fill('DELAYS carriér');
    await other.page.keyboard.press('Enter');
    await other.page.getByText('1 record', { exact: true }).waitFor();
    expect(new URL(other.page.url()).searchParams.get('text')).toBe('DELAYS carriér');
    expect(other.faults).toEqual([]);
  });

  it('asks who read a table from its record', async () => {
    await open(page, 'audit?text=carrier');
    await rowsOf(page).nth(1).click();
    const dialog = page.getByRole('dialog', { name: 'Record' });
    await dialog.getByRole('listitem').getByText('demo.vega.flights').waitFor();
    const link = dialog.getByRole('link', { name: 'Who read this table?' });
    expect(await link.getAttribute('href')).toBe('/console/audit?reads=demo.vega.flights');
    expect(await findAxeViolations(page)).toEqual([]);
    await link.click();
    await page.getByText('1 record', { exact: true }).waitFor();
    expect((await textsOf(page))[0]).toContain('ann@x.example ran a statement.');
    await page.getByText('Records name the tables that they read since').waitFor();
    await page.getByRole('textbox', { name: 'Table that was read' }).fill('demo.vega.');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/audit?reads=demo.vega.');
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Table that was read' }).fill('demo.vega.cars');
    await page.keyboard.press('Enter');
    await page.getByText('No record matches').waitFor();
  });

  it.each([
    ['none', [], 'The statement reads no table.'],
    ['what is not known', null, 'Not known: the statement was not planned, or the engine did not report'],
    [
      'the first of many',
      Array.from({ length: 30 }, (_, at) => `demo.vega.t${at}`),
      'The first 20 of 30 are shown. The JSON has all.',
    ],
  ])('sees which tables a statement read: %s', async (what, tables, sentence) => {
    const user = `${what.replaceAll(' ', '-')}@x.example`;
    await console.hosts.rows(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
       values ($1, gen_random_uuid(), now(), $2, 'RUN_QUERY', 'q', $3::jsonb)`,
      [console.hosts.acme.id, user, JSON.stringify({ sql: 'SELECT 1', tables_read: tables })],
    );
    await open(page, `audit?user=${user}`);
    await rowsOf(page).nth(1).click();
    const section = page.getByRole('region', { name: 'Tables' });
    await section.getByText(sentence).waitFor();
    expect(await section.getByRole('listitem').count()).toBe(Math.min(tables?.length ?? 0, 20));
    await takeScreenshot(page, `audit-tables-${what.replaceAll(' ', '-')}`);
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('sees who did most, with a link to the records', async () => {
    await open(page);
    await page.getByRole('link', { name: 'Summary' }).click();
    const tables = page.getByRole('list', { name: 'Most read tables' });
    await tables.getByRole('link', { name: 'demo.vega.flights' }).waitFor();
    const users = page.getByRole('list', { name: 'Most active users' });
    const rejections = page.getByRole('list', { name: 'Rejections' });
    await rejections.getByRole('link', { name: 'LOGIN_FAILED' }).waitFor();
    await takeScreenshot(page, 'audit-summary');
    expect(await findAxeViolations(page)).toEqual([]);
    const href = await tables.getByRole('link').first().getAttribute('href');
    await takeScreenshot(page, 'audit-summary-bars');
    expect(href).toMatch(/^\/console\/audit\?reads=demo\.vega\.flights&range=custom&start=\d+&end=\d+$/);
    await users.getByRole('link', { name: 'ann@x.example' }).click();
    await page.getByText('6 records', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /Last 30 days/ }).click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    await page.waitForURL('**/audit/summary?range=day');
    await users.getByRole('link', { name: 'ann@x.example' }).waitFor();
  });

  it('verifies all 24 hours of the last 24 hours', async () => {
    await open(page);
    await page.getByRole('button', { name: 'Verify' }).click();
    const dialog = page.getByRole('dialog', { name: 'Verify the log' });
    await dialog.getByRole('button', { name: /Last 30 days/ }).click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    const requested = page.waitForRequest('**/audits/evidence*');
    const before = Date.now();
    await dialog.getByRole('button', { name: 'Verify', exact: true }).click();
    const { searchParams } = new URL((await requested).url());
    expect(Number(searchParams.get('start'))).toBeLessThanOrEqual(Date.now() - 24 * HOUR_MS);
    expect(Number(searchParams.get('start'))).toBeGreaterThanOrEqual(before - 24 * HOUR_MS - 1);
    expect(Number(searchParams.get('end'))).toBeGreaterThan(Date.now());
    await dialog.getByRole('grid', { name: 'Result' }).getByRole('row').nth(3).waitFor();
  });

  it('follows matching records only, and each statement with its outcome as one row', async () => {
    await open(page, 'audit?view=live&user=live@x.example');
    await page.getByText('Waiting for new records').waitFor();
    const { acme, rows } = console.hosts;
    await rows(
      `with first as (
         insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, query_id)
         select $1, gen_random_uuid(), now(), 'live@x.example', action, 'live', metadata::jsonb, gen_random_uuid()
         from (values ('RUN_QUERY', '{"sql": "SELECT 3 AS three"}'), ('READ_CATALOG', '{}')) given (action, metadata) returning *)
       insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, query_id)
       select tenant_id, gen_random_uuid(), id, occurred + interval '1 millisecond', user_name, action, target,
         '{"state": "FINISHED", "rows": 1}', query_id from first where action = 'RUN_QUERY'`,
      [acme.id],
    );
    await rowsOf(page, 'New records').getByText('Complete').waitFor();
    const texts = (await rowsOf(page, 'New records').allTextContents()).slice(1);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('SELECT 3 AS three');
    const followed = await rows(
      `select 1 from audit_log where action = 'FOLLOW_AUDIT_LOGS' and metadata->>'user_name' = 'live@x.example'`,
    );
    expect(followed).toHaveLength(1);
  });
});

describe('the page of a table', () => {
  it('leads to who read it, for those who may read the log', async () => {
    const { build, acme } = console.hosts;
    const reader = await build.user(acme, { roles: ['auditor', 'analyst'] });
    await using guest = await visit(browser);
    await openSignedIn(guest.page, `${console.url}tables/shop/main/items`, reader);
    const link = guest.page.getByRole('link', { name: 'Who read this table?' });
    expect(await link.getAttribute('href')).toBe('/console/audit?reads=shop.main.items');
    await using other = await visit(browser);
    await openSignedIn(other.page, `${console.url}tables/shop/main/items`, ann);
    await other.page.getByRole('tab', { name: /columns?$/ }).waitFor();
    expect(await other.page.getByRole('link', { name: 'Who read this table?' }).count()).toBe(0);
    expect([...guest.faults, ...other.faults]).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('the summary (%s)', (theme) => {
  it.each([
    ['on a desktop in English', false, 'en', 'Most active users'],
    ['on a phone in German', true, 'de', 'Aktivste Benutzer'],
  ] as const)('is accessible %s', async (_name, isPhone, language, label) => {
    await using guest = await visit(browser, { theme, isPhone, language });
    const { page, faults } = guest;
    await openSignedIn(page, `${console.url}audit/summary`, auditor);
    await page.getByRole('list', { name: label }).getByRole('link').first().waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, `audit-summary-${theme}${isPhone ? '-phone' : ''}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
