import { displayWidth } from '../terminal/display-width.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { cellText } from './cell-text.ts';
import type { FormatOptions, TextFormat } from './result-writer.ts';

const RULE_WIDTH = 40;

/** One line per value, whole, under a line with the number of the row. NULL is `NULL`, the empty string nothing. */
export function createVerticalFormat({ nullText = 'NULL', hasColor }: FormatOptions): TextFormat {
  let titles: readonly string[] = [];
  let number = 0;
  const dim = (text: string): string => (hasColor ? `\u001b[2m${text}\u001b[22m` : text);
  const bold = (text: string): string => (hasColor ? `\u001b[1m${text}\u001b[22m` : text);
  const value = (json: string | undefined): string => {
    const text = cellText(json ?? 'null');
    return text === null ? dim(nullText) : visibleLine(text);
  };
  return {
    head: (columns) => {
      const names = columns.map(({ name }) => visibleLine(name));
      const width = Math.max(...names.map(displayWidth));
      titles = names.map((name) => `${bold(name)}${' '.repeat(width - displayWidth(name))} | `);
      return '';
    },
    rows: (rows) =>
      rows
        .map((row) => {
          number += 1;
          const rule = dim(`-[ RECORD ${number} ]`.padEnd(RULE_WIDTH, '-'));
          return `${rule}\n${titles.map((title, index) => `${title}${value(row[index])}`.trimEnd()).join('\n')}\n`;
        })
        .join(''),
    tail: () => '',
  };
}
