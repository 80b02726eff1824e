import type { QueryProgress } from '@sluice/client';
import { formatClock, formatCount, formatRows } from '../output/quantity.ts';
import { createProgressLine } from '../terminal/progress-line.ts';
import type { Output } from '../terminal/terminal.ts';

const REDRAW_MS = 200;
/** State before the host has reported one. */
const WAITING = 'Waiting';

/** Live progress of rows on stderr. */
export interface QueryDisplay {
  readonly onProgress: (progress: QueryProgress) => void;
  readonly addRows: (count: number) => void;
  /** Removes the line for good. */
  readonly stop: () => Promise<void>;
}

/**
 * Shows state, rows, rate and time of a query until `stop`. Nothing is shown where there is no terminal.
 * @param initial - state before the host reports one
 */
export function showQuery(output: Output, initial: string = WAITING): QueryDisplay {
  const line = createProgressLine(output);
  const startedMs = performance.now();
  let [state, rows, splits, isStopped] = [initial, 0, '', false];
  const draw = (): void => {
    const elapsedMs = performance.now() - startedMs;
    const rate = Math.round((rows * 1000) / Math.max(elapsedMs, 1));
    void line
      .show([
        { text: state, rank: 3 },
        // Before the statement runs, rows and a rate of 0 say nothing.
        ...(state === WAITING
          ? []
          : [
              { text: formatRows(rows), rank: 0 },
              { text: `${formatCount(rate)} rows/s`, rank: 2 },
            ]),
        ...(splits === '' ? [] : [{ text: splits, rank: 4 }]),
        { text: formatClock(elapsedMs), rank: 1 },
      ])
      .catch(() => undefined);
  };
  const timer = output.isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    onProgress: (progress) => {
      state = `${progress.state.charAt(0)}${progress.state.slice(1).toLowerCase()}`;
      splits = progress.splitsTotal === null ? '' : `${progress.splitsDone ?? 0}/${progress.splitsTotal} splits`;
    },
    addRows: (count) => {
      rows += count;
    },
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      await line.clear();
    },
  };
}
