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
  return left
    .map(({ text }) => text)
    .join(SEPARATOR)
    .slice(0, columns);
}

/** Creates a line on an output. Its texts have one column per character. */
export function createProgressLine(output: Output): ProgressLine {
  let drawn = 0;
  /** A window that became narrower has wrapped the line: its first row is above the cursor. */
  const removal = (): string => {
    if (drawn === 0) return '';
    const above = Math.ceil(drawn / Math.max(1, output.columns)) - 1;
    return `${above > 0 ? `\u001b[${above}A` : ''}${CLEAR_BELOW}`;
  };
  return {
    show: async (parts) => {
      if (!output.isTerminal) return;
      // The last column stays free: some terminals wrap when it is written.
      const text = fitParts(parts, output.columns - 1);
      const before = removal();
      drawn = text.length;
      await output.write(`${before}${text}`);
    },
    clear: async () => {
      const before = removal();
      drawn = 0;
      if (before !== '') await output.write(before);
    },
  };
}
