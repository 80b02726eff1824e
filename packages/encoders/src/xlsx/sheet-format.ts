import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import type { Format } from '../format.ts';
import { type CellStyle, mergeLiterals } from '../row-template.ts';
import { ROW_MARK, titleRow, xmlText } from './cell-xml.ts';
import { CELL_CHARACTERS_MAX, SHEET_COLUMNS_MAX } from './sheet-limits.ts';

/**
 * The XML of one worksheet (ECMA-376 part 1, 18.3.1.99). An engine writes its rows; `WorkbookWriter` makes a file of them and numbers
 * them. With `dates: 'marked'`, the engine marks dates and times, and `WorkbookWriter` turns them into date cells. Only the first cell of a
 * row carries a reference; each other cell follows the one before it.
 */
export function createSheetFormat({ dates = 'exact' }: Pick<CellStyle, 'dates'> = {}): Format {
  return {
    head: (columns) => `${SHEET_HEAD}${titleRow(columns)}`,
    row: (columns) => {
      checkSheetColumns(columns);
      return {
        separator: '',
        parts: mergeLiterals([{ literal: ROW_MARK }, ...columns.map((_, cell) => ({ cell })), { literal: '</row>' }]),
        style: { notation: 'xlsx', bigNumbers: 'number', formulas: 'keep', dates },
      };
    },
    complete: () => SHEET_END,
    failed: () => undefined,
  };
}

/** Freezes the first row, so that it stays visible while the others scroll. */
const SHEET_HEAD =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  '<sheetData>';
export const SHEET_END = '</sheetData></worksheet>';

/** Throws `resource_limit` for columns that a worksheet cannot hold. Call it before the first byte of a file. */
export function checkSheetColumns(columns: readonly Column[]): void {
  if (columns.length > SHEET_COLUMNS_MAX) {
    throw new ProblemError(
      'resource_limit',
      `The result has ${columns.length} columns, but a worksheet has at most ${SHEET_COLUMNS_MAX}. Select fewer columns, or download CSV, NDJSON or JSON.`,
    );
  }
  const long = columns.findIndex(({ name }) => xmlText(name).length > CELL_CHARACTERS_MAX);
  if (long !== -1) {
    throw new ProblemError(
      'resource_limit',
      `The name of column ${long + 1} is too long: a cell of a worksheet holds at most ${CELL_CHARACTERS_MAX} characters. Rename it with AS.`,
    );
  }
}
