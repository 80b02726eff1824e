import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { trustedKeys, verifyExport } from '@sluice/audit';
import { type BuiltUser, until } from '@sluice/testkit';
import { basicOf, post, queryIdOf } from '@sluice/testkit/requests';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let auditor: BuiltUser;
let ann: BuiltUser;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  const { build, acme } = console.hosts;
  auditor = await build.user(acme, { roles: ['auditor'] });
  ann = await build.user(acme, { roles: ['analyst'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});

const rows = (page: Page, name = 'Records') => page.getByRole('grid', { name }).getByRole('row');
const open = (page: Page, path = 'audit') => openSignedIn(page, `${console.url}${path}`, auditor);
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Writes records, several of them in each millisecond. */
const writeRecords = (count: number, target: string): Promise<unknown> =>
  console.hosts.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select $1, gen_random_uuid(), now() - interval '1 day' + (i / 7) * interval '1 millisecond', 'many@acme.example',
       'CREATE_ROLE', $2, jsonb_build_object('ordinal', i) from generate_series(1, $3::int) i`,
    [console.hosts.acme.id, target, count],
  );

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

  it('finds who ran what, reads it as a sentence, and follows the query; the search is in the log', async () => {
    const answer = await post(`${console.hosts.url}/query`, { sql: 'SELECT 42 AS answer' }, basicOf(ann));
    const queryId = queryIdOf(answer);
    await open(page);
    await page.getByRole('textbox', { name: 'User or client ID' }).fill(ann.email.toUpperCase());
    await page.keyboard.press('Enter');
    await page.getByText('1 record', { exact: true }).waitFor();
    await takeDocsPicture(page, 'console-audit');
    await rows(page).getByText(`${ann.email} ran a statement.`).click();
    const dialog = page.getByRole('dialog', { name: 'Record' });
    await dialog.getByText('SELECT 42 AS answer').first().waitFor();
    await dialog.getByText('Complete').waitFor();
    await dialog.getByText('1 row').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'audit-record');
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as Record<string, unknown>;
    expect(copied).toMatchObject({ action: 'RUN_QUERY', user: ann.email, query_id: queryId });
    await dialog.getByRole('link', { name: 'Everything about this query' }).click();
    expect(new URL(page.url()).search).toBe(`?query=${queryId}`);
    await expect(page.getByRole('textbox', { name: 'Query ID' }).inputValue()).resolves.toBe(queryId);
    const [search] = await console.hosts.rows<{ metadata: object }>(
      `select metadata from audit_log where user_name = $1 and action = 'SEARCH_AUDIT_LOGS' and metadata->>'user_name' is not null`,
      [auditor.email],
    );
    expect(search?.metadata).toMatchObject({ user_name: ann.email, total: 1 });
  });

  it('reads all pages there and back, and finds the place again after a reload', async () => {
    await writeRecords(173, 'paged');
    await open(page, 'audit?target=paged&action=CREATE_ROLE');
    await page.getByText('173 records', { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(51);
    for (const left of [123, 73, 23]) {
      await page.getByRole('button', { name: 'Older' }).click();
      await page.getByText(`${left} records from here to the oldest`).waitFor();
    }
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    expect(await rows(page).count()).toBe(24);
    await page.reload();
    await page.getByText('23 records from here to the oldest').waitFor();
    expect(await rows(page).count()).toBe(24);
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('150 records from here to the newest').waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByText('173 records', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('150 records from here to the newest').waitFor();
  });

  it('follows the log, pauses while it grows, and goes on without a gap', async () => {
    await open(page, 'audit?view=live&target=followed');
    await page.getByText('Waiting for new records').waitFor();
    await writeRecords(2, 'followed');
    await rows(page, 'New records').nth(2).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await writeRecords(3, 'followed');
    await page.getByText('Paused: 3 new records').waitFor();
    expect(await rows(page, 'New records').count()).toBe(3);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume' }).click();
    await rows(page, 'New records').nth(5).waitFor();
  });

  it('misses no record between a failure of the live view and the next try', async () => {
    const [chain] = await console.hosts.rows<{ last: string }>(
      'select max(sequence)::text as last from audit_chain where tenant_id = $1',
      [console.hosts.acme.id],
    );
    const known = { id: 'known', user: 'a', action: 'LOGIN', target: 'resumed', timestamp: 1, metadata: {} };
    const replies = [
      { status: 200, contentType: 'text/event-stream', body: `id: ${chain?.last}\ndata: ${JSON.stringify(known)}\n\n` },
      { status: 403, contentType: 'application/problem+json', body: '{"error":"access_denied","message":"Not now."}' },
    ];
    // The first connection ends after a record, and the second one is rejected. Later ones reach the host.
    await page.route('**/audits/logs/stream*', async (route) => {
      const reply = replies.shift();
      await (reply === undefined ? route.continue() : route.fulfill(reply));
    });
    await open(page, 'audit?view=live&target=resumed');
    await page.getByText('Not now.').waitFor();
    await writeRecords(2, 'resumed');
    const sealed = `select 1 from audit_log l join audit_chain c on c.tenant_id = l.tenant_id and c.record_id = l.id where l.target = 'resumed'`;
    await until(async () => ((await console.hosts.rows(sealed)).length === 2 ? true : undefined), {
      what: 'the sealing of both records',
      withinMs: 30_000,
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page, 'New records').nth(3).waitFor();
  });

  it('takes an export along that the verifier accepts, and an evidence package', async () => {
    await open(page);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Start' }).click(),
    ]);
    await page.getByText('The export is complete').waitFor();
    expect(await page.getByRole('button', { name: 'Copy the command', exact: true }).count()).toBe(1);
    await takeScreenshot(page, 'audit-export');
    const text = await readFile(await download.path(), 'utf8');
    const keys = await console.hosts.rows<{ public_key: Buffer }>('select public_key from audit_keys');
    const verdict = await verifyExport({
      format: 'ndjson',
      lines: (async function* () {
        yield* lines(text);
      })(),
      keys: trustedKeys(keys.map((key) => key.public_key)),
    });
    expect(verdict.finding).toBeUndefined();
    expect(verdict.records).toBe(lines(text).length - 1);
    await page.getByRole('button', { name: /JSON lines/ }).click();
    await page.getByRole('option', { name: /Evidence package/ }).click();
    const [evidence] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Start' }).click(),
    ]);
    expect((await readFile(await evidence.path())).subarray(0, 2).toString()).toBe('PK');
  });

  it('saves nothing of an export that was cut, and says so', async () => {
    await page.route('**/audits/logs/export', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: `${lines(body).slice(0, -1).join('\n')}\n` });
    });
    await open(page);
    let downloads = 0;
    page.on('download', () => {
      downloads += 1;
    });
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('The export ended without its signed last line. Run the export again.').waitFor();
    await page.getByText('Nothing was saved.').waitFor();
    expect(downloads).toBe(0);
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('gets one sentence for an action that does not exist, and for an analyst without the permission', async () => {
    await open(page, 'audit?action=TELEPORT');
    await page
      .getByText('advance_options.action must be a known action')
      .or(page.getByText(/must be a known action/))
      .waitFor();
    await using other = await visit(browser);
    await openSignedIn(other.page, `${console.url}audit`, ann);
    await other.page.getByText('audit:read').waitFor();
  });
});

describe('hostile text in the log', () => {
  it('is shown as text in the list, the dialog and the live view', async () => {
    const texts = PAYLOADS.filter((text) => !text.includes('\0') && text.length <= 20_000);
    for (const text of texts)
      await console.hosts.rows(
        `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, user_agent, request_id)
         values ($1, gen_random_uuid(), now(), $2, $2, $2, jsonb_build_object('sql', $2::text, 'hostile', true), $2, 'hostile')`,
        [console.hosts.acme.id, text.toWellFormed()],
      );
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await open(page, 'audit?request=hostile');
    await page.getByText(`${texts.length} records`, { exact: true }).waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    for (let index = 1; index < Math.min(51, texts.length); index += 7) {
      await rows(page).nth(index).click();
      await page.getByRole('dialog').getByText('Statement').first().waitFor();
      expect(await findTraces(page)).toEqual(NO_TRACES);
      await page.keyboard.press('Escape');
    }
    process.stdout.write(`hostile text in the audit log: ${texts.length} payloads × 5 fields\n`);
    expect(faults).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('the audit page (%s)', (theme) => {
  it.each([
    ['on a desktop in English', false, 'en', 'Records'],
    ['on a phone in German', true, 'de', 'Einträge'],
  ] as const)('is accessible %s', async (_name, isPhone, language, label) => {
    await using guest = await visit(browser, { theme, isPhone, language });
    const { page, faults } = guest;
    await page.goto(`${console.url}audit`);
    await page.getByLabel('E-mail').fill(auditor.email);
    await page.locator('input[type=password]').fill(auditor.password);
    await page.keyboard.press('Enter');
    await rows(page, label).nth(3).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, `audit-${theme}${isPhone ? '-phone' : ''}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
