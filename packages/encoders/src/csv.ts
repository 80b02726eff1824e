import type { Format } from './format.ts';
import { type CellStyle, type CsvSeparator, mergeLiterals, type RowPart } from './row-template.ts';

interface CsvOptions {
  readonly bigNumbers: CellStyle['bigNumbers'];
  readonly formulas: CellStyle['formulas'];
  readonly separator?: CsvSeparator | undefined;
  /** A byte order mark before the header, by which Excel recognizes UTF-8. */
  readonly hasByteOrderMark?: boolean | undefined;
}

/** Characters besides the separator that require quotes by RFC 4180 (section 2, rules 6 and 7). */
const CSV_QUOTED = ['"', '\n', '\r'] as const;
const COMMA = ',';
const BYTE_ORDER_MARK = '\ufeff';
/** First characters that make spreadsheets read a string as a formula (OWASP, "CSV Injection"). */
export const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r', '\0'] as const;

/**
 * CSV (RFC 4180) with a header row and `
 * ` after each line. It cannot express a failure, so the transfer of a failed result is cut.
 */
export function createCsvFormat(options: CsvOptions): Format {
  const { formulas, separator = COMMA, hasByteOrderMark = false } = options;
  return {
    head(columns) {
      const names = columns.map((column) => csvText(column.name, formulas, separator)).join(separator);
      return `${hasByteOrderMark ? BYTE_ORDER_MARK : ''}${names}\n`;
    },
    row: (columns) => {
      const parts: RowPart[] = columns.flatMap((_, cell) => [{ literal: cell === 0 ? '' : separator }, { cell }]);
      return {
        separator: '',
        parts: mergeLiterals([...parts, { literal: '\n' }]),
        style: { notation: 'csv', bigNumbers: options.bigNumbers, formulas, separator },
      };
    },
    complete: () => '',
    failed: () => undefined,
  };
}

/** Writes a string as a CSV field. The empty string is `""`, because an empty field is NULL. */
export function csvText(text: string, formulas: CsvOptions['formulas'], separator = COMMA): string {
  const guarded = formulas === 'prefix' && FORMULA_STARTS.some((start) => text.startsWith(start)) ? `'${text}` : text;
  if (guarded === '') return '""';
  const isSpecial = guarded.includes(separator) || CSV_QUOTED.some((character) => guarded.includes(character));
  return isSpecial ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
