import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { type BuiltUser, until } from '@sluice/testkit';
import { findTrinoQuery, type MarkedSql, marked, untilCancelledOnTrino, untilOnTrino } from '@sluice/testkit/fixtures';
import { basicOf, finalReceipt, post, untilRunning } from '@sluice/testkit/requests';
import { TRINO_STATEMENTS } from '@sluice/testkit/statements';
import type { Browser, Page } from 'playwright-core';
import { compileClient } from '../compile-client.ts';
import { findAxeViolations } from './axe.ts';
import { startFullBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { copyProgram, readToken, runProgram } from './copied-program.ts';
import { downloadRows, newestDownload, sha256OfFile, untilDownload } from './downloads-page.ts';
import { harvestCatalog } from './harvest-catalog.ts';
import {
  chooseRows,
  renderedColumns,
  renderedRows,
  resultGrid,
  runStatement,
  runStatus,
  statementEditor,
  untilState,
} from './query-page.ts';
import { takeScreenshot } from './screenshots.ts';
import { untilPageShown } from './sign-in.ts';

// The stories of the console once with the servers of production. `deploy/components/{keycloak,trino}.mjs start` starts them.

/** Started by `node deploy/components/keycloak.mjs start`. */
// biome-ignore lint/style/noProcessEnv: the server's address depends on the machine
const ISSUER = process.env['SLUICE_TEST_KEYCLOAK'] ?? 'http://127.0.0.1:28180/realms/sluice';
/** The lookup of a query is itself one of Trino, which waits for its turn on a busy machine. */

const SDK = new URL('../../../../packages/client/dist/index.js', import.meta.url).href;

let console: ConsoleHosts;
let folder: string;
let browser: Browser;
let ann: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  const trino = { ENGINE_CATALOGS: 'tpch,waits', ENGINE_SCHEMA: 'tiny' };
  [console, browser] = await Promise.all([startConsoleHosts(trino, 'trino'), startFullBrowser()]);
  const { hosts } = console;
  ann = await hosts.build.user(hosts.acme, { email: 'ann@example.com', roles: ['analyst'] });
  const { email, password } = await hosts.build.user(hosts.acme, { roles: ['steward', 'admin'] });
  const urls = { tenant: 'acme', apiUrl: hosts.api.url, streamUrl: hosts.url };
  const admin = createClient({ ...urls, auth: { email, password } });
  await admin.api.putIdentityProvider({
    body: { issuer: ISSUER, client_id: 'sluice', client_secret: 'sluice-keycloak-secret' },
  });
  await harvestCatalog(admin);
  folder = await mkdtemp(join(tmpdir(), 'sluice-copied-'));
  guest = await visit(browser);
  page = guest.page;
}, 300_000);
afterAll(async () => {
  await guest?.[Symbol.asyncDispose]();
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

/** Marks a statement after its first word, because the editor sends a statement without the comments before it. */
function markedWithin(sql: string): MarkedSql {
  const mark = `SELECT ${marked('').mark}`;
  return { mark, sql: sql.replace(/^SELECT/, mark) };
}

async function openQueryPage(): Promise<void> {
  await page.getByRole('link', { name: 'Query' }).click();
  await statementEditor(page).waitFor();
}

describe('the console with Keycloak and Trino', () => {
  it('signs a person in at Keycloak, and shows the page that was opened', async () => {
    await page.goto(`${console.url}?from=mail`);
    await page.waitForURL((url) => url.href.startsWith(ISSUER));
    await page.locator('#username').fill('ann');
    await page.locator('#password').fill('ann-at-keycloak');
    await page.keyboard.press('Enter');
    await untilPageShown(page);
    expect(page.url()).toBe(`${console.url}?from=mail`);
    await page.getByRole('button', { name: `Account of ${ann.email}` }).waitFor();
    const records = await console.hosts.rows<{ method: string }>(
      `select metadata->>'method' as method from audit_log where action = 'LOGIN' and user_name = $1`,
      [ann.email],
    );
    expect(records).toEqual([{ method: 'single_sign_on' }]);
  });

  it('completes a name from the catalog of Trino, and runs the statement', async () => {
    await statementEditor(page).pressSequentially('SELECT n_name, n_nationkey FROM tpch.tiny.nati');
    await page.getByRole('option', { name: /^nation/ }).waitFor();
    await takeScreenshot(page, 'trino-completion');
    await page.keyboard.press('Enter');
    await statementEditor(page).pressSequentially(' ORDER BY n_nationkey');
    await page.keyboard.press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await renderedColumns(page)).toEqual(['n_namevarchar(25)', 'n_nationkeybigint']);
    expect((await renderedRows(page))[0]).toEqual(['ALGERIA', '0']);
    expect(await runStatus(page).textContent()).toContain('25 rows');
    const [record] = await console.hosts.rows<{ sql: string }>(
      `select metadata->>'sql' as sql from audit_log where action = 'RUN_QUERY' and user_name = $1 and record_id is null`,
      [ann.email],
    );
    expect(record?.sql).toBe('SELECT n_name, n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey');
  });

  it('shows rows while Trino still computes, and reports a cancel only when Trino has stopped', async () => {
    await chooseRows(page, 'All');
    const statement = markedWithin(TRINO_STATEMENTS.long);
    await runStatement(page, statement.sql);
    await resultGrid(page).getByRole('row').nth(11).waitFor();
    await untilOnTrino(statement);
    const { query_id: id } = await untilRunning(console.hosts.url, basicOf(ann));
    await takeScreenshot(page, 'trino-streaming');
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    const { state } = await finalReceipt(console.hosts.url, id, { credential: basicOf(ann), withinMs: 1 });
    expect(state).toBe('CANCELLED');
    expect((await untilCancelledOnTrino(statement)).user).toBe(`acme/${ann.email}`);
    expect((await renderedRows(page)).length).toBeGreaterThan(10);
  });

  it('cancels a statement that has no rows yet, with the splits of Trino in its state', async () => {
    const statement = markedWithin(TRINO_STATEMENTS.endless);
    await runStatement(page, statement.sql);
    await runStatus(page)
      .getByText(/splits/)
      .waitFor();
    await untilOnTrino(statement);
    await page.keyboard.press('Escape');
    await untilState(page, 'Cancelled');
    await untilCancelledOnTrino(statement);
  });

  it('shows where Trino rejects a statement', async () => {
    const { sql, column } = TRINO_STATEMENTS.misspelt;
    await runStatement(page, sql);
    await untilState(page, 'Failed');
    await page.getByRole('alert').getByText(`Line 1, column ${column}`).waitFor();
  });

  it('saves a result of Trino with the bytes of its receipt', async () => {
    const statement = markedWithin('SELECT * FROM tpch.tiny.orders');
    await runStatement(page, statement.sql);
    await untilState(page, 'Complete');
    const download = await downloadRows(page, 'Excel (XLSX)');
    expect(await download.failure()).toBeNull();
    await untilDownload(page, 'Sent');
    const [ticket] = await console.hosts.rows<{ target: string }>(
      `select target from audit_log where action = 'CREATE_TICKET' and user_name = $1 order by occurred desc limit 1`,
      [ann.email],
    );
    const wait = { credential: basicOf(ann), withinMs: 15_000 };
    const receipt = await finalReceipt(console.hosts.url, ticket?.target ?? '', wait);
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 15_000, limited: false });
    expect(await sha256OfFile(await download.path())).toBe(receipt.sha256);
    expect(await newestDownload(page).textContent()).toContain(receipt.sha256);
    expect((await findTrinoQuery(statement))?.errorCode).toBeNull();
  });

  it('saves a complete result of Trino as it is, with the bytes of a download', async () => {
    const sql = 'SELECT * FROM tpch.tiny.orders ORDER BY o_orderkey';
    await runStatement(page, sql);
    await untilState(page, 'Complete');
    for (const [title, format] of [
      ['CSV', 'csv'],
      ['JSON', 'json'],
    ] as const) {
      const saved = await downloadRows(page, title);
      await untilDownload(page, 'Saved');
      const download = await post(`${console.hosts.url}/query/download/${format}`, { sql }, basicOf(ann));
      expect(await readFile(await saved.path(), 'utf8')).toBe(download.text);
      await page.getByRole('button', { name: 'Close the downloads' }).click();
    }
  });

  it('finds a table of Trino by its name, and shows its rows', async () => {
    await page.getByRole('link', { name: 'Find data' }).click();
    await page.getByRole('searchbox').fill('lineitem tiny');
    await page.getByRole('list', { name: 'Results' }).getByRole('link', { name: 'lineitem' }).first().click();
    await page.getByRole('tab', { name: /columns$/ }).waitFor();
    await page.getByText('l_orderkey').waitFor();
    await page.getByRole('tab', { name: 'Sample rows' }).click();
    await page.getByRole('button', { name: 'Show the first 100 rows' }).click();
    await untilState(page, 'Limited');
    await takeScreenshot(page, 'trino-table');
    expect(guest.faults).toEqual([]);
  });

  it('copies programs that a person without a password can run', async () => {
    await page.goto(`${console.url}tables/tpch/tiny/region`);
    await page.getByText('r_regionkey').waitFor();
    const curl = await copyProgram(page, 'curl');
    const tab = await guest.openTab();
    // The person has signed in at Keycloak, which does not ask again.
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', SLUICE_TOKEN: await readToken(tab, curl) };
    await tab.close();
    await runProgram(['bash', '-c', curl], { cwd: folder, env });
    expect(await readFile(join(folder, 'region.csv'), 'utf8')).toMatch(/^r_regionkey,r_name,r_comment\n0,AFRICA,/);
    const python = ['python3', '-c', await copyProgram(page, 'Python')];
    expect(await runProgram(python, { cwd: folder, env })).toContain("'r_name': 'AFRICA'");
    await compileClient();
    const script = join(folder, 'region.mjs');
    await writeFile(script, (await copyProgram(page, 'JavaScript')).replace("'@sluice/client'", JSON.stringify(SDK)));
    const node = [process.execPath, script];
    expect(await runProgram(node, { cwd: folder, env })).toContain("r_name: 'AFRICA'");
  });

  it('ends the session at Keycloak too when the person signs out', async () => {
    await openQueryPage();
    await page.getByRole('button', { name: `Account of ${ann.email}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // Keycloak has no session any more, so it asks for the password again.
    await page.waitForURL((url) => url.href.startsWith(ISSUER));
    await page.locator('#password').waitFor();
    await until(
      async () => {
        const [row] = await console.hosts.rows(`select 1 from audit_log where action = 'LOGOUT' and user_name = $1`, [
          ann.email,
        ]);
        return row;
      },
      { what: 'the record of the logout', withinMs: 10_000 },
    );
  });
});
