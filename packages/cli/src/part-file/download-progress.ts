import type { DownloadProgress } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { formatBytes, formatClock, formatRows } from '../output/quantity.ts';
import { createProgressLine, type ProgressPart } from '../terminal/progress-line.ts';
import type { Output } from '../terminal/terminal.ts';

const REDRAW_MS = 100;
const RATE_WINDOW_MS = 3000;
const BAR_CELLS = 12;

/** Progress of one download on a terminal. */
export interface DownloadDisplay {
  readonly update: (progress: Pick<DownloadProgress, 'bytes'> & Partial<DownloadProgress>) => void;
  /** Id of the query, once its first bytes have arrived. */
  readonly queryId: () => string | undefined;
  readonly stop: () => Promise<void>;
  /** Stops before data that may appear on the same terminal: all but those for a file. */
  readonly stopBefore: (stdout: Output) => Promise<void>;
}

/** Rate over the last seconds, from samples of one redraw each, the first of them before the first byte. */
function createRate(startedMs: number): (bytes: number, nowMs: number) => number {
  const samples = [{ bytes: 0, atMs: startedMs }];
  return (bytes, nowMs) => {
    samples.push({ bytes, atMs: nowMs });
    while (samples.length > 2 && nowMs - (samples[0]?.atMs ?? nowMs) > RATE_WINDOW_MS) samples.shift();
    const first = samples[0] ?? { bytes, atMs: nowMs };
    return nowMs > first.atMs ? ((bytes - first.bytes) * 1000) / (nowMs - first.atMs) : 0;
  };
}

/** A bar without an end, because the length of a result is not known before its end: a block that moves while bytes arrive. */
function bar(tick: number): string {
  const at = tick % (2 * BAR_CELLS - 6);
  const start = at < BAR_CELLS - 2 ? at : 2 * BAR_CELLS - 6 - at;
  return `[${' '.repeat(start)}===${' '.repeat(Math.max(0, BAR_CELLS - 3 - start))}]`;
}

/** Shows rows, bytes, rate and time of a download until `stop`. Nothing is shown where there is no terminal. */
export function showDownload(output: Output, name: string): DownloadDisplay {
  const line = createProgressLine(output);
  const startedMs = performance.now();
  const rateOf = createRate(startedMs);
  let progress: (Pick<DownloadProgress, 'bytes'> & Partial<DownloadProgress>) | undefined;
  let ticks = 0;
  const parts = (): ProgressPart[] => {
    const nowMs = performance.now();
    const clock = { text: formatClock(nowMs - startedMs), rank: 1 };
    const label = { text: visibleLine(name), rank: 4 };
    const rate = rateOf(progress?.bytes ?? 0, nowMs);
    if (progress === undefined) return [label, { text: 'waiting for the first rows', rank: 0 }, clock];
    const { rows, bytes } = progress;
    return [
      { text: bar(ticks), rank: 5 },
      label,
      ...(rows === undefined ? [] : [{ text: formatRows(rows), rank: 3 }]),
      { text: formatBytes(bytes), rank: 0 },
      { text: `${formatBytes(Math.round(rate))}/s`, rank: 2 },
      clock,
    ];
  };
  const draw = (): void => {
    ticks += 1;
    line.show(parts()).catch(() => undefined);
  };
  const timer = output.isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    await line.clear();
  };
  return {
    update: (next) => {
      progress = next;
    },
    queryId: () => progress?.queryId,
    stop,
    stopBefore: async (stdout) => {
      if (!stdout.isFile) await stop();
    },
  };
}
