import { allCases } from '@sluice/testkit';
import type { Page } from 'playwright-core';
import { findAxeViolations } from './axe.ts';
import { takeScreenshot } from './screenshots.ts';

const WIDTHS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

interface View {
  readonly theme: 'light' | 'dark';
  readonly width: keyof typeof WIDTHS;
}

/** Pictures are kept of the first two: together they have both themes and both widths. */
const VIEWS: readonly View[] = [
  { theme: 'light', width: 'desktop' },
  { theme: 'dark', width: 'phone' },
  { theme: 'dark', width: 'desktop' },
  { theme: 'light', width: 'phone' },
];
const PICTURED: ReadonlySet<View> = new Set(VIEWS.slice(0, 2));

/** States that are always checked in all views. The others are checked in one view each, in turn, unless all cases run. */
const IN_ALL_VIEWS: ReadonlySet<string> = new Set([
  ...['admin-users', 'audit', 'datamap', 'login', 'marketplace'],
  ...['query', 'requests', 'run-complete', 'search', 'table'],
]);

/** Checks what pages show: both themes, at the width of a desktop and of a phone. */
export interface AccessibilityInspector {
  /** Returns the violations of axe in what a page shows now, with theme and width. Keeps pictures. */
  inspect(page: Page, name: string): Promise<readonly string[]>;
  /** Returns the numbers of inspected states, checks and violations so far, in one line. */
  summary(): string;
}

export function createAccessibilityInspector(): AccessibilityInspector {
  const names = new Set<string>();
  let [checks, violations] = [0, 0];

  const viewsOf = (name: string): readonly View[] => {
    const turn = names.size % VIEWS.length;
    return allCases || IN_ALL_VIEWS.has(name) ? VIEWS : VIEWS.slice(turn, turn + 1);
  };

  const inspectAs = async (page: Page, name: string, view: View): Promise<readonly string[]> => {
    const { theme, width } = view;
    await page.setViewportSize(WIDTHS[width]);
    // Without motion, colours do not pass through others of less contrast.
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await untilThemed(page, theme);
    const found = await findAxeViolations(page);
    checks += 1;
    violations += found.length;
    if (PICTURED.has(view)) await takeScreenshot(page, `everywhere-${name}-${theme}-${width}`);
    return found.map((violation) => `${name}-${theme}-${width}: ${violation}`);
  };

  return {
    async inspect(page, name) {
      names.add(name);
      const found: string[] = [];
      for (const view of viewsOf(name)) found.push(...(await inspectAs(page, name, view)));
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
