import type { Format } from './format.ts';
import { type CellStyle, mergeLiterals, type RowPart } from './row-template.ts';

export interface CsvOptions {
  readonly bigNumbers: CellStyle['bigNumbers'];
  readonly formulas: CellStyle['formulas'];
}

/** Characters that make RFC 4180 (section 2, rules 6 and 7) ask for quotes; decisions of ours: `,` and `\n`. */
export const CSV_QUOTED = [',', '"', '\n', '\r'] as const;
/** First characters that spreadsheets take for a formula (OWASP, "CSV Injection"). */
export const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\0'] as const;

/** RFC 4180, `\n` after each line, a header row. It cannot say that it failed, so a failed one is cut. */
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

/** A text as a CSV field. The empty string is `""`, because an empty field is NULL. */
export function csvText(text: string, formulas: CsvOptions['formulas']): string {
  const guarded = formulas === 'prefix' && FORMULA_STARTS.some((start) => text.startsWith(start)) ? `'${text}` : text;
  if (guarded === '') return '""';
  return CSV_QUOTED.some((character) => guarded.includes(character)) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
