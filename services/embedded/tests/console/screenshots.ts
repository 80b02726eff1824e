import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** `npm run docs:pictures` sets it. */
// biome-ignore lint/style/noProcessEnv: a choice of the developer, not a setting of the product
const WRITES_DOCS = process.env['WRITE_DOCS_PICTURES'] === 'true';
const DOCS_FOLDER = fileURLToPath(new URL('../../../../docs/pictures/', import.meta.url));
const FOLDER = fileURLToPath(new URL('screenshots/', import.meta.url));

/** Takes a picture of what the page shows, for people to look at. CI keeps the folder. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled', caret: 'initial' });
}

/** Takes a picture that the docs show. It is replaced there only by `npm run docs:pictures`. */
export async function takeDocsPicture(page: Page, name: string): Promise<void> {
  await takeScreenshot(page, name);
  if (WRITES_DOCS) await copyFile(`${FOLDER}${name}.png`, `${DOCS_FOLDER}${name}.png`);
}
