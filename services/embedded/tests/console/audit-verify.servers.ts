import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trustedKeys, verifyEvidencePackage } from '@sluice/audit';
import { type BuiltUser, until } from '@sluice/testkit';
import type { Browser, FileChooser, Locator, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

const RECORDS = 40;

let console: ConsoleHosts;
let browser: Browser;
let auditor: BuiltUser;
let folder: string;
beforeAll(async () => {
  [console, browser, folder] = await Promise.all([
    startConsoleHosts(),
    startBrowser(),
    mkdtemp(join(tmpdir(), 'sluice-verify-')),
  ]);
  const { build, acme, rows } = console.hosts;
  auditor = await build.user(acme, { roles: ['auditor'] });
  await rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select $1, gen_random_uuid(), now(), 'many@acme.example', 'CREATE_ROLE', 'many ' || i,
       jsonb_build_object('n', 9007199254740993, 'long', 0.10) from generate_series(1, $2::int) i`,
    [acme.id, RECORDS],
  );
  await until(async () => ((await sequenceOf('many 40')) === undefined ? undefined : true), {
    what: 'the sealing of all records',
    withinMs: 60_000,
  });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Position of the record with a target in the chain. */
async function sequenceOf(target: string): Promise<number | undefined> {
  const [row] = await console.hosts.rows<{ sequence: string }>(
    'select c.sequence::text from audit_chain c join audit_log l on l.id = c.record_id where l.target = $1',
    [target],
  );
  return row && Number(row.sequence);
}

const rows = (page: Page) => page.getByRole('grid', { name: 'Records' }).getByRole('row');

/** Verifies the last 30 days, and returns the text of the result. */
async function verify(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Verify( again)?$/ }).click();
  const result = dialog.locator('.verify-result');
  await dialog.getByRole('button', { name: 'Verify again' }).waitFor({ timeout: 60_000 });
  await result.waitFor();
  return (await result.textContent()) ?? '';
}

/** Saves the package that the page verified, and returns the verdict of the command line. */
async function verdictOfSaved(page: Page) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the package' }).click(),
  ]);
  const path = join(folder, 'evidence.zip');
  await download.saveAs(path);
  const keys = await console.hosts.rows<{ public_key: Buffer }>('select public_key from audit_keys');
  return await verifyEvidencePackage({ path, keys: trustedKeys(keys.map((key) => key.public_key)) });
}

const readsOf = async (): Promise<readonly string[]> =>
  (
    await console.hosts.rows<{ action: string }>(
      `select action from audit_log where user_name = $1 and action in ('EXPORT_AUDIT_EVIDENCE', 'READ_AUDIT_CHECKPOINTS')`,
      [auditor.email],
    )
  ).map(({ action }) => action);

/** Opens the dialog as the auditor. */
async function openDialog(page: Page): Promise<Locator> {
  await openSignedIn(page, `${console.url}audit`, auditor);
  await page.getByRole('button', { name: 'Verify' }).click();
  return page.getByRole('dialog', { name: 'Verify the log' });
}

/** Saves the checkpoint that the page offers. */
async function saveCheckpoint(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the checkpoint' }).click(),
  ]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

async function chooseFile(page: Page, file: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /Compare with a checkpoint/ }).click(),
  ]);
  await chooser.setFiles(file);
}

describe('an auditor who verifies the log', () => {
  it('gets a table of what is proven and a paragraph of what is not, and the reads are in the log', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const dialog = await openDialog(page);
    const before = (await readsOf()).length;
    const text = await verify(page);
    expect((await readsOf()).slice(before).toSorted()).toEqual(['EXPORT_AUDIT_EVIDENCE', 'READ_AUDIT_CHECKPOINTS']);
    await takeDocsPicture(page, 'console-verify');
    const { finding, records, manifest, latest } = await verdictOfSaved(page);
    expect(finding).toBeUndefined();
    expect(text).toContain(`Verified: ${records} records are as they were sealed`);
    const facts = await dialog.getByRole('grid', { name: 'Result' }).getByRole('row').allTextContents();
    expect(facts).toContainEqual(
      expect.stringMatching(new RegExp(`^Records${records}, numbers ${manifest?.first} to ${manifest?.last}, `)),
    );
    expect(facts).toContainEqual(expect.stringMatching(/^ChangesNone: no record was changed/));
    expect(text).toContain('They begin with the first record of the log.');
    expect(text).toContain(`signed with the key ${latest?.keyId}`);
    expect(await dialog.locator('.verify-result p').first().textContent()).toMatch(/^Not proven: /);
    expect(await dialog.getByRole('button', { name: 'Copy the command', exact: true }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('compares the log with a checkpoint that was kept, and says when a file has none', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const dialog = await openDialog(page);
    expect(await verify(page)).toContain('save the checkpoint below, outside of Sluice');
    const path = await saveCheckpoint(page);
    const [kept] = (JSON.parse(await readFile(path, 'utf8')) as { data: readonly { payload: string }[] }).data;
    const { number } = JSON.parse(kept?.payload ?? '') as { number: number };
    for (const payload of PAYLOADS.filter((each) => /^[^\0/]*[<&'"][^\0/]{0,200}$/.test(each))) {
      await chooseFile(page, {
        name: `${payload.toWellFormed()}.json`,
        mimeType: 'application/json',
        buffer: Buffer.from('{}'),
      });
      await dialog.getByText('has no checkpoint').waitFor();
      expect(await findTraces(page)).toEqual(NO_TRACES);
    }
    await chooseFile(page, path);
    await dialog.getByText(`The log is compared with checkpoint ${number}`).waitFor();
    expect(await verify(page)).toContain(`The checkpoint ${number} of`);
    expect(await dialog.locator('.verify-result').textContent()).toContain('that you kept is still in the log');
    expect(faults).toEqual([]);
  });

  it('has no verdict when the package is cut, the session may not read it, or the user stops', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const dialog = await openDialog(page);
    const start = dialog.getByRole('button', { name: /^Verify/ });
    await page.route('**/audits/evidence*', async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      await route.fulfill({ response, body: body.subarray(0, body.length - 30) });
    });
    await start.click();
    await dialog.getByText('so it is incomplete').waitFor();
    await dialog.getByText('Not verified: there is no verdict').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.unroute('**/audits/evidence*');
    await page.route('**/audits/checkpoints*', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        body: '{"error":"access_denied","message":"Not now."}',
      }),
    );
    await start.click();
    await dialog.getByText('Not now.').waitFor();
    await page.unroute('**/audits/checkpoints*');
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/audits/evidence*', async (route) => {
      await held;
      await route.abort().catch(() => undefined);
    });
    await start.click();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByRole('button', { name: 'Verify', exact: true }).waitFor();
    release?.();
    expect(await dialog.locator('.verify-result').count()).toBe(0);
    expect(faults).toEqual([]);
  });
});

describe.each(['light', 'dark'] as const)('the verification (%s)', (theme) => {
  it.each([
    ['on a desktop in English', false, 'en', 'Verify', 'Verified'],
    ['on a phone in German', true, 'de', 'Prüfen', 'Geprüft'],
  ] as const)('works with the keyboard and is accessible %s', async (_name, isPhone, language, button, verdict) => {
    await using guest = await visit(browser, { theme, isPhone, language });
    const { page, faults } = guest;
    await page.goto(`${console.url}audit`);
    await page.getByLabel('E-mail').fill(auditor.email);
    await page.locator('input[type=password]').fill(auditor.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: button, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: button, exact: true }).press('Enter');
    await dialog.getByRole('heading', { name: verdict }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, `audit-verify-${theme}${isPhone ? '-phone' : ''}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});

/** Change of the database by a superuser, and what undoes it. */
interface Tampering {
  readonly name: string;
  /** Message of the page about the record. */
  readonly sentence: RegExp;
  readonly change: (at: number) => string;
  readonly undo: (at: number) => string;
}

const inChain = (at: number): string => `tenant_id = '${console.hosts.acme.id}' and sequence = ${at}`;
const recordAt = (at: number): string =>
  `(tenant_id, occurred, id) = (select tenant_id, occurred, record_id from audit_chain where ${inChain(at)})`;
const setNumber = (at: number, number: string): string =>
  `update audit_log set metadata = jsonb_set(metadata, '{n}', '${number}') where ${recordAt(at)}`;
const exchange = (at: number): string =>
  `with a as (select * from audit_chain where ${inChain(at)}), b as (select * from audit_chain where ${inChain(at + 1)}),
     gone as (delete from audit_chain where ${inChain(at)} or ${inChain(at + 1)} returning 1)
   insert into audit_chain (tenant_id, sequence, occurred, record_id, hash, v)
     select a.tenant_id, a.sequence, b.occurred, b.record_id, a.hash, a.v from a, b, (select count(*) from gone) g
     union all select a.tenant_id, b.sequence, a.occurred, a.record_id, b.hash, b.v from a, b`;
const INSERTED = 'aaaaaaaa-0000-4000-8000-000000000000';

const TAMPERINGS: readonly Tampering[] = [
  {
    name: 'a number above 2^53 that was changed by one',
    sentence: /was changed/,
    change: (at) => setNumber(at, '9007199254740992'),
    undo: (at) => setNumber(at, '9007199254740993'),
  },
  {
    name: 'a removed record',
    sentence: /is missing/,
    change: (at) =>
      `create table removed as select * from audit_log where ${recordAt(at)}; delete from audit_log where ${recordAt(at)}`,
    undo: () => 'insert into audit_log select * from removed',
  },
  {
    name: 'a record that was inserted beside another one',
    // The database may return the inserted one first.
    sentence: /was (inserted|changed)/,
    // The sealer has passed the transaction 0, so that it does not seal the record again.
    change: (at) =>
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, xact)
         select tenant_id, '${INSERTED}', occurred + interval '1 microsecond', 'eve', action, target, metadata, '0'::xid8 from audit_log where ${recordAt(at)};
       insert into audit_chain (tenant_id, sequence, occurred, record_id, hash, v)
         select tenant_id, sequence, occurred + interval '1 microsecond', '${INSERTED}', hash, v from audit_chain where ${inChain(at)}`,
    undo: () =>
      `delete from audit_chain where record_id = '${INSERTED}'; delete from audit_log where id = '${INSERTED}'`,
  },
  { name: 'two records in each other’s place', sentence: /was changed/, change: exchange, undo: exchange },
];

describe('a log that was changed in the database', () => {
  it.each(TAMPERINGS)('names $name, as the command line does', async ({ sentence, change, undo }) => {
    const at = (await sequenceOf('many 7')) ?? 0;
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const dialog = await openDialog(page);
    await console.hosts.rows(change(at));
    let text: string;
    try {
      text = await verify(page);
    } finally {
      await console.hosts.rows(undo(at));
    }
    const { finding, records } = await verdictOfSaved(page);
    expect(finding?.sequence).toBe(at);
    expect(text).toContain(`Record ${at} `);
    expect(text).toMatch(sentence);
    expect(text).toContain(`Reason${finding?.reason}`);
    expect(text).toContain(`${records} records before it are as they were sealed, up to number`);
    expect(text).toContain('Save the package as evidence and show it to your operator');
    expect(await dialog.getByRole('button', { name: 'Save the checkpoint' }).count()).toBe(0);
    expect(await findAxeViolations(page)).toEqual([]);
    if (finding?.kind === 'missing') await takeScreenshot(page, 'audit-verify-changed');
    await dialog.getByRole('link', { name: /^Show / }).click();
    await rows(page).nth(1).waitFor();
    expect(faults).toEqual([]);
  });

  it('says which record reports what a host set aside', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    await openDialog(page);
    await console.hosts.rows(
      `insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
       values ($1, 1000000, now(), gen_random_uuid(), sha256(''))`,
      [console.hosts.acme.id],
    );
    const text = await verify(page);
    const { finding, setAside } = await verdictOfSaved(page);
    expect(finding).toBeUndefined();
    expect(setAside).toMatchObject({ count: 1, first: [{ entries: 1, firstEntries: [{ sequence: 1_000_000 }] }] });
    expect(text).toContain(`Record ${setAside?.first[0]?.sequence} reports that a host set aside`);
    expect(faults).toEqual([]);
  });

  it('shows what was sealed with a time that was over, and that its end was cut off from a kept checkpoint', async () => {
    await using guest = await visit(browser);
    const { page, faults } = guest;
    const dialog = await openDialog(page);
    await verify(page);
    const kept = await saveCheckpoint(page);
    const { id } = console.hosts.acme;
    await console.hosts.rows(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target)
       values ($1, gen_random_uuid(), now() - interval '1 hour', 'eve', 'LOGIN', 'backdated')`,
      [id],
    );
    const text = await verify(page);
    const { finding, wrongTimes } = await verdictOfSaved(page);
    expect(finding).toBeUndefined();
    expect(wrongTimes).toMatchObject({ count: 1, first: { sequence: await sequenceOf('backdated') } });
    expect(text).toContain(
      `1 record has a time at which the log was already sealed further: number ${wrongTimes?.first.sequence} of`,
    );

    // Everything from a while before the kept checkpoint on is removed, with its checkpoints.
    const from = (await sequenceOf('many 30')) ?? 0;
    await console.hosts.rows(
      `delete from audit_log l using audit_chain c where c.tenant_id = '${id}' and c.sequence >= ${from} and l.id = c.record_id;
       delete from audit_chain where tenant_id = '${id}' and sequence >= ${from};
       delete from audit_checkpoints where tenant_id = '${id}' and sequence >= ${from}`,
    );
    await chooseFile(page, kept);
    await dialog.getByText('The log is compared with checkpoint').waitFor();
    expect(await verify(page)).toMatch(/Checkpoint \d+ (is missing|was changed)/);
    expect(faults).toEqual([]);
  });
});
