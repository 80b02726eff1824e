import { cellText } from './cell-text.ts';
import type { FormatOptions, TextFormat } from './result-writer.ts';

const NEEDS_QUOTES = /[",\n\r]/;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * CSV as RFC 4180 has it, with line feeds, as the host writes it: the empty string is `""`, NULL is nothing. With another string for NULL, a
 * string of that text is quoted.
 */
export function createCsvFormat({ nullText = '' }: FormatOptions): TextFormat {
  const cell = (json: string): string => {
    const text = cellText(json);
    if (text === null) return nullText;
    // Only a string can be empty or equal the text of NULL.
    return text === '' || NEEDS_QUOTES.test(text) || (text === nullText && json.startsWith('"')) ? quote(text) : text;
  };
  const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\n`;
  return {
    head: (columns) => line(columns.map(({ name }) => JSON.stringify(name))),
    rows: (rows) => rows.map(line).join(''),
    tail: () => '',
  };
}
