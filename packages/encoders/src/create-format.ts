import type { DownloadFormatName } from '@sluice/contract';
import { createCsvFormat } from './csv.ts';
import type { Format } from './format.ts';
import { createJsonFormat } from './json-result.ts';
import { createNdjsonFormat } from './ndjson.ts';
import type { CellStyle, CsvSeparator } from './row-template.ts';
import { createSseFormat, type SseOptions } from './sse.ts';
import { storedRows } from './stored-rows.ts';
import { createSheetFormat } from './xlsx/sheet-format.ts';

/** A Parquet file, which the engine writes completely. Readers reject it without its last bytes, which follow the last row. */
function createParquetFormat(): Format {
  return {
    head: () => '',
    row: (columns) => ({
      separator: '',
      parts: columns.map((_, cell) => ({ cell })),
      style: { notation: 'parquet', bigNumbers: 'number', formulas: 'keep' },
    }),
    complete: () => '',
    failed: () => undefined,
  };
}

/** Rows in the form of kept results with a line feed after each comma, as the pages of Trino's protocol have them. */
const createStoredFormat = (): Format => ({
  head: () => '',
  row: (columns) => ({ ...storedRows(columns), separator: ',\n' }),
  complete: () => '',
  failed: () => undefined,
});

/** Format and options of a result. Plain data, because it is sent to a query worker. */
export interface FormatSpec {
  /** `sse` is the event stream of `POST /query`. `stored` is the form of kept results, a row on each line. `xlsx` is the XML of one worksheet, from which `WorkbookWriter` makes a file. */
  readonly name: 'sse' | 'stored' | DownloadFormatName;
  readonly bigNumbers: CellStyle['bigNumbers'];
  readonly formulas: CellStyle['formulas'];
  readonly progress: SseOptions['progress'];
  /** CSV only. */
  readonly separator?: CsvSeparator | undefined;
  /** CSV only. */
  readonly hasByteOrderMark?: boolean | undefined;
  /** XLSX only. */
  readonly dates?: CellStyle['dates'];
}

export function createFormat(spec: FormatSpec): Format {
  switch (spec.name) {
    case 'sse':
      return createSseFormat(spec);
    case 'stored':
      return createStoredFormat();
    case 'json':
      return createJsonFormat(spec);
    case 'csv':
      return createCsvFormat(spec);
    case 'xlsx':
      return createSheetFormat(spec);
    case 'parquet':
      return createParquetFormat();
    case 'ndjson':
      return createNdjsonFormat(spec);
  }
}
