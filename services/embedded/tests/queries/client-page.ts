import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type * as Sluice from '@sluice/client';
import type { Browser, Page } from 'playwright-core';
import { compileClient } from '../compile-client.ts';

const BUILT = fileURLToPath(new URL('../../../../packages/client/dist/', import.meta.url));
/** Global of the page: the built client. */
export type PageGlobal = typeof globalThis & { sluice: typeof Sluice };

/**
 * Opens a page of the API host, in a browser context of its own, that has loaded the built client. The page itself comes from the host:
 * Chromium lets no page without an address of its own send requests to this machine.
 */
export async function openClientPage(browser: Browser, apiUrl: string): Promise<Page> {
  await compileClient();
  // The pages of the host allow no scripts.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.route(`${apiUrl}/client/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice('/client/'.length);
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(BUILT + name, 'utf8') });
  });
  await loadClient(page, apiUrl);
  return page;
}

/** Loads the client into a page of the API host. */
export async function loadClient(page: Page, apiUrl: string): Promise<void> {
  await page.goto(`${apiUrl}/health`);
  await page.evaluate(async (url) => {
    (globalThis as PageGlobal).sluice = (await import(url)) as typeof Sluice;
  }, `${apiUrl}/client/index.js`);
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Wall time in microseconds. */
  readonly dur?: number;
  /** Processor time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Tasks of the main thread of a page. */
export interface MeasuredTasks {
  readonly count: number;
  /** Longest wall time in milliseconds. */
  readonly longestMs: number;
  /** Longest time in milliseconds for which a task was really busy: the shorter of its wall and processor time. */
  readonly busiestMs: number;
}

/** Runs `work` under a trace of Chromium, and measures the tasks of the main threads of its pages. */
export async function traceTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<MeasuredTasks> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = new Set(
    trace.traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  const tasks = trace.traceEvents.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && main.has(`${pid} ${tid}`),
  );
  const longest = (times: readonly number[]) => times.reduce((max, each) => Math.max(max, each), 0) / 1000;
  return {
    count: tasks.length,
    longestMs: longest(tasks.map(({ dur = 0 }) => dur)),
    busiestMs: longest(tasks.map(({ dur = 0, tdur = dur }) => Math.min(dur, tdur))),
  };
}
