import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type PageGlobal = typeof globalThis & { axe: typeof Axe };

/**
 * Returns the violations of WCAG 2.2 AA and of axe's best practices, as `rule: element`. Every rule of these is on; a rule must not be
 * switched off. While a dialog or menu hides the page from screen readers, only that is checked: the rules about the whole page, such
 * as its one main landmark, hold for the page under it.
 */
export async function findAxeViolations(page: Page): Promise<readonly string[]> {
  // Scripts that DevTools evaluates are exempt from the content security policy.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE);
  return await page.evaluate(async () => {
    const { axe } = globalThis as PageGlobal;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const isPageHidden = document.querySelector('main')?.closest('[aria-hidden="true"], [inert]') != null;
    const overlays = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')];
    const { violations } = await axe.run(isPageHidden ? { include: overlays } : document, {
      runOnly: { type: 'tag', values: tags },
      // Elements that pass are not described, which takes most of the time.
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => `${id} (${help}): ${html} ${failureSummary.replaceAll('\n', ' ')}`),
    );
  });
}
