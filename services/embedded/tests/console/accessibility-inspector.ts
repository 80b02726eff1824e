import type { Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { takeScreenshot } from './screenshots.ts';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

/** Views that pictures are kept of: together they have both themes and both widths. */
const PICTURED: ReadonlySet<string> = new Set(['light-desktop', 'dark-phone']);

/** Checks what pages show in both themes, at the width of a desktop and of a phone. */
export interface AccessibilityInspector {
  /** Returns the violations of axe in what a page shows now, with theme and width. Keeps pictures. */
  inspect(page: Page, name: string): Promise<readonly string[]>;
  /** Returns the numbers of inspected states, checks and violations so far, in one line. */
  summary(): string;
}

export function createAccessibilityInspector(): AccessibilityInspector {
  const names = new Set<string>();
  let [checks, violations] = [0, 0];

  const inspectAs = async (page: Page, name: string, view: string): Promise<readonly string[]> => {
    const found = await findAxeViolations(page);
    checks += 1;
    violations += found.length;
    if (PICTURED.has(view)) await takeScreenshot(page, `everywhere-${name}-${view}`);
    return found.map((violation) => `${name}-${view}: ${violation}`);
  };

  return {
    async inspect(page, name) {
      names.add(name);
      const found: string[] = [];
      for (const [width, viewport] of Object.entries(WIDTHS)) {
        await page.setViewportSize(viewport);
        for (const theme of THEMES) {
          // Without motion, colours do not pass through others of less contrast.
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          await untilThemed(page, theme);
          found.push(...(await inspectAs(page, name, `${theme}-${width}`)));
        }
      }
      await page.setViewportSize(WIDTHS.desktop);
      return found;
    },
    summary: () => `axe: ${names.size} pages, dialogs and states, ${checks} checks, ${violations} violations`,
  };
}

/** Waits until a page has the colours of the theme. The login of the API host needs no script for that. */
async function untilThemed(page: Page, theme: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const { theme: shown = wanted } = document.documentElement.dataset;
    const isCalm = document.getAnimations().every((animation) => !(animation instanceof CSSTransition));
    return shown === wanted && isCalm;
  }, theme);
}
