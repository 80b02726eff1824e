/** Character between two fields of a CSV. */
export type CsvSeparator = ',' | ';' | '\t' | '|';

/** Notation of cell values. */
export interface CellStyle {
  /**
   * `json`: a JSON value. `csv`: a field of RFC 4180, quoted where needed. `xlsx`: a cell element of a worksheet. `parquet`: no
   * text, because the engine writes the whole file.
   */
  readonly notation: 'json' | 'csv' | 'xlsx' | 'parquet';
  /** `string`: every value of a column that may exceed a double is a JSON string. */
  readonly bigNumbers: 'number' | 'string';
  /** `prefix`: a string that a spreadsheet would run as a formula gets a leading apostrophe. */
  readonly formulas: 'keep' | 'prefix';
  /** Character between the fields of a CSV, one byte. A field that contains it is quoted. Default: a comma. */
  readonly separator?: CsvSeparator | undefined;
  /**
   * Worksheets only. `exact`: a date or timestamp is a date cell if that loses nothing, otherwise text. `marked`: dates, times and
   * timestamps are text between marks, which the writer of the workbook turns into date cells. Default: `exact`.
   */
  readonly dates?: 'exact' | 'marked' | undefined;
  /**
   * JSON only. `clients`: values as docs/values.md lists them. `trino`: values as in the pages of Trino's protocol, from which every format
   * can be written later: decimals are strings, and nested rows are lists. Default: `clients`.
   */
  readonly valueForms?: 'clients' | 'trino' | undefined;
  /**
   * Forms of Trino only. `milliseconds`: times and timestamps have exactly three digits of seconds, and the rest is cut, as Trino does for
   * clients that know no other precision. Default: the digits of their types. Only rows of kept results can be written so.
   */
  readonly times?: 'exact' | 'milliseconds' | undefined;
}

/** A literal, or the index of the column whose cell is inserted. */
export type RowPart = { readonly literal: string } | { readonly cell: number };

/**
 * Layout of one row, made once per result from its columns. Two interpreters turn it into bytes: for DuckDB a WebAssembly
 * module writes the values of column vectors; for Trino it, or a scanner, copies cells from the raw pages.
 */
export interface RowTemplate {
  /** Written between two rows, never before the first or after the last. */
  readonly separator: string;
  readonly parts: readonly RowPart[];
  readonly style: CellStyle;
}

/** Joins neighbouring literals, so that an interpreter writes each run of fixed bytes once. */
export function mergeLiterals(parts: readonly RowPart[]): readonly RowPart[] {
  const merged: RowPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if ('literal' in part && last !== undefined && 'literal' in last) {
      merged[merged.length - 1] = { literal: last.literal + part.literal };
    } else if (!('literal' in part) || part.literal !== '') merged.push(part);
  }
  return merged;
}
