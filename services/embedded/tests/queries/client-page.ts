import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type * as Sluice from '@sluice/client';
import type { Browser, Page } from 'playwright-core';

const BUILT = fileURLToPath(new URL('../../../../packages/client/dist/', import.meta.url));
const HTML = `<!doctype html><title>client</title><script type="module">
import * as sluice from '/client/index.js';
globalThis.sluice = sluice;
</script>`;

/** Global of the page: the built client. */
export type PageGlobal = typeof globalThis & { sluice: typeof Sluice };

/** Opens a page of an origin that has loaded the built client. The origin's own paths are not changed. */
export async function openClientPage(browser: Pick<Browser, 'newPage'>, origin: string): Promise<Page> {
  const page = await browser.newPage();
  await page.route(`${origin}/client/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice('/client/'.length);
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(BUILT + name, 'utf8') });
  });
  await page.route(`${origin}/page`, (route) => route.fulfill({ contentType: 'text/html', body: HTML }));
  await page.goto(`${origin}/page`);
  await page.waitForFunction(() => 'sluice' in globalThis);
  return page;
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

/** Longest tasks of the main thread of a page, in milliseconds. */
export interface LongestTasks {
  readonly tasks: number;
  readonly wallMs: number;
  /** Processor time. Unlike the wall time, it does not depend on what else the machine does. */
  readonly processorMs: number;
}

/** Runs `work` under a trace of Chromium, and returns the longest tasks of the main threads of its pages. */
export async function traceTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<LongestTasks> {
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
  const longest = (times: readonly (number | undefined)[]) =>
    times.reduce<number>((max, each) => Math.max(max, each ?? 0), 0) / 1000;
  return {
    tasks: tasks.length,
    wallMs: longest(tasks.map(({ dur }) => dur)),
    processorMs: longest(tasks.map(({ tdur }) => tdur)),
  };
}
