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

interface ReadCell {
  readonly cell: string;
  /** Position of the separator after the cell. */
  readonly end: number;
}

/** Reads the cell that begins at a position. */
function readCell(text: string, start: number): ReadCell {
  const close = text[start] === QUOTE ? closingQuote(text, start) : -1;
  const content = text.slice(start + 1, Math.max(close, start + 1));
  if (close !== -1 && NEEDS_QUOTES.test(content)) return { cell: content.replaceAll('""', QUOTE), end: close + 1 };
  const end = plainEnd(text, start);
  return { cell: text.slice(start, end), end };
}

/**
 * Reads the cells of a spreadsheet from the text of the clipboard: tabs between cells, lines between rows, and cells with either of them in
 * double quotes. The line end after the last row is not a row.
 */
export function readPastedCells(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  // A tab at the end of the text has an empty cell after it.
  let isCellDue = text !== '';
  while (at < text.length || isCellDue) {
    const { cell, end } = readCell(text, at);
    row.push(cell.replaceAll(LINE_END, '\n'));
    isCellDue = text[end] === '\t';
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (isCellDue) continue;
    rows.push(row);
    row = [];
  }
  return rows;
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
