/** Cells as the row template, the engines and the sheets of our own write them (ECMA-376 part 1, 18.3.1.4). No formula is ever written. */
/** With a style of its own, since exceljs passes over a cell that has neither value, style nor reference, and moves those behind it. */
export const EMPTY_CELL = '<c s="5"/>';
export const NUMBER_CELL = { open: '<c><v>', close: '</v></c>' } as const;
export const BOOLEAN_CELL = { open: '<c t="b"><v>', close: '</v></c>' } as const;
export const DATE_CELL = { open: '<c s="1"><v>', close: '</v></c>' } as const;
export const MOMENT_CELL = { open: '<c s="2"><v>', close: '</v></c>' } as const;
/** Of the format Text, so that a spreadsheet takes it for no formula when it is edited, either. `openKept`: for texts with white space, which would be trimmed. */
export const TEXT_CELL = {
  open: '<c s="4" t="inlineStr"><is><t>',
  openKept: '<c s="4" t="inlineStr"><is><t xml:space="preserve">',
  close: '</t></is></c>',
} as const;

/**
 * Stand around a text that may be too long for a cell, in rows on their way from the engine. XML allows neither of them, so they
 * are nothing else; whoever writes the sheet takes them away (`shorten-cells.ts`).
 */
export const LONG_TEXT = { open: '\u0001', close: '\u0002' } as const;

/** Stands for the opening of a row that is yet to get its number (`number-rows.ts`); a cell follows. XML does not allow it either. */
export const ROW_MARK = '\u0003';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const SPECIAL = /[\u0000-\u001f&<>\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPED_LOOK = /_x[0-9A-Fa-f]{4}_/;

/**
 * A text as XML. What XML 1.0 cannot hold is written as `_xHHHH_` (ECMA-376 part 1, 22.9.2.19), and a text that looks so by
 * itself has its underscores escaped; a carriage return would be read as a line feed, so it is a reference.
 */
export function xmlText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return (ESCAPED_LOOK.test(text) ? text.replaceAll('_x', '_x005F_x') : text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(NO_XML, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}

/** In an attribute, where line breaks and tabs would become spaces. */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

export const textCell = (text: string): string => `${TEXT_CELL.openKept}${xmlText(text)}${TEXT_CELL.close}`;

/** The first row of a sheet. */
export const titleRow = (columns: readonly { readonly name: string }[]): string =>
  `<row r="1">${columns.map(({ name }, index) => titleCell(name, index)).join('')}</row>`;

const titleCell = (text: string, index: number): string =>
  `<c${index === 0 ? ' r="A1"' : ''} s="3" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}${TEXT_CELL.close}`;

export const numberCell = (value: number): string => `${NUMBER_CELL.open}${value}${NUMBER_CELL.close}`;
export const momentCell = (moment: Date): string =>
  `${MOMENT_CELL.open}${moment.getTime() / 86_400_000 + 25_569}${MOMENT_CELL.close}`;
export const markedRow = (...cells: readonly string[]): string => `${ROW_MARK}${cells.join('')}</row>`;
