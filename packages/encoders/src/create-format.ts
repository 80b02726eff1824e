import { createCsvFormat } from './csv.ts';
import type { Format } from './format.ts';
import { createJsonFormat } from './json-result.ts';
import { createParquetFormat } from './parquet-format.ts';
import type { CellStyle } from './row-template.ts';
import { createSseFormat, type SseOptions } from './sse.ts';
import { createSheetFormat } from './xlsx/sheet-format.ts';

/** Everything that says how a result is written; plain data, so that it can cross to a query worker. */
export interface FormatSpec {
  /** `xlsx`: one worksheet's XML, of which a WorkbookWriter makes a file. `parquet`: a file that the engine makes itself. */
  readonly name: 'sse' | 'json' | 'csv' | 'xlsx' | 'parquet';
  readonly bigNumbers: CellStyle['bigNumbers'];
  readonly formulas: CellStyle['formulas'];
  readonly progress: SseOptions['progress'];
}

export function createFormat(spec: FormatSpec): Format {
  switch (spec.name) {
    case 'sse':
      return createSseFormat(spec);
    case 'json':
      return createJsonFormat(spec);
    case 'csv':
      return createCsvFormat(spec);
    case 'xlsx':
      return createSheetFormat();
    case 'parquet':
      return createParquetFormat();
  }
}
