import { visibleLine } from '@sluice/contract/visible-text';
import type { Output } from './terminal.ts';

/** One line on a terminal that is drawn over and over. Nothing is written where there is no terminal. */
export interface ProgressLine {
  /** Shows as many parts as fit in the window, most important first, in their order. */
  readonly show: (parts: readonly ProgressPart[]) => Promise<void>;
  /** Removes the line, so that the next output begins in its place. */
  readonly clear: () => Promise<void>;
}

export interface ProgressPart {
  readonly text: string;
  /** Parts with a higher number are left out first. */
  readonly rank: number;
}

const SEPARATOR = '  ';
const CLEAR_LINE = '\r\u001b[K';
const CLEAR_BELOW = '\r\u001b[J';

const lengthOf = (parts: readonly ProgressPart[]): number =>
  parts.reduce((sum, { text }) => sum + text.length, SEPARATOR.length * Math.max(0, parts.length - 1));

/** Leaves out parts until the rest fits. The last part is cut. */
export function fitParts(parts: readonly ProgressPart[], columns: number): string {
  let left = parts;
  while (left.length > 1 && lengthOf(left) > columns) {
    const last = Math.max(...left.map(({ rank }) => rank));
    left = left.filter(({ rank }) => rank !== last);
  }
  return visibleLine(left.map(({ text }) => text).join(SEPARATOR)).slice(0, columns);
}

/** Creates a line on an output. Its lines have one column per character. */
export function createProgressLine(output: Output): ProgressLine {
  let drawn = 0;
  let clearings = 0;
  /**
   * A window that became narrower has wrapped the line: its first row is above the cursor. Only then is more than one line cleared: tmux
   * keeps a screen that is cleared from its first row in its history, so each drawing would stay there.
   */
  const removal = (): string => {
    if (drawn === 0) return '';
    const above = Math.ceil(drawn / Math.max(1, output.columns)) - 1;
    return above > 0 ? `\u001b[${above}A${CLEAR_BELOW}` : CLEAR_LINE;
  };
  return {
    show: async (parts) => {
      if (!output.isTerminal) return;
      // When the process was held up, a change of the window's size waits behind the timer that calls this: it is read first.
      const before = clearings;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (clearings !== before) return;
      // The last column stays free: some terminals wrap when it is written.
      const text = fitParts(parts, output.columns - 1);
      const erased = removal();
      drawn = text.length;
      await output.write(`${erased}${text}`);
    },
    clear: async () => {
      clearings += 1;
      const erased = removal();
      drawn = 0;
      if (erased !== '') await output.write(erased);
    },
  };
}
