import type { Column, RowText } from '@sluice/client';
import { visibleLine, visibleText } from '@sluice/contract/visible-text';
import { displayWidth } from '../terminal/display-width.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Output } from '../terminal/terminal.ts';
import { cellText, isNumeric } from './cell-text.ts';
import type { ResultFormat } from './format-names.ts';
import { createTextWriter, type FormatOptions, type ResultWriter, type TextFormat } from './result-writer.ts';
import { createTableWriter } from './table.ts';

/** Returns a function that writes a row as a JSON object, with every value exactly as the host sent it. */
function createObjectPrinter(columns: readonly Column[]): (row: RowText) => string {
  const names = columns.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  return (row) => {
    let text = '{';
    for (let index = 0; index < names.length; index += 1) text += `${names[index]}${row[index]}`;
    return `${text}}`;
  };
}

/** One JSON object a line, without a title line. */
function createNdjsonFormat(): TextFormat {
  let print = createObjectPrinter([]);
  return {
    head: (columns) => {
      print = createObjectPrinter(columns);
      return '';
    },
    rows: (rows) => rows.map((row) => `${print(row)}\n`).join(''),
    tail: () => '',
  };
}

/** One JSON array with an object a line. Its closing bracket is the proof that it is complete: a parser rejects a cut result. */
function createJsonFormat(): TextFormat {
  let print = createObjectPrinter([]);
  let separator = '\n';
  return {
    head: (columns) => {
      print = createObjectPrinter(columns);
      return '[';
    },
    rows: (rows) => {
      if (rows.length === 0) return '';
      const text = `${separator}${rows.map(print).join(',\n')}`;
      separator = ',\n';
      return text;
    },
    tail: () => (separator === '\n' ? ']\n' : '\n]\n'),
  };
}

const NEEDS_QUOTES = /[",\n\r]/;

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/**
 * CSV as RFC 4180 has it, with line feeds, as the host writes it: the empty string is `""`, NULL is nothing. With another string for NULL, a
 * string of that text is quoted.
 */
function createCsvFormat({ nullText = '' }: FormatOptions): TextFormat {
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

/** Characters with a meaning in the text of a table cell (CommonMark, GitHub's tables). */
const SPECIAL = /[\\`*_[\]<>|~&$]/g;

/** Text that renders as itself. Line ends become `<br>`. */
const escapeText = (text: string): string =>
  text
    .split(/\r\n|\n/)
    .map((line) => visibleLine(line.replace(SPECIAL, '\\$&')))
    .join('<br>');

/** A table of GitHub Flavored Markdown. NULL is `*NULL*`, which no string can be: its asterisks would be escaped. */
function createMarkdownFormat({ nullText = '*NULL*' }: FormatOptions): TextFormat {
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

const RULE_WIDTH = 40;

/** One line per value, whole, under a line with the number of the row. NULL is `NULL`, the empty string nothing. */
function createVerticalFormat({ nullText = 'NULL', hasColor }: FormatOptions): TextFormat {
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

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Tab-separated values as COPY of PostgreSQL writes them: NULL is `\N`; tabs, line ends and backslashes are escaped. */
function createTsvFormat({ nullText = '\\N' }: FormatOptions): TextFormat {
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

/** Formats besides `table`. */
const TEXT_FORMATS: Readonly<Record<Exclude<ResultFormat, 'table'>, (options: FormatOptions) => TextFormat>> = {
  vertical: createVerticalFormat,
  csv: createCsvFormat,
  tsv: createTsvFormat,
  json: createJsonFormat,
  ndjson: createNdjsonFormat,
  markdown: createMarkdownFormat,
};

export interface WriterOptions {
  readonly format: ResultFormat;
  readonly nullText: string | undefined;
  readonly cellWidthMax: number;
}

/** Creates the writer of a format. Tables and records use the screen, with its pager; other formats go to the output as they are. */
export function createResultWriter(
  { format, nullText, cellWidthMax }: WriterOptions,
  output: Output,
  screen: Screen,
): ResultWriter {
  const options = { nullText, hasColor: output.hasColor };
  if (format === 'table') return createTableWriter(screen, { ...options, cellWidthMax });
  const textFormat = TEXT_FORMATS[format](options);
  if (format === 'vertical') return createTextWriter(textFormat, screen.write);
  // A terminal would execute control characters; a pipe gets the data as they are.
  const write = output.isTerminal ? (text: string) => screen.show(visibleText(text)) : screen.show;
  return createTextWriter(textFormat, write);
}
