const QUOTE = '"';
const LINE_END = /\r\n|\r|\n/g;
/** Content that makes a spreadsheet write a cell in quotes. Without it, quotes around a cell are part of the cell. */
const NEEDS_QUOTES = /[\t\r\n]|""/;

/** Returns the position of the quote that ends a cell which begins at `start`, or -1 if the cell is not in quotes. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf(QUOTE, start + 1);
  while (at !== -1 && text[at + 1] === QUOTE) at = text.indexOf(QUOTE, at + 2);
  if (at === -1) return -1;
  const next = text[at + 1];
  return next === undefined || next === '\t' || next === '\r' || next === '\n' ? at : -1;
}

/** Returns the first position from `start` on that ends a cell without quotes. */
function plainEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '\t' && text[end] !== '\r' && text[end] !== '\n') end += 1;
  return end;
}

/**
 * Reads the cells of a spreadsheet from the text of the clipboard: tabs between cells, lines between rows, and cells with either of them in
 * double quotes. The line end after the last row is not a row.
 */
export function readPastedCells(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const close = text[at] === QUOTE ? closingQuote(text, at) : -1;
    const content = close === -1 ? '' : text.slice(at + 1, close);
    const isQuoted = close !== -1 && NEEDS_QUOTES.test(content);
    const end = isQuoted ? close + 1 : plainEnd(text, at);
    const cell = isQuoted ? content.replaceAll('""', QUOTE) : text.slice(at, end);
    rows.at(-1)?.push(cell.replaceAll(LINE_END, '\n'));
    if (end >= text.length) return rows;
    const isRowEnd = text[end] !== '\t';
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (at >= text.length) {
      // A tab before the end of the text has an empty cell after it.
      if (!isRowEnd) rows.at(-1)?.push('');
      return rows;
    }
    if (isRowEnd) rows.push([]);
  }
  return text === '' ? [] : rows;
}

/** Writes cells as a spreadsheet does. */
export const writePastedCells = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) =>
      cells
        .map((cell) =>
          /[\t\r\n]/.test(cell) || (cell.startsWith(QUOTE) && cell.endsWith(QUOTE))
            ? `"${cell.replaceAll(QUOTE, '""')}"`
            : cell,
        )
        .join('\t'),
    )
    .join('\n');
