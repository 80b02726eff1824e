import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type FindDataHosts, startFindDataHosts } from './find-data-fixture.ts';
import { findTraces, NO_TRACES, PAYLOADS } from './hostile-payloads.ts';
import { takeDocsPicture, takeScreenshot } from './screenshots.ts';
import { openSignedIn } from './sign-in.ts';

let hosts: FindDataHosts;
let browser: Browser;
let steward: BuiltUser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [hosts, browser] = await Promise.all([startFindDataHosts(), startBrowser()]);
  const { build, acme } = hosts.console.hosts;
  steward = await build.user(acme, { roles: ['steward', 'auditor'] });
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await hosts?.[Symbol.asyncDispose]();
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
const rows = (name: string) => page.getByRole('grid', { name }).getByRole('row');
const open = (user = steward) => openSignedIn(page, `${hosts.console.url}metadata`, user);
const descriptionOf = async (table: string): Promise<string | null> => {
  const params = { catalog: 'shop', schema: 'main', table };
  return (await hosts.steward.api.getCatalogTable({ params })).description;
};

async function checkText(text: string): Promise<void> {
  await pasteField().fill(text);
  await press('Check the text');
}

describe('a steward', () => {
  it('pastes a file, sees what would change, applies it, corrects what failed, and finds it in the audit log', async () => {
    await open();
    await checkText(
      `${HEADER}\nTABLE,shop.main.numbers,,"Numbers, many",big\nTABLE,shop.main.nubmers,,Oops,\nVIEW,shop.main.cheap,,Under one euro,\n`,
    );
    await page.getByText('This would change. Nothing is changed yet.').waitFor();
    await page.getByText('2 objects would change').waitFor();
    expect(await page.getByText('The file is valid').count()).toBe(0);
    await rows('Changes').getByText('Numbers, many').waitFor();
    await rows('Not applied').getByText('There is no TABLE shop.main.nubmers.').waitFor();
    expect(await descriptionOf('numbers')).toBeNull();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeDocsPicture(page, 'console-import');
    await press('Apply these changes');
    await page.getByText('The import has ended.').waitFor();
    await page.getByText('2 objects changed').waitFor();
    expect(await descriptionOf('numbers')).toBe('Numbers, many');
    expect(await findAxeViolations(page)).toEqual([]);
    await press('Correct what failed');
    await page.getByText('Line 2 (in your file line 3): There is no TABLE shop.main.nubmers.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await takeScreenshot(page, 'import-corrected');
    const failed = await pasteField().inputValue();
    expect(failed).toBe(`${HEADER}\nTABLE,shop.main.nubmers,,Oops,\n`);
    await checkText(failed.replace('nubmers', 'items'));
    await page.getByText('The file is valid: every object in it can be applied.').waitFor();
    await press('Apply these changes');
    await page.getByText('The import has ended.').waitFor();
    expect(await descriptionOf('items')).toBe('Oops');
    await page.getByRole('link', { name: 'In the audit log' }).click();
    await page.getByRole('grid', { name: 'Records' }).getByText(steward.email).first().waitFor();
  });

  it('chooses a JSON file, and a YAML file', async () => {
    await open();
    const files = {
      'a.json': '{"metadata_objects": [{"type": "TABLE", "id": "shop.main.wide", "add_tags": ["from json"]}]}',
      'a.yaml':
        '# wide\nmetadata_objects:\n- type: TABLE\n  id: shop.main.wide\n  description: |\n    from\n    yaml\n',
    };
    for (const [name, text] of Object.entries(files)) {
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await press('Apply these changes');
      await page.getByText('1 object changed').waitFor();
      await press('Choose another file');
    }
    expect(await descriptionOf('wide')).toBe('from\nyaml\n');
  });

  it('sees each line of a description that would change as a line', async () => {
    await open();
    await checkText(`${HEADER}\nTABLE,shop.main.wide,,"first line\nsecond line",\n`);
    const value = rows('Changes').locator('.metadata-import__value', { hasText: 'second line' });
    await value.waitFor();
    expect(await value.textContent()).toBe('first line\nsecond line');
    expect(await value.evaluate((element) => getComputedStyle(element).whiteSpace)).toBe('pre-line');
    await takeScreenshot(page, 'import-lines');
  });
});

describe('an import that is cut', () => {
  const many = (count: number): string =>
    [
      HEADER,
      ...Array.from({ length: count }, (_, at) => `TABLE,shop.main.${at % 2 ? 'items' : 'wide'},,text ${at},`),
    ].join('\n');

  it('says that the file was not confirmed, and applies it when it is sent again', async () => {
    await open();
    await page.route('**/metadata/imports?*', (route) => route.abort(), { times: 1 });
    await checkText(`${HEADER}\nTABLE,shop.main.wide,,sent twice,\n`);
    await page.getByText('Nothing was changed. Try again.').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await press('Show what would change');
    await press('Apply these changes');
    await page.getByText('The import has ended.').waitFor();
    expect(await descriptionOf('wide')).toBe('sent twice');
  });

  it('goes on at the host while the page does not see it, and has its report afterwards', async () => {
    await open();
    await checkText(`${HEADER}\nTABLE,shop.main.wide,,unseen,\nTABLE,shop.main.none,,unseen,\n`);
    await page.getByText('This would change.').waitFor();
    const refused = {
      status: 403,
      contentType: 'application/json',
      body: '{"error":"access_denied","message":"Not now."}',
    };
    await page.route(/\/metadata\/imports\/[^/]+$/, (route) => route.fulfill(refused));
    await press('Apply these changes');
    await page.getByText('The import does not depend on this page').waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await press('Check again');
    await page.getByText('1 object failed').waitFor();
    expect(await descriptionOf('wide')).toBe('unseen');
    await page.reload();
    await page.getByText('1 object failed').waitFor();
    await rows('Not applied').getByText('There is no TABLE shop.main.none.').waitFor();
  });

  it('is stopped after the batch in progress, and reports what was not reached', async () => {
    await open();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(many(60_000)) });
    await page.getByRole('progressbar', { name: 'Comparing with what is stored' }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await press('Stop');
    await page.getByText('The comparison was stopped. Nothing is changed.').waitFor();
    await page.getByText(/objects not reached/).waitFor();
    await rows('Not applied').nth(1).waitFor();
    await takeScreenshot(page, 'import-stopped');
  });
});

