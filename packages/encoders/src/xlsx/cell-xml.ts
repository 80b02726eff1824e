// Cells as the row template, the engines and our own sheets write them (ECMA-376 part 1, 18.3.1.4). No formula is ever written.

/** An empty cell needs a style: exceljs skips a cell that has neither value, style nor reference, and shifts the cells after it. */
export const EMPTY_CELL = '<c s="5"/>';
export const NUMBER_CELL = { open: '<c><v>', close: '</v></c>' } as const;
export const BOOLEAN_CELL = { open: '<c t="b"><v>', close: '</v></c>' } as const;
export const DATE_CELL = { open: '<c s="1"><v>', close: '</v></c>' } as const;
export const DATE_TIME_CELL = { open: '<c s="2"><v>', close: '</v></c>' } as const;
export const TIME_CELL = { open: '<c s="6"><v>', close: '</v></c>' } as const;
/**
 * Has the format Text, so that a spreadsheet does not read it as a formula after an edit either. `openPreserved`: for strings with white
 * space, which readers would trim.
 */
export const TEXT_CELL = {
  open: '<c s="4" t="inlineStr"><is><t>',
  openPreserved: '<c s="4" t="inlineStr"><is><t xml:space="preserve">',
  close: '</t></is></c>',
} as const;

/**
 * Delimiters of a string that may be too long for a cell, in rows from the engine. XML allows neither character, so neither occurs
 * elsewhere. `shorten-cells.ts` removes them.
 */
export const LONG_STRING = { open: '\u0001', close: '\u0002' } as const;

/**
 * Placeholder for the start of a row that has no number yet (`number-rows.ts`); a cell follows. XML does not allow this character
 * either.
 */
export const ROW_MARK = '\u0003';

/**
 * Delimiters of a date, time or timestamp as text, in rows from the engine, for a workbook whose dates may be rounded. `date-cells.ts`
 * replaces them.
 */
export const DATE_MARK = { open: '<c\u0004', close: '\u0005' } as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const SPECIAL = /[\u0000-\u001f&<>\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const INVALID_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const LOOKS_ESCAPED = /_x[0-9A-Fa-f]{4}_/;

/**
 * Writes a string as XML. What XML 1.0 cannot contain is written as `_xHHHH_` (ECMA-376 part 1, 22.9.2.19), and a string that already
 * looks like that has its underscores escaped. A carriage return is a reference, because XML readers turn it into a line feed.
 */
export function xmlText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return (LOOKS_ESCAPED.test(text) ? text.replaceAll('_x', '_x005F_x') : text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(INVALID_XML, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** Writes a string as an attribute value, where line breaks and tabs would become spaces. */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

export const textCell = (text: string): string => `${TEXT_CELL.openPreserved}${xmlText(text)}${TEXT_CELL.close}`;

/** Returns the first row of a sheet. */
export const titleRow = (columns: readonly { readonly name: string }[]): string =>
  `<row r="1">${columns.map(({ name }, index) => titleCell(name, index)).join('')}</row>`;

const titleCell = (text: string, index: number): string =>
  `<c${index === 0 ? ' r="A1"' : ''} s="3" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}${TEXT_CELL.close}`;

export const numberCell = (value: number): string => `${NUMBER_CELL.open}${value}${NUMBER_CELL.close}`;
export const dateTimeCell = (date: Date): string =>
  `${DATE_TIME_CELL.open}${date.getTime() / 86_400_000 + 25_569}${DATE_TIME_CELL.close}`;
export const markedRow = (...cells: readonly string[]): string => `${ROW_MARK}${cells.join('')}</row>`;
