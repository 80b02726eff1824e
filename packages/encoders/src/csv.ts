import type { Format } from './format.ts';
import { type CellStyle, mergeLiterals, type RowPart } from './row-template.ts';

interface CsvOptions {
  readonly bigNumbers: CellStyle['bigNumbers'];
  readonly formulas: CellStyle['formulas'];
}

/**
 * Characters that require quotes by RFC 4180 (section 2, rules 6 and 7). The separators are our choice: `,` and `
 * `.
 */
const CSV_QUOTED = [',', '"', '\n', '\r'] as const;
/** First characters that make spreadsheets read a string as a formula (OWASP, "CSV Injection"). */
export const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\0'] as const;

/**
 * CSV (RFC 4180) with a header row and `
 * ` after each line. It cannot express a failure, so the transfer of a failed result is cut.
 */
export function createCsvFormat(options: CsvOptions): Format {
  return {
    head: (columns) => `${columns.map((column) => csvText(column.name, options.formulas)).join(',')}\n`,
    row: (columns) => {
      const parts: RowPart[] = columns.flatMap((_, cell) => [{ literal: cell === 0 ? '' : ',' }, { cell }]);
      return {
        separator: '',
        parts: mergeLiterals([...parts, { literal: '\n' }]),
        style: { notation: 'csv', bigNumbers: options.bigNumbers, formulas: options.formulas },
      };
    },
    complete: () => '',
    failed: () => undefined,
  };
}

/** Writes a string as a CSV field. The empty string is `""`, because an empty field is NULL. */
export function csvText(text: string, formulas: CsvOptions['formulas']): string {
  const guarded = formulas === 'prefix' && FORMULA_STARTS.some((start) => text.startsWith(start)) ? `'${text}` : text;
  if (guarded === '') return '""';
  return CSV_QUOTED.some((character) => guarded.includes(character)) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
