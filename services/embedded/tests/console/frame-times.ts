import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  /** Wall time in microseconds. */
  readonly dur?: number;
  /** Processor time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Work of the page between two frames. */
export interface FrameTimes {
  readonly frames: number;
  /** Script, style and layout of a frame in milliseconds of processor time. */
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** Longest task of the main thread in milliseconds: the shorter of its wall and processor time. */
  readonly longestTaskMs: number;
  /** Time of some fixed work relative to a quiet machine, the larger of before and after. At least 1. */
  readonly slowness: number;
}

const WORK = new Set([
  'EventDispatch',
  'EvaluateScript',
  'FireAnimationFrame',
  'FunctionCall',
  'Layout',
  'RunMicrotasks',
  'TimerFire',
  'UpdateLayoutTree',
]);
const END_OF_FRAME = 'Commit';
const busyMs = ({ dur = 0, tdur = dur }: TraceEvent): number => Math.min(dur, tdur) / 1000;

/** Runs `work` under a trace of Chromium, and returns how long script, style and layout took in each frame of its pages. */
export async function traceFrames(browser: Browser, page: Page, work: () => Promise<void>): Promise<FrameTimes> {
  const slownessBefore = await measureSlowness(page);
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'] });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  return { ...measureFrames(trace.traceEvents), slowness: Math.max(slownessBefore, await measureSlowness(page)) };
}

/** Time of the work of `measureSlowness` on a quiet machine with two processors, in milliseconds. */
const QUIET_MS = 7.5;

/** A machine that gives less processor time makes this work longer too, so limits that grow with it fail only for what a page does. */
async function measureSlowness(page: Page): Promise<number> {
  const medianMs = await page.evaluate(() => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, customer: `customer ${id}`, price: id / 7 }));
    const text = JSON.stringify(rows);
    const times = Array.from({ length: 9 }, () => {
      const startedAt = performance.now();
      JSON.parse(text);
      return performance.now() - startedAt;
    });
    return times.sort((a, b) => a - b)[4] ?? 0;
  });
  return Math.max(1, medianMs / QUIET_MS);
}

function measureFrames(events: readonly TraceEvent[]): Omit<FrameTimes, 'slowness'> {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    events.flatMap((event) =>
      event.name === 'thread_name' && event.args?.name === 'CrRendererMain' ? [threadOf(event)] : [],
    ),
  );
  const ofPages = events.filter((event) => main.has(threadOf(event)) && event.ph === 'X').sort((a, b) => a.ts - b.ts);
  const frames = workOfFrames(ofPages).sort((a, b) => a - b);
  const at = (fraction: number) => frames[Math.floor((frames.length - 1) * fraction)] ?? 0;
  const tasks = ofPages.filter(({ name }) => name === 'RunTask').map(busyMs);
  return {
    frames: frames.length,
    medianMs: at(0.5),
    p95Ms: at(0.95),
    maxMs: at(1),
    longestTaskMs: tasks.reduce((max, each) => Math.max(max, each), 0),
  };
}

/** Adds up the outermost pieces of work until the end of each frame that had any. */
function workOfFrames(events: readonly TraceEvent[]): number[] {
  const frames: number[] = [];
  let [sum, endOfWork] = [0, -1];
  for (const event of events) {
    if (event.name === END_OF_FRAME && sum > 0) {
      frames.push(sum);
      sum = 0;
    } else if (WORK.has(event.name) && event.ts >= endOfWork) {
      endOfWork = event.ts + (event.dur ?? 0);
      sum += busyMs(event);
    }
  }
  return frames;
}
