import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type BuiltUser, startCuttingProxy } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { dropFiles as drop } from './drop-files.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let steward: BuiltUser;
let guest: Visit;
/** Folder with files that are dropped. */
let folder: string;
let page: Page;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  folder = await mkdtemp(join(tmpdir(), 'sluice-drop-'));
  const { build, acme } = hosts.console.hosts;
  steward = await build.user(acme, { roles: ['steward', 'auditor'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  guest = await visit(browser);
  page = guest.page;
});
afterEach(async () => {
  await guest[Symbol.asyncDispose]();
  expect(guest.faults).toEqual([]);
});

const HEADER = 'type,id,field,description,tags';
const pasteField = () => page.getByRole('textbox', { name: 'Or paste it here' });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const open = () => openSignedIn(page, `${hosts.console.url}metadata`, steward);
const checkText = async (text: string): Promise<void> => {
  await pasteField().fill(text);
  await press('Check the text');
};

const countImports = async (): Promise<number> =>
  (await hosts.console.hosts.rows('select 1 from metadata_imports')).length;

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const dropFiles = (...paths: readonly string[]) => drop(page, paths, page.locator('.file-drop'));

describe('a file that is dropped', () => {
  it('is checked by its name, or by its beginning where the name says nothing, with a byte order mark too', async () => {
    await open();
    await dropFiles(await fileOf('bom.csv', `\uFEFF${HEADER}\nTABLE,shop.main.wide,,dropped,\n`));
    await page.getByRole('grid', { name: 'Changes' }).getByText('dropped').waitFor();
    await press('Choose another file');
    await dropFiles(await fileOf('notes.txt', '# tables\n- type: TABLE\n  id: shop.main.wide\n'));
    await page.getByText('1 object as in the file').waitFor();
  });

  it('is one file: of several files and of a folder nothing is read, and what is beside the place stays out', async () => {
    await open();
    await pasteField().fill('typed before');
    const [one, two] = [await fileOf('one.csv', `${HEADER}\n`), await fileOf('two.csv', `${HEADER}\n`)];
    const inner = join(folder, 'inner');
    await mkdir(inner, { recursive: true });
    const other = page.getByText('Drop one file. Several files, a folder or dragged text cannot be read.');
    for (const paths of [[one, two], [inner]]) {
      await dropFiles(...paths);
      await other.waitFor();
    }
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'import-drop-other');
    await drop(page, [one], page.getByRole('heading', { name: 'Metadata' }));
    expect(await pasteField().inputValue()).toBe('typed before');
    await dropFiles(await fileOf('good.csv', `${HEADER}\nTABLE,shop.main.wide,,d,\n`));
    await page.getByText('This would change. Nothing is changed yet.').waitFor();
  });
});

describe('a file that is not valid', () => {
  it.each<[string, string, RegExp]>([
    ['wrong columns', 'type,id,text\n', /line 1 has an unknown column "text"/],
    [
      'a broken line 50,000',
      [HEADER, ...Array.from({ length: 50_100 }, (_, at) => `TABLE,a.b.t${at},,${at === 49_998 ? '"x"y' : 'd'},`)].join(
        '\n',
      ),
      /line 50000 is not valid CSV/,
    ],
    [
      '100,001 objects',
      [HEADER, ...Array.from({ length: 100_001 }, (_, at) => `TABLE,a.b.t${at},,d,`)].join('\n'),
      /line 100002 starts object 100001; a file has at most 100000/,
    ],
    [
      'YAML with an alias',
      '- type: TABLE\n  id: &x a\n- type: TABLE\n  id: b\n',
      /line 2, column 10 the anchor &x is not accepted/,
    ],
    [
      'a dry run of its own',
      '{"metadata_objects":[{"type":"TABLE","id":"shop.main.wide"}],"dry_run":"yes"}',
      /dry_run must be true or false/,
    ],
  ])('of %s gets one sentence with its place, and nothing is imported', async (_what, content, sentence) => {
    const before = await countImports();
    await open();
    await pasteField().fill('typed before');
    await dropFiles(await fileOf(content.startsWith('type') ? 'a.csv' : 'a.txt', content));
    const violations = page.getByRole('alert', { name: 'Mistakes in the file' });
    await violations.getByText(sentence).waitFor();
    expect(await violations.getByRole('listitem').count()).toBe(1);
    expect(await countImports()).toBe(before);
    expect(await pasteField().inputValue()).toBe('typed before');
    expect(await findAxeViolations(page)).toEqual([]);
  });

  it('of another kind gets one sentence too', async () => {
    await open();
    for (const [content, sentence] of [
      ['', 'file has no objects; send at least one'],
      [Buffer.from(`\uFEFF${HEADER}\n`, 'utf16le'), 'file is UTF-16; save it in UTF-8'],
      [Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), 'file is a workbook or ZIP file'],
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), 'file is a picture, not a text'],
    ] as const) {
      await dropFiles(await fileOf('other.csv', content));
      await page.getByRole('alert', { name: 'Mistakes in the file' }).getByText(sentence).waitFor();
    }
  });

  it('leaves pasted text where it is, also after a reload', async () => {
    await open();
    await checkText('type,id\nTABEL,a.b.c\n');
    await page.getByText('line 2, type must be TABLE, VIEW or DATAMAP').waitFor();
    await takeScreenshot(page, 'import-violations');
    expect(await pasteField().inputValue()).toContain('TABEL');
    await page.reload();
    expect(await pasteField().inputValue()).toContain('TABEL');
  });
});

