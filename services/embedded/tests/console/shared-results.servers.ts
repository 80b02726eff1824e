import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Locator, Page } from 'playwright-core';
import { dialogOf } from './administration-page.ts';
import { findAxeViolations } from './axe.ts';
import { type Visit, visit } from './console-browser.ts';
import { startDownload, untilDownload } from './downloads-page.ts';
import { type KeptResultsFixture, startKeptResultsFixture } from './kept-results-fixture.ts';
import { findPhoneFaults } from './phone-layout.ts';
import { renderedRows, runStatement, runStatus, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let fixture: KeptResultsFixture;
let guest: Visit;
let page: Page;
let owner: BuiltUser;
beforeAll(async () => {
  fixture = await startKeptResultsFixture();
}, 180_000);
afterAll(async () => {
  await fixture?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  owner = await newUser();
  guest = await visit(fixture.browser);
  page = guest.page;
  await openSignedIn(page, fixture.console.url, owner);
});
afterEach(async () => {
  const { faults } = guest;
  await guest[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const newUser = (roles = ['analyst']): Promise<BuiltUser> =>
  fixture.console.hosts.build.user(fixture.console.hosts.acme, { roles });

/** Labels of the field for a name, by what the result is shared with. */
const NAME_LABELS = { User: 'E-mail', Role: 'Name of the role' } as const;
type Kind = keyof typeof NAME_LABELS;

/** Field for a name in the open dialog. */
const nameField = (at: Page, kind: Kind): Locator => dialogOf(at).getByLabel(NAME_LABELS[kind], { exact: true });

/** Runs a statement, opens the dialog that shares its result, and returns the link. */
async function openShare(sql: string): Promise<string> {
  await runStatement(page, sql);
  await untilState(page, 'Complete');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await dialogOf(page).getByText('Only you can view it so far.').waitFor();
  return (await dialogOf(page).locator('code').textContent()) ?? '';
}

async function shareWith(kind: Kind, name: string): Promise<void> {
  const dialog = dialogOf(page);
  if (kind !== 'User') {
    await dialog.getByRole('button', { name: /Share with/ }).click();
    await page.getByRole('option', { name: kind, exact: true }).click();
  }
  await nameField(page, kind).fill(name);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  const list = dialog.getByRole('list', { name: 'Who may view the result' });
  await list.getByRole('listitem').filter({ hasText: name }).waitFor();
}

const SQL = 'SELECT id, name, price FROM items ORDER BY id';

describe('a shared result', () => {
  it('is viewed and downloaded by the user with whom it is shared, and by no other', async () => {
    const [colleague, other] = [await newUser(), await newUser()];
    const link = await openShare(SQL);
    await shareWith('User', colleague.email);
    await takeScreenshot(page, 'share-result');
    expect(await findAxeViolations(page)).toEqual([]);
    await using viewer = await visit(fixture.browser);
    await openSignedIn(viewer.page, link, colleague);
    await viewer.page.getByText(`${owner.email} ran the query and shares its rows with you.`).waitFor();
    await runStatus(viewer.page)
      .getByText(/^Result of .+, kept until /)
      .waitFor();
    expect(await renderedRows(viewer.page)).toEqual([
      ['1', 'nut', '0.10'],
      ['2', 'bolt, long', '250.00'],
      ['9223372036854775807', 'NULL', 'NULL'],
    ]);
    await takeScreenshot(viewer.page, 'shared-result');
    expect(await findAxeViolations(viewer.page)).toEqual([]);
    for (const name of ['Share', 'Open in editor', 'Delete …', 'Run again'])
      expect(await viewer.page.getByRole('button', { name, exact: true }).count()).toBe(0);
    const [file] = await Promise.all([viewer.page.waitForEvent('download'), startDownload(viewer.page, 'CSV')]);
    await untilDownload(viewer.page, 'With your browser');
    expect(await readFile(await file.path(), 'utf8')).toContain('9223372036854775807');
    expect(viewer.faults).toEqual([]);
    await using stranded = await visit(fixture.browser);
    await openSignedIn(stranded.page, link, other);
    await stranded.page.getByText('There is no result here for you').waitFor();
    await takeScreenshot(stranded.page, 'shared-result-unavailable');
    expect(await findAxeViolations(stranded.page)).toEqual([]);
    for (const each of [colleague, other]) expect(await fixture.countRecords('RUN_QUERY', each.email)).toBe(0);
  });

  it('is shared with a role, and no longer when that is removed', async () => {
    const colleague = await newUser(['analyst', 'steward']);
    const link = await openShare('SELECT 42 AS answer');
    await shareWith('Role', 'steward');
    await using viewer = await visit(fixture.browser, { isPhone: true, theme: 'dark' });
    await openSignedIn(viewer.page, link, colleague);
    await runStatus(viewer.page)
      .getByText(/^Result of/)
      .waitFor();
    expect(await renderedRows(viewer.page)).toEqual([['42']]);
    await takeScreenshot(viewer.page, 'shared-result-phone');
    expect(await findAxeViolations(viewer.page)).toEqual([]);
    expect(await findPhoneFaults(viewer.page)).toEqual({ sideways: [], targets: [], words: [], rows: [] });
    await dialogOf(page).getByRole('button', { name: 'Remove steward' }).click();
    await dialogOf(page).getByText('Only you can view it so far.').waitFor();
    await viewer.page.reload();
    await viewer.page.getByText('There is no result here for you').waitFor();
    expect(viewer.faults).toEqual([]);
  });

  it('names a user who does not exist', async () => {
    await openShare('SELECT 1 AS one');
    await nameField(page, 'User').fill('not.there@acme.example');
    await dialogOf(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialogOf(page).getByRole('alert').waitFor();
    expect(await dialogOf(page).getByRole('alert').textContent()).toContain('not.there@acme.example');
  });

  it('offers names to an administrator', async () => {
    const colleague = await newUser();
    await using visitor = await visit(fixture.browser);
    const admin = await newUser(['admin', 'analyst']);
    await openSignedIn(visitor.page, fixture.console.url, admin);
    await runStatement(visitor.page, 'SELECT 1 AS one');
    await untilState(visitor.page, 'Complete');
    await visitor.page.getByRole('button', { name: 'Share', exact: true }).click();
    await nameField(visitor.page, 'User').fill(colleague.email.slice(0, 8));
    await dialogOf(visitor.page).locator(`datalist option[value="${colleague.email}"]`).waitFor({ state: 'attached' });
    expect(visitor.faults).toEqual([]);
  });

  it('is deleted by its owner, for everybody', async () => {
    const colleague = await newUser();
    const link = await openShare('SELECT 1 AS one');
    await shareWith('User', colleague.email);
    await page.goto(link);
    await page.getByText('You ran the query.').waitFor();
    await page.getByRole('button', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete the result' }).click();
    await page.getByText('Deleted the result.').first().waitFor();
    await page.getByText('The result is no longer kept').waitFor();
    await using viewer = await visit(fixture.browser);
    await openSignedIn(viewer.page, link, colleague);
    await viewer.page.getByText('There is no result here for you').waitFor();
  });
});
