import type { Locator, Page } from 'playwright-core';

/** Drags files or folders from the desktop to a place of the page and drops them there, as the browser does it for a user. */
export async function dropFiles(page: Page, paths: readonly string[], target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('The place to drop files is not visible.');
  const at = { x: box.x + box.width / 2, y: box.y + 8 };
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data });
  await session.detach();
}
