import type { FileImport } from '@sluice/client';
import { formatBytes, formatClock, formatCount } from '../output/quantity.ts';
import { createProgressLine, type ProgressPart } from '../terminal/progress-line.ts';
import type { Output } from '../terminal/terminal.ts';

const REDRAW_MS = 100;
const BAR_CELLS = 20;

/** Progress of an import on a terminal: first of the file that is sent, then of its objects. */
export interface ImportDisplay {
  readonly update: (found: FileImport) => void;
  readonly stop: () => Promise<void>;
}

interface DisplayOptions {
  /** Bytes of the file that were read so far. */
  readonly sentBytes: () => number;
}

function bar(share: number): string {
  const done = Math.round(Math.min(share, 1) * BAR_CELLS);
  return `[${'='.repeat(done)}${' '.repeat(BAR_CELLS - done)}]`;
}

function objectParts({ state, dry_run, progress, ...counts }: FileImport, rate: number): ProgressPart[] {
  if (state === 'QUEUED') return [{ text: `Waiting to import ${formatCount(counts.total_count)} objects`, rank: 0 }];
  const { processed_count: done, total_count: total, failure_count: failed } = counts;
  return [
    { text: bar(progress), rank: 4 },
    { text: dry_run ? 'Comparing' : 'Importing', rank: 3 },
    { text: `${formatCount(done)} of ${formatCount(total)} objects`, rank: 0 },
    ...(failed === 0 ? [] : [{ text: `${formatCount(failed)} failed`, rank: 1 }]),
    ...(rate > 0 ? [{ text: `${formatCount(Math.round(rate))}/s`, rank: 5 }] : []),
  ];
}

/** Shows the progress of an import until `stop`. Nothing is shown where there is no terminal. */
export function showImport(output: Output, { sentBytes }: DisplayOptions): ImportDisplay {
  const line = createProgressLine(output);
  const startedMs = performance.now();
  let found: FileImport | undefined;
  let firstMs = startedMs;
  const parts = (): ProgressPart[] => {
    const nowMs = performance.now();
    const clock = { text: formatClock(nowMs - startedMs), rank: 2 };
    if (found === undefined) return [{ text: `Sending the file: ${formatBytes(sentBytes())}`, rank: 0 }, clock];
    return [...objectParts(found, (found.processed_count * 1000) / Math.max(nowMs - firstMs, 1)), clock];
  };
  const draw = (): void => void line.show(parts()).catch(() => undefined);
  const timer = output.isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    update: (next) => {
      if (found === undefined || found.processed_count === 0) firstMs = performance.now();
      found = next;
    },
    stop: async () => {
      clearInterval(timer);
      await line.clear();
    },
  };
}