describe('hostile text', () => {
  it('stays text in mistakes, changes and reports', async () => {
    const texts = PAYLOADS.filter(
      (text) => !text.includes('\0') && text.isWellFormed() && text.trim() !== '' && text.length < 4000,
    );
    const objects = texts.flatMap((text) => [
      { type: 'TABLE', id: text },
      { type: 'TABLE', id: 'shop.main.wide', description: text, tags: [[...text].slice(0, 250).join('')] },
    ]);
    await open();
    await checkText(objects.map((object) => JSON.stringify(object)).join('\n'));
    await page.getByText(`${texts.length} objects would fail`).waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    await press('Choose another file');
    await checkText(texts.map((text) => JSON.stringify({ type: text, id: 'a', [text]: 1 })).join('\n'));
    await page.getByRole('alert', { name: 'Mistakes in the file' }).waitFor();
    expect(await findTraces(page)).toEqual(NO_TRACES);
    process.stdout.write(`hostile text in files of metadata: ${texts.length} payloads\n`);
  });
});

it('a user without metadata:write has no page of metadata', async () => {
  const { build, acme } = hosts.console.hosts;
  await open(await build.user(acme, { roles: ['analyst'] }));
  await page.getByText('metadata:write').waitFor();
  expect(await page.getByRole('link', { name: 'Metadata', exact: true }).count()).toBe(0);
});

describe.each(['light', 'dark'] as const)('the page (%s)', (theme) => {
  it.each([
    ['on a desktop in English', false, 'en', 'Check the text'],
    ['on a phone in German', true, 'de', 'Text prüfen'],
  ] as const)('is accessible %s', async (_name, isPhone, language, button) => {
    await using other = await visit(browser, { theme, isPhone, language });
    await other.page.goto(`${hosts.console.url}metadata`);
    await other.page.getByLabel('E-mail').fill(steward.email);
    await other.page.locator('input[type=password]').fill(steward.password);
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('button', { name: button }).waitFor();
    expect(await findAxeViolations(other.page)).toEqual([]);
    await takeScreenshot(other.page, `import-${theme}${isPhone ? '-phone' : ''}`);
    const overflow = await other.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(other.faults).toEqual([]);
  });
});