/** Chooses a format and a prefix, and exports. */
async function openExport(format: string): Promise<void> {
  await page.getByRole('tab', { name: 'Export' }).click();
  await page.getByRole('textbox', { name: 'Only names that start with' }).fill('shop.main.');
  if (format === 'CSV') return;
  await page.getByRole('button', { name: /^CSV/ }).click();
  await page.getByRole('option', { name: format, exact: true }).click();
}

describe('an export', () => {
  it.each(['CSV', 'JSON', 'YAML'])('in %s changes nothing when it is imported again', async (format) => {
    await hosts.steward.api.importMetadata({
      body: {
        metadata_objects: [
          { type: 'TABLE', id: 'shop.main.numbers', description: 'two\nlines: "a", \\N; b', tags: ['a;b', 'c, d'] },
        ],
      },
    });
    await open();
    await openExport(format);
    expect(await findAxeViolations(page)).toEqual([]);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/metadata/export?*', (route) => held.then(() => route.continue()), { times: 1 });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press('Export'),
      page.getByRole('progressbar', { name: 'Reading what is stored' }).waitFor().then(release),
    ]);
    await page.getByText(new RegExp(`^Saved ${download.suggestedFilename()}, [2-9] objects\\.$`)).waitFor();
    // The button fades back in.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, `exported-${format}`);
    expect(download.suggestedFilename()).toBe(`metadata.${format.toLowerCase()}`);
    const path = await download.path();
    expect(await readFile(path, 'utf8')).toContain('shop.main.items');
    await page.getByRole('tab', { name: 'Import' }).click();
    await dropFiles(await fileOf(download.suggestedFilename(), await readFile(path)));
    await page.getByText('0 objects would change').waitFor();
    await page.getByText('0 objects would fail').waitFor();
    expect(await page.getByRole('button', { name: 'Apply these changes' }).count()).toBe(0);
  });

  it.each([
    ['CSV', 'cut'],
    ['JSON', 'end'],
    ['YAML', 'end'],
  ] as const)('in %s that is cut (%s) is not saved, and is whole when it is repeated', async (format, kind) => {
    await using proxy = await startCuttingProxy(hosts.console.hosts.api.url);
    proxy.damage('/metadata/export', { kind, afterBytes: 100 });
    const downloads: unknown[] = [];
    page.on('download', (download) => downloads.push(download));
    await open();
    await openExport(format);
    await page.route('**/metadata/export?*', (route) =>
      route.continue({ url: route.request().url().replace(hosts.console.hosts.api.url, proxy.url) }),
    );
    await press('Export');
    await page.getByText('The export ended early, and nothing was saved. Export again.').waitFor();
    expect(downloads).toEqual([]);
    proxy.reset();
    await Promise.all([page.waitForEvent('download'), press('Export')]);
  });
});
