import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import { ENDLESS, FAILS_LATE, LONG } from '@sluice/testkit/statements';
import type { Browser, Page } from 'playwright-core';
import { createAccessibilityInspector } from './accessibility-inspector.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { downloadRows, openDownloadMenu, startDownload, untilDownload } from './downloads-page.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { type Market, makeMarket } from './marketplace-story.ts';
import {
  chooseFurther,
  chooseRows,
  resultGrid,
  runStatement,
  statementEditor,
  untilState,
  writeStatement,
} from './query-page.ts';
import { fillSignInForm, openSignedIn, untilPageShown } from './sign-in.ts';

// Every page, dialog and state of a run, in one of two themes and widths or in all four, with every rule of axe for WCAG 2.2 AA.

// There are many checks, each of which takes a while on a busy machine.
jest.setTimeout(400_000);

let hosts: FindDataHosts;
let market: Market;
let browser: Browser;
let guest: Visit;
let page: Page;
let user: BuiltUser;
const inspector = createAccessibilityInspector();
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const testHosts = hosts.console.hosts;
  market = await makeMarket(testHosts);
  const queries = { orders: 'SELECT $region AS region FROM range(3)' };
  const parameters = [{ name: 'region', type: 'varchar', allowed_values: ['EU', 'US'] }];
  for (const id of ['orders', 'regions'])
    await market.item({ id, description: 'Sales of a region.', tags: ['shop'], queries, parameters });
  user = await testHosts.build.user(testHosts.acme, { roles: ['analyst', 'steward', 'admin'] });
  await market.grant('regions', [{ name: user.email }]);
  await market.request('orders', await testHosts.build.user(testHosts.acme), 'Report of the year');
  guest = await visit(browser);
  page = guest.page;
}, 180_000);
afterEach(() => hosts.console.stream.reset());
afterAll(async () => {
  process.stdout.write(`${inspector.summary()}\n`);
  await guest?.[Symbol.asyncDispose]();
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

/** Holds a request for as long as the test lasts. */
const NEVER = new Promise<void>(() => undefined);
const address = (path: string): string => `${hosts.console.url}${path}`;
const inspect = async (name: string, at = page): Promise<void> => expect(await inspector.inspect(at, name)).toEqual([]);
const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).first().click();

/** Inspects a dialog or menu, and closes it. */
async function inspectOverlay(name: string, role: 'dialog' | 'menu' | 'complementary'): Promise<void> {
  await page.getByRole(role).waitFor();
  await inspect(name);
  await page.keyboard.press('Escape');
  await page.getByRole(role).waitFor({ state: 'detached' });
}

/** Opens a page of the console, as a link within it does, so that what is loaded stays loaded. */
async function open(path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', `/console/${to}`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

describe('axe finds no violation', () => {
  it('at the login and around every page', async () => {
    await page.goto(hosts.console.url);
    await page.getByLabel('E-mail').waitFor();
    await inspect('login');
    await fillSignInForm(page, user);
    await untilPageShown(page);
    await statementEditor(page).waitFor();
    await inspect('query');
    await page.keyboard.press('Control+k');
    await inspectOverlay('palette', 'dialog');
    await page.getByRole('link', { name: 'Sluice acme' }).focus();
    await page.keyboard.press('?');
    await inspectOverlay('shortcuts', 'dialog');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await inspectOverlay('account-menu', 'menu');
    await open('account');
    await page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem').first().waitFor();
    await page.getByRole('row', { name: /^Size of a result/ }).waitFor();
    await inspect('account');
    await open('nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await inspect('not-found');
    await open('signed-in');
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await inspect('signed-in');
  });

  it('in the editor and what opens from it', async () => {
    await open('');
    await statementEditor(page).pressSequentially('SELECT t');
    await page.getByRole('option', { name: 'trim', exact: true }).waitFor();
    await inspect('completion');
    await page.keyboard.press('Escape');
    await writeStatement(page, 'SELECT $region AS region');
    await page.getByRole('textbox', { name: '$region' }).waitFor();
    await inspect('parameters');
    await chooseFurther(page, 'Save as datamap');
    await inspectOverlay('save-datamap', 'dialog');
    await press('Run');
    await page.getByText('Enter a valid value for $region').waitFor();
    await inspect('notification');
    await press('History');
    await inspectOverlay('history', 'complementary');
    await press('Save query');
    await inspectOverlay('save-query', 'dialog');
    await press('Saved queries');
    await inspectOverlay('saved-queries', 'dialog');
  });

  it('in any state of a run', async () => {
    const { stream } = hosts.console;
    await page.route('**/query', () => NEVER, { times: 1 });
    await runStatement(page, 'SELECT 1 AS n');
    await untilState(page, 'Waiting for a slot');
    await inspect('run-queued');
    await press('Stop');
    await untilState(page, 'Cancelled');
    // The headers have arrived, and nothing else.
    stream.damage('/query', { kind: 'stall', afterBytes: 0 });
    await runStatement(page, ENDLESS);
    await untilState(page, 'Planning');
    await inspect('run-planning');
    // The page asks for the receipt until the engine has stopped.
    await page.route('**/query/*', () => NEVER);
    await press('Stop');
    await untilState(page, 'Stopping');
    await inspect('run-stopping');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.reload();
    await untilPageShown(page);
    await chooseRows(page, 'All');
    stream.damage('/query', { kind: 'stall', afterBytes: 300_000 });
    await runStatement(page, LONG);
    await untilState(page, 'Streaming');
    await inspect('run-streaming');
    await press('Stop');
    await untilState(page, 'Cancelled');
    await inspect('run-cancelled');
    stream.damage('/query', { kind: 'cut', afterBytes: 100_000 });
    await runStatement(page, 'SELECT range AS n FROM range(100000)');
    await untilState(page, 'Incomplete');
    await inspect('run-cut');
    stream.reset();
    await runStatement(page, FAILS_LATE);
    await untilState(page, 'Failed');
    await inspect('run-failed-after-rows');
    await runStatement(page, 'SELECT * FRM items');
    await page.locator('[data-error]').waitFor();
    await inspect('run-failed');
    await chooseRows(page, 'First 100');
    await runStatement(page, 'SELECT range AS n FROM range(101)');
    await untilState(page, 'Limited');
    await inspect('run-limited');
    await runStatement(page, 'SELECT * FROM items WHERE false');
    await untilState(page, 'Complete');
    await inspect('run-without-rows');
  });

  it('in a result and its downloads', async () => {
    await runStatement(page, `SELECT *, [1, 2] AS list, '' AS nothing FROM items`);
    await untilState(page, 'Complete');
    await inspect('run-complete');
    await resultGrid(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary').waitFor();
    await inspect('cell');
    await page.keyboard.press('Escape');
    await press('Filter');
    await page.getByRole('textbox', { name: 'Value' }).waitFor();
    await inspect('filter');
    await page.keyboard.press('Escape');
    await press('Copy');
    await inspectOverlay('copy', 'menu');
    await page.getByRole('radio', { name: 'Columns' }).click();
    await page.getByRole('table').waitFor();
    await inspect('columns');
    await page.getByRole('radio', { name: 'Chart' }).click();
    await page.locator('.chart__drawing svg').waitFor();
    await inspect('chart');
    await page.getByRole('radio', { name: 'Rows' }).click();
    await openDownloadMenu(page);
    await inspectOverlay('download-menu', 'menu');
    await openDownloadMenu(page);
    await page.getByRole('menuitem', { name: 'More options' }).click();
    await inspectOverlay('download-options', 'dialog');
    await downloadRows(page, 'CSV');
    await untilDownload(page, 'Saved');
    await inspect('download-saved');
    await page.getByRole('complementary').getByRole('button', { name: 'Check a file' }).first().click();
    await inspectOverlay('file-check', 'dialog');
    await press('Close the downloads');
    await downloadRows(page, 'Parquet');
    await untilDownload(page, 'Sent');
    await inspect('download-sent');
    await press('Close the downloads');
    hosts.console.stream.reply('/tickets', { status: 503, headers: { 'access-control-allow-origin': '*' } });
    await startDownload(page, 'Parquet');
    await untilDownload(page, 'Failed');
    await inspect('download-failed');
    await press('Clear list');
    await inspect('downloads-none');
    await press('Close the downloads');
  });

  it('on the pages that find and show data', async () => {
    await open('search');
    await page.getByRole('link', { name: 'Cheap items' }).waitFor();
    await inspect('search');
    await page.getByRole('searchbox').fill('nothing matches this');
    await page.getByText('Nothing matches').waitFor();
    await inspect('search-nothing');
    for (const [path, link] of [
      ['tables', 'shop'],
      ['tables/shop', 'main'],
      ['tables/shop/main', 'items'],
    ] as const) {
      await open(path);
      await page.getByRole('main').getByRole('link', { name: link, exact: true }).waitFor();
      await inspect(path.replaceAll('/', '-'));
    }
    await open('tables/shop/main/none');
    await page.getByText('does not exist, or you are not allowed to see it').waitFor();
    await inspect('table-missing');
    await open('tables/shop/main/items');
    await page.getByText('In euros, without tax.').waitFor();
    await inspect('table');
    await press('Edit description and tags');
    const cells = page.getByRole('grid', { name: 'Descriptions and tags of the columns' });
    // The bar with the buttons must not cover half a button: axe would call that one too small.
    await cells.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await inspect('table-edit');
    await page.getByRole('gridcell', { name: 'In euros, without *tax*.' }).dblclick();
    await page.getByRole('textbox', { name: 'Description of price' }).waitFor();
    await inspect('table-edit-cell');
    await page.keyboard.press('Escape');
    await press('Close');
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    await press('Show the first 100 rows');
    await untilState(page, 'Complete');
    await inspect('table-sample');
    await press('Copy as');
    await inspectOverlay('copy-as', 'menu');
    await open(`datamaps/${hosts.datamapId}`);
    await page.getByText('decimal(').waitFor();
    await inspect('datamap');
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    await page.getByRole('textbox', { name: '$max' }).waitFor();
    await inspect('datamap-sample');
    await page.getByRole('tab', { name: 'Statement' }).click();
    await page.getByText('WHERE price').waitFor();
    await inspect('datamap-statement');
    await press('Edit the statement');
    await page.getByRole('textbox', { name: 'Statement', exact: true }).waitFor();
    await inspect('datamap-statement-edit');
    await press('Close');
  });

  it('in files of metadata', async () => {
    await open('metadata');
    await page.getByRole('button', { name: 'Check the text' }).waitFor();
    await inspect('metadata-import');
    await page.getByRole('textbox', { name: 'Or paste it here' }).fill('type,id\nTABEL,a.b.c\n');
    await press('Check the text');
    await page.getByText('line 2, type must be TABLE, VIEW or DATAMAP').waitFor();
    await inspect('metadata-mistakes');
    await page.getByRole('tab', { name: 'Export' }).click();
    await page.getByRole('textbox', { name: 'Only names that start with' }).waitFor();
    await inspect('metadata-export');
    await page.getByRole('tab', { name: 'Coverage' }).click();
    await page.getByRole('row', { name: /shop\.main\.wide/ }).waitFor();
    await inspect('metadata-coverage');
    await open('domains');
    await page.getByRole('link', { name: 'Warehouse' }).waitFor();
    await inspect('domains');
    await press('New domain');
    await inspectOverlay('domain-new', 'dialog');
    await open(`domains/${hosts.domainId}`);
    await page.getByRole('row', { name: /shop\.main\.items/ }).waitFor();
    await inspect('domain');
    await open('tables/shop/main/items');
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page
      .getByRole('button', { name: /^Revert version/ })
      .first()
      .click();
    await inspectOverlay('change-revert', 'dialog');
    await inspect('table-changes');
  });

  it('in the marketplace', async () => {
    await open('marketplace');
    await page.getByRole('link', { name: 'Title of orders' }).waitFor();
    await inspect('marketplace');
    await open('marketplace?q=nothing');
    await page.getByRole('button', { name: 'Show all items' }).waitFor();
    await inspect('marketplace-nothing');
    await open('marketplace/none');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await inspect('item-missing');
    await open('marketplace/regions');
    await page.getByText('Your access has no end date.').waitFor();
    await inspect('item-granted');
    await open('marketplace/orders');
    await page.getByText('No access').waitFor();
    await inspect('item-no-access');
    await press('Request access');
    await page.getByRole('textbox', { name: 'What do you need the data for?' }).waitFor();
    await inspectOverlay('request-access', 'dialog');
    await open('requests');
    await page.getByText('Report of the year').waitFor();
    await inspect('requests');
    await page.getByRole('button', { name: 'Approve' }).click();
    await inspectOverlay('approve', 'dialog');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await inspectOverlay('refuse', 'dialog');
    await page.getByRole('tab', { name: 'All for my items' }).click();
    await page.getByRole('row', { name: /orders/ }).waitFor();
    await inspect('requests-all');
    await page.getByRole('tab', { name: 'My requests' }).click();
    await page.getByText('You have not requested access').waitFor();
    await inspect('requests-own');
  });

  it('in the audit log', async () => {
    await open('audit?action=CREATE_MARKETPLACE_ITEM');
    const rows = page.getByRole('grid', { name: 'Records' }).getByRole('row');
    await rows.nth(2).waitFor();
    await inspect('audit');
    await rows.nth(1).click();
    await page.getByRole('dialog', { name: 'Record' }).getByText('CREATE_MARKETPLACE_ITEM').first().waitFor();
    await inspectOverlay('audit-record', 'dialog');
    await open('audit/summary');
    await page.getByRole('list', { name: 'Most active users' }).waitFor();
    await inspect('audit-summary');
  });

  it('in the administration of the tenant', async () => {
    await open('admin');
    await page.getByRole('row', { name: user.email }).waitFor();
    await inspect('admin-users');
    await press('Invite a user');
    await page.getByRole('dialog').getByRole('checkbox').first().waitFor({ state: 'attached' });
    await inspectOverlay('admin-invite', 'dialog');
    await page.getByRole('row', { name: user.email }).click();
    await page.getByRole('dialog').getByText('admin', { exact: true }).click();
    await page.getByText(`${user.email} loses`).waitFor();
    await inspectOverlay('admin-user', 'dialog');
    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('row', { name: /^auditor/ }).waitFor();
    await inspect('admin-roles');
    await page.getByRole('row', { name: /^auditor/ }).click();
    await page.getByRole('dialog').getByText('audit:read', { exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/ loses? .+\.$/)
      .waitFor();
    await inspectOverlay('admin-role', 'dialog');
    await page.getByRole('tab', { name: 'Service accounts' }).click();
    await press('New service account');
    await page.getByRole('dialog').getByLabel('Client ID').fill('nightly');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('It is shown only now').waitFor();
    await inspect('admin-secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('row', { name: 'nightly' }).waitFor();
    await inspect('admin-service-accounts');
    await page.getByRole('row', { name: 'nightly' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke …' }).click();
    await page.getByText('can no longer sign in').waitFor();
    await press('Add a secret …');
    await page.getByRole('dialog').getByText('Limit the permissions', { exact: true }).click();
    await page.getByRole('dialog').getByText('Administer the tenant').waitFor();
    await inspectOverlay('admin-service-account', 'dialog');
    await page.getByRole('tab', { name: 'Grants' }).click();
    await page.getByRole('row', { name: 'Title of regions' }).waitFor();
    await inspect('admin-grants');
    await press('New grant');
    await page.getByRole('dialog').getByLabel('Item ID').waitFor();
    await inspectOverlay('admin-new-grant', 'dialog');
    await page.getByRole('row', { name: 'Title of regions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove …' }).click();
    await page.getByText('can no longer download').waitFor();
    await inspectOverlay('admin-grant', 'dialog');
    await page.getByRole('tab', { name: 'Limits' }).click();
    await page.getByLabel('Rows of a result').fill('10');
    await page.getByText('instead of').waitFor();
    await inspect('admin-limits');
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByText('Record reads of metadata', { exact: true }).click();
    await page.getByText('From then on, the audit log').waitFor();
    await inspect('admin-audit');
    await page.getByRole('tab', { name: 'Sessions', exact: true }).click();
    await page.getByRole('row', { name: user.email }).first().waitFor();
    await page.getByLabel('Minutes without a request').waitFor();
    await inspect('admin-sessions');
    await page.getByRole('row', { name: user.email }).first().click();
    await inspectOverlay('admin-session', 'dialog');
    await page.getByRole('tab', { name: 'Running queries' }).click();
    await page.getByText('No running queries').waitFor();
    await inspect('admin-queries');
  });

  it('where a page cannot be used', async () => {
    await using other = await visit(browser);
    const auditor = await hosts.console.hosts.build.user(hosts.console.hosts.acme, { roles: ['auditor'] });
    await openSignedIn(other.page, `${hosts.console.url}admin`, auditor);
    await other.page.getByRole('heading', { name: 'You are not allowed to use this page' }).waitFor();
    await inspect('not-allowed', other.page);
    await guest.context.request.get(`${hosts.console.hosts.api.url}/auth/logout/acme`, { maxRedirects: 0 });
    await open('marketplace');
    await page.getByRole('alertdialog', { name: 'Your session has ended' }).waitFor();
    await inspect('session-ended');
    await page.route('**/auth/session/**', (route) => route.abort());
    await page.goto(address('search'));
    await page.getByRole('heading', { name: 'The host cannot be reached' }).waitFor();
    await inspect('unreachable');
  });
});
