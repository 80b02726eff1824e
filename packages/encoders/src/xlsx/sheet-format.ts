import { type Column, ProblemError } from '@sluice/contract';
import type { Format } from '../format.ts';
import { mergeLiterals } from '../row-template.ts';
import { ROW_MARK, titleRow, xmlText } from './cell-xml.ts';
import { CELL_CHARACTERS_MAX, SHEET_COLUMNS_MAX } from './sheet-limits.ts';

/**
 * One worksheet's XML (ECMA-376 part 1, 18.3.1.99), of which an engine writes the rows; `writeWorkbook` makes a file of it. Rows get
 * their numbers there; of the cells only the first carries its place, each other stands behind the one before it.
 */
export function createSheetFormat(): Format {
  return {
    head: (columns) => `${SHEET_HEAD}${titleRow(columns)}`,
    row: (columns) => {
      checkSheetColumns(columns);
      return {
        separator: '',
        parts: mergeLiterals([{ literal: ROW_MARK }, ...columns.map((_, cell) => ({ cell })), { literal: '</row>' }]),
        style: { notation: 'xlsx', bigNumbers: 'number', formulas: 'keep' },
      };
    },
    complete: () => SHEET_END,
    failed: () => undefined,
  };
}

/** The first row stays in sight while the others are scrolled. */
const SHEET_HEAD =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  '<sheetData>';
export const SHEET_END = '</sheetData></worksheet>';

/** Throws `resource_limit` for columns that no worksheet holds. To be asked before the first byte of a file. */
export function checkSheetColumns(columns: readonly Column[]): void {
  if (columns.length > SHEET_COLUMNS_MAX) {
    throw new ProblemError(
      'resource_limit',
      `The result has ${columns.length} columns, and a worksheet has at most ${SHEET_COLUMNS_MAX}. Select fewer, or take CSV or JSON.`,
    );
  }
  const long = columns.findIndex(({ name }) => xmlText(name).length > CELL_CHARACTERS_MAX);
  if (long !== -1) {
    throw new ProblemError(
      'resource_limit',
      `The name of column ${long + 1} is longer than the ${CELL_CHARACTERS_MAX} characters that a cell of a worksheet holds.`,
    );
  }
}
