import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { copyProgram, runProgram } from './copied-program.ts';
import { downloadRows, startDownload, untilDownload } from './downloads-page.ts';
import { type FindDataHosts, ODD_NAMES, ODD_SCHEMA, startFindDataHosts } from './find-data-fixture.ts';
import { renderedRows, runStatus, statementEditor, untilState } from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
});

const address = (path: string): string => `${hosts.console.url}${path}`;
const newUser = (): Promise<BuiltUser> => hosts.console.hosts.build.user(hosts.console.hosts.acme);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const searchField = (page: Page) => page.getByRole('searchbox');
/** Resolves when the results are those of the words in the field, not of the words before. */
const untilCurrent = (page: Page) =>
  page
    .getByRole('list', { name: /^(Results|Ergebnisse)$/ })
    .and(page.locator('[aria-busy=false]'))
    .waitFor();
const resultLinks = (page: Page) => page.getByRole('list', { name: /^(Results|Ergebnisse)$/ }).locator('p a');

/** Audit records of the statements that the user has sent, each with its outcome after it. */
const recordsOf = ({ email }: BuiltUser) =>
  hosts.console.hosts.rows<{ metadata: Record<string, unknown> }>(
    `select metadata from audit_log where user_name = $1 and action = 'RUN_QUERY' order by occurred`,
    [email],
  );

