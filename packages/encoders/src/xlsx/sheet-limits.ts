/** Limits of a worksheet ("Excel specifications and limits"). */
export const SHEET_ROWS_MAX = 1_048_576;
export const SHEET_COLUMNS_MAX = 16_384;
/** UTF-16 code units. */
export const CELL_CHARACTERS_MAX = 32_767;

/** Digits of a decimal that a spreadsheet keeps. */
export const EXACT_DIGITS_MAX = 15;
/** Whole numbers up to this bound are exact doubles. */
export const EXACT_INTEGER_MAX = 2 ** 53;

/** First day that every reader maps to the same number: before it, spreadsheets count a 29 February 1900 that did not exist. */
export const FIRST_SERIAL_DAY = '1900-03-01';
export const LAST_SERIAL_DAY = '9999-12-31';
/** Serial number of 1970-01-01, in days. */
export const EPOCH_SERIAL = 25_569;
