import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Locator, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import {
  chooseFurther,
  statementEditor as editor,
  openTab,
  renderedRows,
  untilState,
  writeStatement,
} from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { fillSignInForm, openSignedIn, untilPageShown } from './sign-in.ts';

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
  user = await console.hosts.build.user(console.hosts.acme);
  await openSignedIn(page, console.url, user);
  await editor(page).waitFor();
});
afterEach(async () => {
  const { faults } = guest;
  await guest[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const tabs = (at: Page): Locator => at.getByRole('tab');

/** SQL of the queries that the host has recorded for the user, in order. */
const recordedSql = async (): Promise<string[]> => {
  const rows = await console.hosts.rows<{ sql: string }>(
    `select metadata->>'sql' as sql from audit_log where user_name = $1 and action = 'RUN_QUERY'
      and metadata->>'sql' is not null order by occurred`,
    [user.email],
  );
  return rows.map(({ sql }) => sql);
};

describe('the editor', () => {
  it('runs the statement under the cursor, and the selection, and nothing else', async () => {
    await editor(page).fill("SELECT 1 AS a;\nSELECT ';' AS b;\nSELECT 3 AS c");
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([[';']]);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('columnheader', { name: /^c/ }).waitFor();
    expect(await recordedSql()).toEqual(["SELECT ';' AS b", 'SELECT 3 AS c']);
  });

  it('completes words while they are typed, and takes one with Enter', async () => {
    await editor(page).pressSequentially('selec');
    await page.getByRole('option', { name: 'select' }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await editor(page).pressSequentially(' 5 AS five');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await recordedSql()).toEqual(['select 5 AS five']);
  });

  it('closes the list of completions when a statement runs', async () => {
    await editor(page).pressSequentially('SELECT t');
    await page.getByRole('option', { name: 'trim', exact: true }).waitFor();
    // As many as fit without a scroll bar, which the keyboard could not reach.
    const completions = page.getByRole('listbox', { name: 'Completions' });
    expect(await completions.getByRole('option').count()).toBe(10);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await completions.waitFor({ state: 'detached' });
    await untilState(page, 'Failed');
  });

  it('asks for the parameters of the statement, and sends them typed', async () => {
    await editor(page).fill("SELECT $first + 1 AS n, typeof($second) AS type, '$third' AS text");
    await page.getByRole('textbox', { name: '$first' }).fill('9007199254740993');
    await page.getByRole('button', { name: /Type of \$first/ }).click();
    await page.getByRole('option', { name: 'Exact number' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Enter a valid value for $second').waitFor();
    expect(await recordedSql()).toEqual([]);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('textbox', { name: '$second' }).fill('a');
    await page.getByRole('textbox', { name: '$second' }).press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([['9007199254740994', 'VARCHAR', '$third']]);
    // The second press has replaced the notification of the first one.
    expect(await page.getByText('Enter a valid value for $second').count()).toBe(1);
  });

  it('takes a list for a parameter, item by item', async () => {
    await editor(page).fill('SELECT len($ids) AS n, list_sum($ids) AS total');
    await page.getByRole('button', { name: /Type of \$ids/ }).click();
    await page.getByRole('option', { name: 'Exact number' }).click();
    await page.getByRole('checkbox', { name: '$ids is a list' }).check();
    await page.getByRole('textbox', { name: '$ids' }).fill('1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove 1', exact: true }).waitFor();
    await page.keyboard.type('9007199254740993');
    await takeScreenshot(page, 'list-parameter');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Run' }).click();
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([['2', '9007199254740994']]);
  });

  it('guesses the type of a parameter, marks one without a value, and runs with Enter', async () => {
    await editor(page).fill('SELECT $day::date AS day, $n::integer + 1 AS next');
    const day = page.getByRole('textbox', { name: '$day' });
    await page
      .getByRole('button', { name: /^Date Type of \$day|Type of \$day/ })
      .getByText('Date')
      .waitFor();
    await page
      .getByRole('button', { name: /Type of \$n/ })
      .getByText('Exact number')
      .waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Give it a value, or NULL.').first().waitFor();
    expect(await day.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'missing-parameter');
    await page.keyboard.type('2026-01-31');
    await page.getByRole('textbox', { name: '$n' }).fill('41');
    await page.keyboard.press('Enter');
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([['2026-01-31', '42']]);
  });

  it('has the focus in a new tab, so that typing does not press the button again', async () => {
    const before = await tabs(page).count();
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.keyboard.type('SELECT a + b');
    expect(await tabs(page).count()).toBe(before + 1);
    expect(await editor(page).textContent()).toContain('SELECT a + b');
  });

  it('marks the place of an error in the text', async () => {
    await editor(page).fill('SELECT 1;\nSELECT 1,\n  nope FROM range(3)');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Failed');
    await page.locator('[data-error]').waitFor();
    expect(await page.locator('[data-error]').textContent()).toBe('nope');
    await page.getByRole('alert').getByText('Line 3, column 3').waitFor();
  });

  it('keeps tabs over a reload and a logout', async () => {
    await editor(page).fill('SELECT 1 AS kept');
    await openTab(page, 'SELECT 1 AS kept');
    await editor(page).fill('SELECT 2 AS typed_last');
    await page.reload();
    await editor(page).getByText('typed_last').waitFor();
    expect(await tabs(page).allTextContents()).toEqual(['SELECT 1 AS kept', 'SELECT 2 AS typed_last']);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to acme' }).waitFor();
    await fillSignInForm(page, user);
    await untilPageShown(page);
    await editor(page).getByText('typed_last').waitFor();
    expect(await tabs(page).count()).toBe(2);
    expect(await recordedSql()).toEqual([]);
  });

  it('keeps the SQL of two windows that change the same tab', async () => {
    await editor(page).fill('SELECT 0');
    const other = await guest.openTab();
    await other.goto(console.url);
    await editor(other).getByText('SELECT 0').waitFor();
    await Promise.all([writeStatement(page, 'SELECT 1 AS first'), writeStatement(other, 'SELECT 2 AS second')]);
    await Promise.all(
      [page, other].map((each) =>
        tabs(each)
          .nth(0)
          .getByText(/SELECT [12]/)
          .waitFor(),
      ),
    );
    await page.reload();
    await other.close();
    await tabs(page).nth(1).waitFor();
    expect((await tabs(page).allTextContents()).sort()).toEqual(['SELECT 1 AS first', 'SELECT 2 AS second']);
  });

  it('opens a permalink without running it', async () => {
    await page.goto(`${console.url}#sql=${encodeURIComponent("SELECT '<img src=x onerror=alert(1)>' AS hostile")}`);
    await editor(page).getByText('hostile').waitFor();
    expect(page.url()).toBe(console.url);
    await page.getByText('Read it before you run it').waitFor();
    expect(await recordedSql()).toEqual([]);
    await page.goto(`${console.url}#sql=${'a'.repeat(40_000)}`);
    await page.getByText('A link holds at most 32 KB').waitFor();
  });

  it('formats without a change of meaning', async () => {
    await editor(page).fill("select 1 as a,'x;y' as b from range(2) -- end");
    await page.keyboard.press('Control+Shift+F');
    await editor(page).locator('.cm-line').nth(2).waitFor();
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    expect((await renderedRows(page))[0]).toEqual(['1', 'x;y']);
  });

  it('opens a statement of the history in a new tab', async () => {
    await editor(page).fill('SELECT 7 AS remembered');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    await page.getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'SELECT 7 AS remembered' })
      .getByText(/· Complete · 1 row · [\d.]+ s/)
      .waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'history');
    await page.getByRole('button', { name: 'Open in a tab' }).click();
    await tabs(page).nth(1).getByText('SELECT 7 AS remembered').waitFor();
    expect(await recordedSql()).toEqual(['SELECT 7 AS remembered']);
    await page.getByRole('button', { name: 'Run again' }).first().click();
    await untilState(page, 'Complete');
    expect(await recordedSql()).toEqual(['SELECT 7 AS remembered', 'SELECT 7 AS remembered']);
    await page.getByRole('button', { name: /State/ }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.getByText('No statement matches.').waitFor();
    await page.getByRole('radio', { name: 'Running now' }).click();
    await page.getByText('Nothing runs now.').waitFor();
    await page.getByRole('complementary', { name: 'History' }).press('Escape');
    expect(await editor(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('saves a statement as a datamap with its parameters', async () => {
    const steward = await console.hosts.build.user(console.hosts.acme, { roles: ['steward'] });
    await using other = await visit(browser);
    await openSignedIn(other.page, console.url, steward);
    const press = (name: string) => other.page.getByRole('button', { name, exact: true }).click();
    const nameField = other.page.getByRole('textbox', { name: 'Name' });
    await editor(other.page).fill('SELECT 1;\nSELECT $n +\n  nope AS next FROM range(3)');
    await other.page.getByRole('button', { name: /Type of \$n/ }).click();
    await other.page.getByRole('option', { name: 'Exact number' }).click();
    await chooseFurther(other.page, 'Save as datamap');
    await other.page.getByRole('dialog').getByText('Markdown: **bold**').waitFor();
    await nameField.fill('next-number');
    await press('Save');
    await other.page.getByRole('alert').getByText('Line 3, column 3').waitFor();
    expect(await findAxeViolations(other.page)).toEqual([]);
    await press('Show in editor');
    await other.page.locator('[data-error]').waitFor();
    expect(await other.page.locator('[data-error]').textContent()).toBe('nope');
    expect(await editor(other.page).evaluate((element) => element === document.activeElement)).toBe(true);
    await takeScreenshot(other.page, 'datamap-mistake');
    await editor(other.page).fill('SELECT $n + 1 AS next');
    await chooseFurther(other.page, 'Save as datamap');
    expect(await nameField.inputValue()).toBe('next-number');
    await press('Save');
    await other.page.getByText('Saved next-number as a draft.').waitFor();
    await other.page.getByRole('heading', { name: 'next-number' }).waitFor();
    await other.page.goto(`${console.url}search`);
    await other.page.getByRole('link', { name: /^My drafts/ }).click();
    await other.page.getByRole('link', { name: 'next-number' }).waitFor();
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, 'drafts');
    const records = await console.hosts.rows<{ target: string }>(
      `select target from audit_log where user_name = $1 and action = 'CREATE_DATAMAP'`,
      [steward.email],
    );
    expect(records).toEqual([{ target: 'next-number' }]);
  });

  it('opens beside a draft that another version or a damaged storage has left', async () => {
    await editor(page).fill('SELECT 1 AS kept');
    await openTab(page, 'SELECT 1 AS kept');
    // An empty tab that is left before it was stored is not opened again; one with a text is.
    await editor(page).fill('SELECT 2 AS second');
    await page.reload();
    await tabs(page).getByText('SELECT 1 AS kept').waitFor();
    await tabs(page).getByText('SELECT 2 AS second').waitFor();
    await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opened = indexedDB.open('sluice-drafts');
        opened.onsuccess = () => resolve(opened.result);
        opened.onerror = () => reject(opened.error);
      });
      const store = () => database.transaction('drafts', 'readwrite').objectStore('drafts');
      const stored = () =>
        new Promise<{ owner: string; id: string }[]>((resolve) => {
          const all = store().getAll();
          all.onsuccess = () => resolve(all.result);
        });
      let [one, other] = await stored();
      while (other === undefined) [one, other] = await stored();
      await new Promise<void>((resolve) => {
        const newer = { name: 7, saved: 3, parameters: { a: 1, b: { type: 'interval' } }, closedMs: 'no', order: 99 };
        store().put({ ...one, id: 'newer', title: 'newer', ...newer });
        store().put({ owner: one?.owner, id: 'damaged', title: 7 }).onsuccess = () => resolve();
      });
      database.close();
    });
    await page.reload();
    await tabs(page).getByText('newer').waitFor();
    expect(await tabs(page).count()).toBe(3);
    await tabs(page).getByText('newer').click();
    await page.getByRole('tab', { name: 'newer', selected: true }).waitFor();
    expect(await page.getByRole('tab', { name: 'newer' }).textContent()).not.toContain('7');
  });

  it('works in a browser that denies storage, and says that the tabs are in this window only', async () => {
    await using other = await visit(browser);
    await other.page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('The storage is denied.', 'SecurityError');
          },
        });
    });
    await other.page.goto(console.url);
    // The page cannot note that it has tried to sign in, so it asks before it does.
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await fillSignInForm(other.page, user);
    await editor(other.page).fill('SELECT 7 AS n');
    await other.page.getByRole('alert').getByText('This browser does not store your tabs').waitFor();
    await other.page.keyboard.press('Control+Enter');
    await untilState(other.page, 'Complete');
    expect(await renderedRows(other.page)).toEqual([['7']]);
    await other.page.getByRole('button', { name: /^Account of / }).click();
    await other.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    expect(other.faults).toEqual([]);
  });

  it('renames its tabs, and lists all of them when they are many', async () => {
    await editor(page).fill('SELECT 1 AS one');
    await tabs(page).first().dblclick();
    await page.getByRole('textbox', { name: 'Name' }).fill('sums');
    await page.keyboard.press('Enter');
    await tabs(page).getByText('sums').waitFor();
    for (let more = 0; more < 30; more += 1) await page.getByRole('button', { name: 'New tab' }).click();
    expect(await tabs(page).first().isVisible()).toBe(true);
    await page.getByRole('button', { name: 'All tabs' }).click();
    expect(await page.getByRole('menuitem').count()).toBe(31);
    await takeScreenshot(page, 'all-tabs');
    await page.getByRole('menuitem', { name: 'sums' }).click();
    await page.getByRole('tab', { name: 'sums', selected: true }).waitFor();
    expect(await editor(page).textContent()).toBe('SELECT 1 AS one');
    await tabs(page).first().focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill('totals');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'totals', selected: true }).waitFor();
  });

  it('writes at several cursors, and wraps long lines until they shall not be', async () => {
    const lines = async () => (await page.locator('.cm-line').allTextContents()).join('\n');
    await editor(page).fill('SELECT a,\n  a + 1\nFROM (SELECT 1 AS a)');
    await editor(page).press('Control+Home');
    for (let step = 0; step < 'SELECT '.length; step += 1) await page.keyboard.press('ArrowRight');
    for (let place = 0; place < 3; place += 1) await page.keyboard.press('Control+d');
    await page.keyboard.type('b');
    expect(await lines()).toBe('SELECT b,\n  b + 1\nFROM (SELECT 1 AS b)');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Alt+ArrowDown');
    await page.keyboard.type('--');
    expect(await lines()).toBe('--SELECT b,\n--  b + 1\nFROM (SELECT 1 AS b)');
    await page.keyboard.press('Alt+z');
    await page.locator('.cm-lineWrapping').waitFor();
    await page.reload();
    await page.locator('.cm-lineWrapping').waitFor();
    await editor(page).press('Alt+z');
    await page.locator('.cm-lineWrapping').waitFor({ state: 'detached' });
  });

  it('is left with Escape and Tab, and reached with Shift+Tab', async () => {
    await editor(page).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await editor(page).evaluate((element) => element === document.activeElement)).toBe(false);
    await page.keyboard.press('Shift+Tab');
    expect(await editor(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe.each(['light', 'dark'] as const)('the editor (%s)', (theme) => {
  it('is accessible with tabs, parameters and an error', async () => {
    await using other = await visit(browser, { theme });
    await openSignedIn(other.page, console.url, user);
    await editor(other.page).fill('SELECT 1 AS first');
    await openTab(other.page, 'SELECT 1 AS first');
    await editor(other.page).fill(
      "-- Flights of a day\nSELECT origin, count(*) AS flights, 'text' || 1.5\nFROM nowhere\nWHERE day = $day AND distance > $miles;",
    );
    await other.page.getByRole('textbox', { name: '$day' }).fill('2010-01-31');
    await other.page.getByRole('textbox', { name: '$miles' }).fill('500');
    await other.page.getByRole('button', { name: 'Run' }).click();
    await untilState(other.page, 'Failed');
    await takeScreenshot(other.page, `editor-${theme}`);
    expect(await findAxeViolations(other.page)).toEqual([]);
    expect(other.faults).toEqual([]);
  });
});
