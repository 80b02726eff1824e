import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { clipboardText, statementEditor as editor, writeStatement } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let guest: Visit;
let page: Page;
let user: BuiltUser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
  // An analyst may run queries, and may not write datamaps.
  user = await console.hosts.build.user(console.hosts.acme);
  await openSignedIn(page, console.url, user);
  await editor(page).waitFor();
});
afterEach(async () => {
  const { faults } = guest;
  await guest[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const press = (name: string, at: Page = page) => at.getByRole('button', { name, exact: true }).click();
const nameField = (at: Page = page): Locator => at.getByRole('dialog').getByRole('textbox', { name: 'Name' });
const savedDialog = (at: Page = page): Locator => at.getByRole('dialog', { name: 'Saved queries' });
const queries = (at: Page = page): Locator => savedDialog(at).getByRole('listitem');

/** Saves the text of the editor as a new query, by the keyboard. */
async function saveAs(name: string, sql: string, at: Page = page): Promise<void> {
  await writeStatement(at, sql);
  await at.keyboard.press('Control+s');
  await nameField(at).fill(name);
  await at.keyboard.press('Enter');
  await at.getByText(`Saved ${name}.`).waitFor();
}

const storedSql = async (): Promise<string[]> => {
  const rows = await console.hosts.rows<{ sql: string }>(
    `select sql from datamaps where owner_name = $1 and state = 'DRAFT' order by display_name`,
    [user.email],
  );
  return rows.map(({ sql }) => sql);
};

const untilStored = (sql: readonly string[]): Promise<true> =>
  until(async () => (JSON.stringify(await storedSql()) === JSON.stringify(sql) ? true : undefined), {
    what: `the stored statements ${sql}`,
  });

describe('a saved query', () => {
  it('is saved, changed, found by folder, renamed, linked and deleted by a user who may not write datamaps', async () => {
    await page.getByRole('button', { name: 'Further actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Save as datamap' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await saveAs('reports/weekly', 'SELECT 1 AS one');
    await page.getByRole('tab', { name: 'reports/weekly' }).waitFor();
    await writeStatement(page, 'SELECT 2 AS two');
    await page.keyboard.press('Control+s');
    await untilStored(['SELECT 2 AS two']);
    await press('New tab');
    await saveAs('plain', 'SELECT 3 AS three');
    await press('Saved queries');
    await queries().first().waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'saved-queries');
    expect(await savedDialog().getByRole('heading', { level: 3 }).allTextContents()).toEqual(['reports']);
    await savedDialog().getByRole('button', { name: 'More about reports/weekly' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await nameField().fill('../weekly');
    await press('Save');
    await page.getByText('Give the query and each folder before a / a name other than . and ..').waitFor();
    await nameField().fill('reports/monthly');
    await press('Save');
    await savedDialog().getByText('monthly').waitFor();
    await savedDialog().getByRole('button', { name: 'More about reports/monthly' }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').waitFor();
    const link = await clipboardText(page);
    await savedDialog().getByRole('region', { name: 'reports' }).getByRole('button', { name: 'Open in a tab' }).click();
    await page.getByRole('tab', { name: 'reports/monthly', selected: true }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(2);
    await using other = await visit(browser);
    await openSignedIn(other.page, link, user);
    await other.page.getByRole('tab', { name: 'reports/monthly', selected: true }).waitFor();
    expect(await editor(other.page).textContent()).toBe('SELECT 2 AS two');
    await press('Saved queries');
    await savedDialog().getByRole('button', { name: 'More about reports/monthly' }).click();
    await page.getByRole('menuitem', { name: /^Delete/ }).click();
    await press('Delete the query');
    await page.getByText('Deleted reports/monthly.').waitFor();
    await untilStored(['SELECT 3 AS three']);
    await savedDialog().getByText('monthly').waitFor({ state: 'detached' });
    // The tab keeps the text, and saving it again makes a new query.
    await page.keyboard.press('Escape');
    await editor(page).press('Control+s');
    await page.getByText('This query was deleted in the meantime').waitFor();
    await press('Save');
    await page.getByText('Saved reports/monthly.').waitFor();
    expect(await storedSql()).toEqual(['SELECT 3 AS three', 'SELECT 2 AS two']);
  });

  it('that two windows change shows both versions, and loses neither', async () => {
    await saveAs('shared', 'SELECT 1 AS one');
    await using other = await visit(browser);
    await openSignedIn(other.page, console.url, user);
    await press('Saved queries', other.page);
    await queries(other.page).getByRole('button', { name: 'Open in a tab' }).click();
    await other.page.getByRole('tab', { name: 'shared' }).waitFor();
    await writeStatement(other.page, 'SELECT 2 AS theirs');
    await other.page.keyboard.press('Control+s');
    await other.page.getByText('Saved shared.').waitFor();
    await writeStatement(page, 'SELECT 3 AS mine');
    await page.keyboard.press('Control+s');
    const conflict = page.getByRole('alert', { name: 'Someone else changed this in the meantime' });
    await conflict.getByText('SELECT 2 AS theirs').waitFor();
    await conflict.getByText('SELECT 3 AS mine').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'saved-query-conflict');
    expect(await storedSql()).toEqual(['SELECT 2 AS theirs']);
    await press('Keep theirs');
    await page.getByRole('tab', { name: 'shared', selected: true }).waitFor();
    expect(await editor(page).textContent()).toBe('SELECT 2 AS theirs');
    expect(await page.getByRole('tab').count()).toBe(2);
    await page.getByRole('tab').first().click();
    expect(await editor(page).textContent()).toBe('SELECT 3 AS mine');
  });

  it('keeps the values of its parameters in this browser', async () => {
    await writeStatement(page, 'SELECT $n::integer AS n');
    await page.getByRole('textbox', { name: '$n' }).fill('7');
    await page.keyboard.press('Control+s');
    await nameField().fill('with-value');
    await page.keyboard.press('Enter');
    await page.getByText('Saved with-value.').waitFor();
    await page.getByRole('textbox', { name: '$n' }).fill('8');
    await press('New tab');
    await page.getByRole('tab').first().press('Delete');
    await press('Saved queries');
    await queries().getByRole('button', { name: 'Open in a tab' }).click();
    await page.getByRole('tab', { name: 'with-value', selected: true }).waitFor();
    expect(await page.getByRole('textbox', { name: '$n' }).inputValue()).toBe('8');
  });

  it('is one statement, and says so for a tab that has more', async () => {
    await writeStatement(page, 'SELECT 1 AS one;\nSELECT 2 AS two;');
    await page.keyboard.press('Control+s');
    await nameField().fill('second');
    await page.keyboard.press('Enter');
    await page.getByText('Saved the statement under the cursor as second, not the rest of the tab.').waitFor();
    expect(await storedSql()).toEqual(['SELECT 2 AS two']);
  });

  it('with a mistake is not saved, and the editor shows where it is', async () => {
    await writeStatement(page, 'SELECT nope FROM range(3)');
    await press('Save query');
    await nameField().fill('broken');
    await press('Save');
    await page.getByRole('alert').getByText('Line 1, column 8').waitFor();
    await press('Show in editor');
    await page.locator('[data-error]').waitFor();
    expect(await page.locator('[data-error]').textContent()).toBe('nope');
    expect(await storedSql()).toEqual([]);
  });

  it('of somebody else, and one that was deleted, is one sentence', async () => {
    await saveAs('mine', 'SELECT 1 AS one');
    const [row] = await console.hosts.rows<{ fact_id: string }>(`select fact_id from datamaps where owner_name = $1`, [
      user.email,
    ]);
    const colleague = await console.hosts.build.user(console.hosts.acme);
    await using other = await visit(browser);
    await openSignedIn(other.page, `${console.url}#query=${row?.fact_id}`, colleague);
    await other.page.getByText('This saved query does not exist any more, or it belongs to someone else.').waitFor();
    expect(await other.page.getByRole('tab').count()).toBe(1);
  });
});
