import type { Locator, Page } from 'playwright-core';

/** Writes a statement on the query page and runs it. Returns when the page has sent it. */
export async function runStatement(page: Page, sql: string): Promise<void> {
  await writeStatement(page, sql);
  await statementEditor(page).press('Control+Enter');
  await runStatus(page).waitFor();
}

/** Chooses the most rows that a run of the active tab asks for, such as `All` or `First 100`. The tab keeps it. */
export async function chooseRows(page: Page, label: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Rows' }).selectOption({ label });
}

/** Chooses an action of the menu behind the buttons of the statement, such as `Copy link`. */
export async function chooseFurther(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Further actions' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Editor of the active tab. */
export const statementEditor = (page: Page): Locator => page.getByRole('textbox', { name: 'Statement' });

/**
 * Replaces the text of the active tab. The old text is deleted first, because text that is filled over other text goes through the
 * input method, which copies the colours of the old one into a style attribute.
 */
export async function writeStatement(page: Page, sql: string): Promise<void> {
  const editor = statementEditor(page);
  await editor.press('Control+a');
  await editor.press('Delete');
  await editor.fill(sql);
}

/**
 * Opens a new tab, and waits until the editor shows it: a script types faster than the page draws.
 * @param title - title of the active tab, which appears when its text is stored, and moves the button that opens a tab
 */
export async function openTab(page: Page, title: string): Promise<void> {
  await page.getByRole('tab', { name: title, selected: true }).waitFor();
  await page.getByRole('button', { name: 'New tab' }).click();
  await page.getByRole('region', { name: 'Where to start' }).waitFor();
}

/** Line about the state of the run. */
export const runStatus = (page: Page): Locator => page.getByRole('region', { name: 'State of the run' });

export const resultGrid = (page: Page): Locator => page.getByRole('grid', { name: 'Rows of the result' });

/** Waits until the state of the run has a name, such as `Complete`. The error of a time limit says what is shown instead. */
export async function untilState(page: Page, state: string): Promise<void> {
  try {
    await runStatus(page).getByRole('strong').getByText(state, { exact: true }).waitFor();
  } catch (cause) {
    const shown = await page.getByRole('main').ariaSnapshot();
    throw new Error(`The run is not in the state "${state}". The page shows: ${shown.slice(0, 2000)}`, { cause });
  }
}

/** Returns the text of each rendered row, without their numbers, in their order. */
export const renderedRows = (page: Page): Promise<string[][]> =>
  resultGrid(page).evaluate((grid) =>
    [...grid.querySelectorAll('[role=row]:has([role=gridcell])')]
      .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')))
      .map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent ?? '')),
  );

/** Returns the text of each rendered column header: name and type. */
export const renderedColumns = (page: Page): Promise<string[]> =>
  resultGrid(page).evaluate((grid) =>
    [...grid.querySelectorAll('[role=columnheader]')].slice(1).map((header) => header.textContent ?? ''),
  );

/** Returns what the page has copied last. */
export const clipboardText = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
