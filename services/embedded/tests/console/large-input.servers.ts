import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import type { Browser, Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { startBrowser, type Visit, visit } from './console-browser.ts';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { chooseFurther, renderedRows, statementEditor, untilState, writeStatement } from './query-page.ts';
import { openSignedIn, untilPageShown } from './sign-in.ts';

let console: ConsoleHosts;
let browser: Browser;
let guest: Visit;
let page: Page;
beforeAll(async () => {
  [console, browser] = await Promise.all([startConsoleHosts(), startBrowser()]);
  guest = await visit(browser);
  page = guest.page;
  await openSignedIn(page, console.url, console.hosts.ann);
}, 180_000);
afterAll(async () => {
  await guest?.[Symbol.asyncDispose]();
  await browser?.close();
  await console?.[Symbol.asyncDispose]();
});
afterEach(() => expect(guest.faults).toEqual([]));

const TABS = 1000;
/** Characters of the statement that is pasted: 5 MB. */
const PASTED = 5_000_000;
/** Longest time from a key to its character on the page, as the median of some, in milliseconds. Far below what a user waits for. */
const KEY_MS_MAX = 250;

const tabs = (): ReturnType<Page['getByRole']> => page.getByRole('tab');

/** Returns the median time from a key to the next frame that shows it. */
async function medianKeyMs(): Promise<number> {
  const times: number[] = [];
  for (const key of 'abcdefghijk') {
    const started = performance.now();
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => painted(undefined))));
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** Returns the beginning of the longest text that the browser has stored. */
const longestStored = (): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('sluice-drafts');
        opening.onsuccess = () => {
          const reading = opening.result.transaction('texts').objectStore('texts').getAll();
          reading.onsuccess = () => {
            const texts = (reading.result as { readonly text: string }[]).map(({ text }) => text);
            opening.result.close();
            resolve((texts.sort((a, b) => b.length - a.length)[0] ?? '').slice(0, 100));
          };
        };
      }),
  );

describe('a statement of 5 MB', () => {
  it('can be edited after it was pasted, is not sent, and is kept', async () => {
    await writeStatement(page, 'SELECT 1 AS small');
    await page.evaluate((length) => {
      const line = `SELECT 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' AS text UNION ALL\n`;
      return navigator.clipboard.writeText(line.repeat(length / line.length));
    }, PASTED);
    await statementEditor(page).press('Control+a');
    await page.keyboard.press('Control+v');
    await page.keyboard.press('Control+Home');
    expect(await medianKeyMs()).toBeLessThan(KEY_MS_MAX);
    const before = console.stream.seen.length;
    await page.keyboard.press('Control+Enter');
    await page.getByText('A statement may have at most 256 KiB').waitFor();
    const sent = console.stream.seen.slice(before).filter(({ method, path }) => method === 'POST' && path === '/query');
    expect(sent).toEqual([]);
    await chooseFurther(page, 'Copy link');
    await page.getByText('A link holds at most 32 KB').waitFor();
    await until(async () => (await longestStored()).startsWith('abcdefghijkSELECT') || undefined, {
      what: 'the stored text',
      withinMs: 20_000,
    });
    await page.reload();
    await statementEditor(page).getByText('abcdefghijkSELECT').waitFor();
    await writeStatement(page, 'SELECT 2 AS after');
    await statementEditor(page).press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([['2']]);
  });
});

describe('1,000 tabs', () => {
  it('are listed, opened and closed, and the page stays usable', async () => {
    await page.evaluate(async (count) => {
      const opened = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('sluice-drafts');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const transaction = opened.transaction(['drafts', 'texts'], 'readwrite');
      const first = await new Promise<{ owner: string }>((resolve) => {
        const request = transaction.objectStore('drafts').getAll();
        request.onsuccess = () => resolve(request.result[0]);
      });
      for (let order = 1; order < count; order += 1) {
        const draft = {
          ...first,
          id: `tab-${order}`,
          title: `SELECT ${order} AS tab`,
          order,
          closedMs: null,
          revision: 1,
        };
        transaction.objectStore('drafts').put({ ...draft, name: null, parameters: {}, updatedMs: 0 });
        transaction.objectStore('texts').put({ owner: first.owner, id: draft.id, text: draft.title });
      }
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      opened.close();
    }, TABS);
    await page.reload();
    await untilPageShown(page);
    await tabs()
      .nth(TABS - 1)
      .waitFor();
    const open = await tabs().count();
    await statementEditor(page).press('Control+End');
    expect(await medianKeyMs()).toBeLessThan(KEY_MS_MAX);
    await page.locator('[role="tab"][aria-selected="true"]').focus();
    await page.keyboard.press('End');
    await statementEditor(page)
      .getByText(`SELECT ${TABS - 1} AS tab`)
      .waitFor();
    await page.keyboard.press('Delete');
    await statementEditor(page)
      .getByText(`SELECT ${TABS - 2} AS tab`)
      .waitFor();
    expect(await tabs().count()).toBe(open - 1);
    await statementEditor(page).press('Control+Enter');
    await untilState(page, 'Complete');
    expect(await renderedRows(page)).toEqual([[String(TABS - 2)]]);
    expect(await findAxeViolations(page)).toEqual([]);
  });
});
