import { cellText } from './cell-text.ts';
import type { FormatOptions, TextFormat } from './result-writer.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Tab-separated values as COPY of PostgreSQL writes them: NULL is `\N`; tabs, line ends and backslashes are escaped. */
export function createTsvFormat({ nullText = '\\N' }: FormatOptions): TextFormat {
  const escapeCell = (text: string): string => text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '');
  const cell = (json: string): string => {
    const text = cellText(json);
    return text === null ? nullText : escapeCell(text);
  };
  return {
    head: (columns) => `${columns.map(({ name }) => escapeCell(name)).join('\t')}\n`,
    rows: (rows) => rows.map((row) => `${row.map(cell).join('\t')}\n`).join(''),
    tail: () => '',
  };
}
