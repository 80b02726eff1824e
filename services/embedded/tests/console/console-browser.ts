import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { watchFaults } from './page-faults.ts';

/** Languages of the console and of the sign-in pages, as the browser asks for them. */
const LOCALES = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' } as const;

interface VisitOptions {
  /** Default: light. */
  readonly theme?: 'light' | 'dark';
  /** Default: en. */
  readonly language?: keyof typeof LOCALES;
  /** Width of a phone (390 px). Default: a desktop of 1280 px. */
  readonly isPhone?: boolean;
}

/** A visitor with cookies and storage of their own. */
export interface Visit extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Opens a further tab of the same visitor. */
  openTab(): Promise<Page>;
  /** Messages of the browser about errors and violations of the content security policy, in all tabs. */
  readonly faults: readonly string[];
}

const CHROMIUM = '/usr/bin/chromium';
/** Chromium without windows, menus and their processes: it takes about a quarter less processor time for the same pages. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** Starts a program of Chromium, which runs without a sandbox of its own for root, as whom CI runs. */
const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, chromiumSandbox: false });

/** Starts Chromium's headless shell, or Chromium itself where the system has no package of the shell. */
export const startBrowser = (): Promise<Browser> => launch(existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM);

/** Starts the Chromium that people use, for tests of what it does around a page: downloads, frame times, the whole journey. */
export const startFullBrowser = (): Promise<Browser> => launch(CHROMIUM);

/** Longest wait for something to appear, in milliseconds. A test fails sooner only if it says so: CI may stall for many seconds. */
const WAIT_MS = 60_000;
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** Opens a visitor who has never been here. `expectNoFaults` is for the end of the test. */
export async function visit(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
  const { theme = 'light', language = 'en', isPhone = false } = options;
  const settings: BrowserContextOptions = {
    colorScheme: theme,
    locale: LOCALES[language],
    viewport: isPhone ? PHONE : DESKTOP,
    hasTouch: isPhone,
    timezoneId: 'UTC',
  };
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(WAIT_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const faults = await watchFaults(context);
  return {
    context,
    page: await context.newPage(),
    openTab: () => context.newPage(),
    faults,
    [Symbol.asyncDispose]: () => context.close(),
  };
}
