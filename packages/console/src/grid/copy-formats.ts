import { fullText } from '../result/cell-text.ts';
import { columnKind } from '../result/column-kind.ts';
import { holdsWholeResult, type ResultView } from '../result/result-view.ts';
import { cellCount, type SelectedRange } from './grid-selection.ts';

export type CopyFormat = 'tsv' | 'csv' | 'json' | 'markdown';
export const COPY_FORMATS: readonly CopyFormat[] = ['tsv', 'csv', 'json', 'markdown'];

/** Characters of a copy, at most. A larger one would stall the page and the program that it is pasted into. */
const COPY_CHARACTERS_MAX = 64 * 1024 * 1024;

/** Cells to copy. */
interface CopyInput {
  readonly view: ResultView;
  /** Index in the view of each row that is shown, in its order. Undefined: all rows in the order of their arrival. */
  readonly order: Uint32Array | undefined;
  readonly range: SelectedRange;
  /** Sentence that ends the copy of a result that is not whole. */
  readonly incompleteNote: string;
}

/** A copy that is larger than COPY_CHARACTERS_MAX. */
export class CopyTooLargeError extends Error {
  constructor() {
    super('The selection is too large to copy.');
    this.name = 'CopyTooLargeError';
  }
}

/** Writer of a text format, part by part. `json` is the text of each value as the host sent it. */
interface CopyWriter {
  head(names: readonly string[], types: readonly string[]): string;
  row(json: readonly string[], index: number): string;
  tail(rows: number): string;
  note(text: string): string;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
const comment = (mark: string) => (text: string) => `${mark} ${oneLine(text)}\n`;

/** Quotes as RFC 4180 does. NULL is nothing at all, and the empty string is `""`, as in the downloads. */
function delimited(separator: string, special: RegExp): (json: readonly string[]) => string {
  const field = (json: string) => {
    if (json === 'null') return '';
    return quoted(fullText(json));
  };
  const quoted = (text: string) => (text === '' || special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return (json) => `${json.map(field).join(separator)}\n`;
}

function createDelimitedWriter(separator: string, special: RegExp): CopyWriter {
  const line = delimited(separator, special);
  return {
    head: (names) => line(names.map((name) => JSON.stringify(name))),
    row: line,
    tail: () => '',
    note: comment('#'),
  };
}

/** An array of objects with the JSON of the host unchanged, so that numbers keep all their digits. */
function createJsonWriter(): CopyWriter {
  let names: string[] = [];
  return {
    head: (given) => {
      names = given.map((name) => JSON.stringify(name));
      return '[';
    },
    row: (json, index) =>
      `${index === 0 ? '\n' : ',\n'}  {${json.map((value, column) => `${names[column]}: ${value}`).join(', ')}}`,
    tail: (rows) => (rows === 0 ? ']\n' : '\n]\n'),
    // A parser fails at this line, as it should: the rows are not all.
    note: comment('//'),
  };
}

/** Escapes what Markdown or its HTML would take for markup. */
const markdownText = (text: string): string =>
  text
    .replace(/[\\|`*_[\]<>&#~]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, '<br>')
    .replaceAll('\t', ' ');

function createMarkdownWriter(): CopyWriter {
  const cell = (json: string) => (json === 'null' ? '*NULL*' : markdownText(fullText(json)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return {
    head: (names, types) =>
      line(names.map(markdownText)) + line(types.map((type) => (columnKind(type) === 'number' ? '---:' : '---'))),
    row: (json) => line(json.map(cell)),
    tail: () => '',
    note: (text) => `\n**${markdownText(oneLine(text))}**\n`,
  };
}

const WRITERS: Readonly<Record<CopyFormat, () => CopyWriter>> = {
  tsv: () => createDelimitedWriter('\t', /["\t\r\n]|^\s|\s$/),
  csv: () => createDelimitedWriter(',', /[",\r\n]|^\s|\s$/),
  json: createJsonWriter,
  markdown: createMarkdownWriter,
};

/** Rows between two calls of `pause`. */
const SLICE_ROWS = 256;

/**
 * Returns the text of a range in a format. It ends with a line that says so if the result is not whole; the value of a single cell is
 * copied alone, because it is whole.
 * @param pause - called between pieces of work, as in orderRows
 * @throws CopyTooLargeError
 */
export async function copyText(
  input: CopyInput,
  format: CopyFormat,
  pause: () => Promise<void> | undefined,
): Promise<string> {
  const { view, order, range, incompleteNote } = input;
  const rowAt = (index: number) => (order === undefined ? index : (order[index] as number));
  if (cellCount(range) === 1) return singleValue(view.cell(rowAt(range.firstRow), range.firstColumn), format);
  const writer = WRITERS[format]();
  const columns = view.columns.slice(range.firstColumn, range.lastColumn);
  const head = writer.head(
    columns.map(({ name }) => name),
    columns.map(({ type }) => type),
  );
  const parts = [head];
  let characters = head.length;
  for (let index = range.firstRow; index < range.lastRow; index += 1) {
    if (index % SLICE_ROWS === 0) await pause();
    const json = columns.map((_column, offset) => view.cell(rowAt(index), range.firstColumn + offset));
    const line = writer.row(json, index - range.firstRow);
    characters += line.length;
    if (characters > COPY_CHARACTERS_MAX) throw new CopyTooLargeError();
    parts.push(line);
  }
  parts.push(writer.tail(range.lastRow - range.firstRow));
  if (!holdsWholeResult(view)) parts.push(writer.note(incompleteNote));
  return parts.join('');
}

function singleValue(json: string, format: CopyFormat): string {
  if (format === 'json') return json;
  return json === 'null' ? '' : fullText(json);
}
