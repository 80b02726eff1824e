import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Download, Locator, Page } from 'playwright-core';
import { writeStatement } from './query-page.ts';

/** Opens the menu of formats: above the rows of a result, or beside "Run" in a tab without one. A page has one button at any time. */
export const openDownloadMenu = (page: Page): Promise<void> =>
  page.getByRole('main').getByRole('button', { name: 'Download', exact: true }).click();

/** Item of the open menu. A format with limits has them after its name. */
const formatItem = (page: Page, format: string): Locator =>
  page.getByRole('menuitem', { name: new RegExp(`^${format.replaceAll(/[()]/g, '.')}`) });

/** Starts the download of the rows that are shown, without waiting for the file. */
export async function startDownload(page: Page, format: string): Promise<void> {
  await openDownloadMenu(page);
  await formatItem(page, format).click();
}

/** Downloads the rows that are shown. Returns when the browser has begun to save the file. */
export async function downloadRows(page: Page, format: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), startDownload(page, format)]);
  return download;
}

export const downloadPanel = (page: Page): Locator => page.getByRole('complementary', { name: 'Downloads' });

/** The newest download of the list. */
export const newestDownload = (page: Page): Locator => downloadPanel(page).getByRole('listitem').first();

/** Waits until the newest download has a state, such as `Sent`. */
export const untilDownload = (page: Page, state: string): Promise<void> =>
  newestDownload(page).getByRole('strong').getByText(state, { exact: true }).waitFor();

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Opens the dialog with all options, chooses in it, and starts the download. */
export async function chooseInDialog(page: Page, choose: (dialog: Locator) => Promise<unknown>): Promise<void> {
  await openDownloadMenu(page);
  await page.getByRole('menuitem', { name: 'More options' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await choose(dialog);
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
}

/** Empties the list of downloads that have ended. */
export async function clearDownloads(page: Page): Promise<void> {
  const clear = downloadPanel(page).getByRole('button', { name: 'Clear list' });
  if ((await clear.count()) > 0) await clear.click();
}

/** Runs a statement in a new tab of the editor to a file, without showing its rows. */
export async function runToFile(page: Page, sql: string, format = 'CSV'): Promise<void> {
  await openStatement(page, sql);
  await startDownload(page, format);
}

/** Runs a statement in a new tab of the editor to a file. Returns when the browser has begun to save it. */
export async function saveToFile(page: Page, sql: string, format = 'CSV'): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), runToFile(page, sql, format)]);
  return download;
}

/** Runs a statement in a new tab of the editor to a file that the page compares before it is saved. */
export async function compareToFile(page: Page, sql: string): Promise<void> {
  await openStatement(page, sql);
  await chooseInDialog(page, (dialog) => dialog.getByText('Compare while saving').click());
}

/** Writes a statement in a new tab of the editor. */
export async function openStatement(page: Page, sql: string): Promise<void> {
  await page.getByRole('button', { name: 'New tab' }).click();
  await writeStatement(page, sql);
}
