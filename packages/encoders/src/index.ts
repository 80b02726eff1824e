export { contentDisposition } from './content-disposition.ts';
export { createFormat, type FormatSpec } from './create-format.ts';
export { csvText, FORMULA_STARTS } from './csv.ts';
export type { Format } from './format.ts';
export { HEARTBEAT, orHeartbeat } from './heartbeat.ts';
export { BodyMeter } from './receipt.ts';
export { RowNumbers } from './row-numbers.ts';
export type { CellStyle, CsvSeparator, RowPart, RowTemplate } from './row-template.ts';
export { SSE_HEARTBEAT, sseEvent, ssePosition, withSseHeartbeat } from './server-sent-events.ts';
export { sseProgress, sseStoredEnd, sseStoredError, sseStoredHead } from './sse.ts';
export { storedRows } from './stored-rows.ts';
export { TRINO_ROW_SEPARATOR } from './trino-rows.ts';
export { uniqueColumns } from './unique-columns.ts';
export { isQuotedNumber, mayExceedDouble } from './value-text.ts';
export {
  BOOLEAN_CELL,
  DATE_CELL,
  DATE_MARK,
  DATE_TIME_CELL,
  EMPTY_CELL,
  LONG_STRING,
  NUMBER_CELL,
  TEXT_CELL,
  xmlText,
} from './xlsx/cell-xml.ts';
export type { RowsChunk } from './xlsx/rows-chunk.ts';
export { checkSheetColumns } from './xlsx/sheet-format.ts';
export {
  CELL_CHARACTERS_MAX,
  EPOCH_SERIAL,
  EXACT_DIGITS_MAX,
  EXACT_INTEGER_MAX,
  FIRST_SERIAL_DAY,
  LAST_SERIAL_DAY,
} from './xlsx/sheet-limits.ts';
export { openNameless } from './xlsx/spool.ts';
export { type WorkbookResult, WorkbookWriter } from './xlsx/workbook-writer.ts';
export { entryNames } from './zip/entry-names.ts';
export { textSource, type ZipCompression, ZipWriter } from './zip/zip-writer.ts';