describe('finding data', () => {
  it.each([
    { theme: 'light', isPhone: false, language: 'en' },
    { theme: 'dark', isPhone: false, language: 'de' },
    { theme: 'dark', isPhone: true, language: 'en' },
    { theme: 'light', isPhone: true, language: 'de' },
  ] as const)('is accessible on every page: %j', async (options) => {
    await using guest = await visit(browser, options);
    const { page, faults } = guest;
    const look = async (name: string) => {
      await takeScreenshot(page, `find-${name}-${options.theme}-${options.isPhone ? 'phone' : 'desktop'}`);
      expect([name, await findAxeViolations(page)]).toEqual([name, []]);
    };
    await openSignedIn(page, address('search'), hosts.console.hosts.ann);
    await page.getByRole('link', { name: 'Cheap items' }).waitFor();
    await look('search');
    await searchField(page).fill('nothing matches this');
    await page.getByText(/Nothing matches|Nichts passt/).waitFor();
    await look('no-results');
    await page.goto(address('tables/shop/main'));
    await page.getByRole('link', { name: 'items' }).waitFor();
    await look('schema');
    await page.getByRole('link', { name: 'items' }).click();
    await page.getByText('In euros, without tax.').waitFor();
    await look('table');
    await page.getByRole('tab', { name: /Sample rows|Beispielzeilen/ }).click();
    await page.getByRole('button', { name: /100/ }).click();
    await page.locator('[data-state=complete]').waitFor();
    await look('sample');
    await page.goto(address(`datamaps/${hosts.datamapId}`));
    await heading(page, 'Cheap items').waitFor();
    await page.getByText('decimal(').waitFor();
    await look('datamap');
    await page.goto(address('tables/shop/main/none'));
    await page.getByText(/does not exist|gibt es nicht/).waitFor();
    await look('missing');
    expect(faults).toEqual([]);
  });

  it('leads from a word to a table and a datamap with the keyboard alone, and back', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openSignedIn(page, hosts.console.url, await newUser());
    await page.locator('#content').focus();
    await page.keyboard.press('/');
    await heading(page, 'Find data').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('type') === 'search');
    await page.keyboard.type('items');
    await page.waitForURL('**/search?q=items');
    await resultLinks(page)
      .filter({ hasText: /^items$/ })
      .waitFor();
    await untilCurrent(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const first = (await resultLinks(page).first().textContent()) ?? '';
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(first);
    await page.keyboard.press('Enter');
    await heading(page, first).waitFor();
    await page.goBack();
    await heading(page, 'Find data').waitFor();
    expect(await searchField(page).inputValue()).toBe('items');
    await resultLinks(page).filter({ hasText: 'Cheap items' }).click();
    await page.getByRole('list', { name: 'Reads' }).getByRole('link', { name: 'shop.main.items' }).click();
    await heading(page, 'items').waitFor();
    await page.getByRole('link', { name: 'stock' }).click();
    await page.waitForURL('**/search?tag=stock');
    await page.getByText('2 of 2 results').waitFor();
    await page.getByRole('link', { name: /^Datamaps/ }).click();
    await page.getByText('1 of 1 results').waitFor();
    await page.getByRole('navigation', { name: 'Narrow the results' }).getByRole('link', { name: 'stock' }).click();
    await page.goto(address(`search?domain=${hosts.domainId}`));
    await page
      .getByRole('navigation', { name: 'Narrow the results' })
      .getByRole('link', { name: 'Warehouse' })
      .waitFor();
    await resultLinks(page).first().waitFor();
    expect(await resultLinks(page).allTextContents()).toEqual(['items']);
    expect(faults).toEqual([]);
  });

  it('reads sample rows only when asked, and says that they are limited', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const user = await newUser();
    await openSignedIn(page, address('tables/shop/main/numbers'), user);
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    expect(await recordsOf(user)).toEqual([]);
    await page.getByRole('button', { name: 'Show the first 100 rows' }).click();
    await untilState(page, 'Limited');
    await runStatus(page).getByText('First 100 rows, more exist').waitFor();
    expect((await renderedRows(page))[1]).toEqual(['1']);
    const records = await until(
      async () => {
        const written = await recordsOf(user);
        return written.length < 2 ? undefined : written;
      },
      { what: 'the outcome of the sample', withinMs: 10_000 },
    );
    expect(records).toMatchObject([
      { metadata: { sql: 'SELECT * FROM shop.main.numbers', size: 100 } },
      { metadata: { state: 'FINISHED', rows: 100, limited: true } },
    ]);
    await page.getByRole('button', { name: 'Open in editor' }).click();
    await statementEditor(page).getByText('SELECT * FROM shop.main.numbers').waitFor();
    expect(await recordsOf(user)).toHaveLength(2);
    // A table is never read whole by one press of a key.
    await statementEditor(page).press('Control+Enter');
    await untilState(page, 'Limited');
    await runStatus(page).getByText('First 1,000 rows.', { exact: true }).waitFor();
    expect((await recordsOf(user))[2]).toMatchObject({ metadata: { size: 1000 } });
    expect(faults).toEqual([]);
  });

  it('runs a datamap with the values of its parameters, and keeps favourite and rating', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const user = await newUser();
    await openSignedIn(page, address(`datamaps/${hosts.datamapId}`), user);
    await page.getByRole('button', { name: 'Add to favourites' }).click();
    await page.getByRole('button', { name: 'Favourite', pressed: true }).waitFor();
    await page.getByRole('radio', { name: '4 stars' }).click({ force: true });
    await page.getByText('4 of 5 on average').waitFor();
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    await page.getByRole('button', { name: /^Show the first/ }).click();
    await page.getByText('Enter a valid value for $max').waitFor();
    expect(await recordsOf(user)).toEqual([]);
    await page.getByRole('textbox', { name: '$max' }).fill('1.00');
    await page.getByRole('button', { name: /^Show the first/ }).click();
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([['nut', '0.10']]);
    await page.reload();
    await page.getByRole('button', { name: 'Favourite', pressed: true }).waitFor();
    const { average_rating: rating, favourite_count: count } = await hosts.steward.api.getDatamap({
      params: { id: hosts.datamapId },
    });
    expect([rating, count]).toEqual([4, 1]);
    expect(faults).toEqual([]);
  });

  it('downloads a datamap with the values of its parameters', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const user = await newUser();
    await openSignedIn(page, address(`datamaps/${hosts.datamapId}`), user);
    await startDownload(page, 'CSV');
    await page.getByText('Enter a valid value for $max').waitFor();
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    await page.getByRole('textbox', { name: '$max' }).fill('250.00');
    const file = await downloadRows(page, 'CSV');
    await untilDownload(page, 'Sent');
    expect(file.suggestedFilename()).toBe('cheap_items.csv');
    expect(readFileSync(await file.path(), 'utf8')).toBe('name,price\nnut,0.10\n');
    const records = await hosts.console.hosts.rows<{ datamap: string }>(
      `select metadata->>'datamap_id' as datamap from audit_log where user_name = $1 and action = 'DOWNLOAD_DATAMAP' and record_id is null`,
      [user.email],
    );
    expect(records).toEqual([{ datamap: hosts.datamapId }]);
    expect(faults).toEqual([]);
  });

  it('opens tables of every name, and copies programs that run', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const user = await newUser();
    await openSignedIn(page, address(`tables/shop/${encodeURIComponent(ODD_SCHEMA)}`), user);
    for (const name of ODD_NAMES.filter((each) => each !== '..')) {
      await page.getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      await page.getByRole('tab', { name: '1 column' }).waitFor();
      await page.goBack();
    }
    await page.getByText('Its name cannot be part of a URL.').waitFor();
    await page.getByRole('link', { name: 'say "hi"', exact: true }).click();
    const folder = mkdtempSync(join(tmpdir(), 'sluice-copied-'));
    const path = '/usr/local/bin:/usr/bin:/bin';
    const curl = (await copyProgram(page, 'curl')).replace(`'${user.email}'`, `'${user.email}:${user.password}'`);
    await runProgram(['bash', '-c', curl], { cwd: folder, env: { PATH: path } });
    expect(readFileSync(join(folder, 'say-hi.csv'), 'utf8')).toBe('answer\n7\n');
    // Without a terminal, Python reads the password from standard input.
    const python = ['setsid', 'python3', '-W', 'ignore', '-c', await copyProgram(page, 'Python')];
    const input = `${user.password}\n`;
    expect(await runProgram(python, { cwd: folder, env: { PATH: path }, input })).toContain("{'answer': 7}");
    const sluice = fileURLToPath(new URL('../../../../packages/cli/dist/sluice.js', import.meta.url));
    const program = `sluice() { node ${sluice} "$@"; }\n${await copyProgram(page, 'Command line')}`;
    const env = {
      PATH: `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      SLUICE_API_URL: hosts.console.hosts.api.url,
      SLUICE_STREAM_URL: hosts.console.hosts.url,
      SLUICE_TENANT: 'acme',
      SLUICE_EMAIL: user.email,
      SLUICE_PASSWORD: user.password,
    };
    expect(await runProgram(['bash', '-c', program], { cwd: folder, env })).toBe('answer\n7\n');
    expect(await copyProgram(page, 'JavaScript')).toContain(
      `client.query("SELECT * FROM shop.\\"odd.schema\\".\\"say \\"\\"hi\\"\\"\\"")`,
    );
    expect(faults).toEqual([]);
  });
});
