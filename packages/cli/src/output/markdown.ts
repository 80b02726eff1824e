import { visibleLine } from '../terminal/visible-text.ts';
import { cellText, isNumeric } from './cell-text.ts';
import type { FormatOptions, TextFormat } from './result-writer.ts';

/** Characters with a meaning in the text of a table cell (CommonMark, GitHub's tables). */
const SPECIAL = /[\\`*_[\]<>|~&$]/g;

/** Text that renders as itself. Line ends become `<br>`. */
const escapeText = (text: string): string =>
  text
    .split(/\r\n|\n/)
    .map((line) => visibleLine(line.replace(SPECIAL, '\\$&')))
    .join('<br>');

/** A table of GitHub Flavored Markdown. NULL is `*NULL*`, which no string can be: its asterisks would be escaped. */
export function createMarkdownFormat({ nullText = '*NULL*' }: FormatOptions): TextFormat {
  const cell = (json: string): string => {
    const text = cellText(json);
    return text === null ? nullText : escapeText(text);
  };
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return {
    head: (columns) =>
      line(columns.map(({ name }) => escapeText(name))) +
      line(columns.map((column) => (isNumeric(column) ? '---:' : '---'))),
    rows: (rows) => rows.map((row) => line(row.map(cell))).join(''),
    tail: () => '',
  };
}
