/** Format of metadata files, without schemas: the API host reads and writes them by it, the console and the command line write them. */
export { readList, readText, writeList, writeText } from './csv-cells.ts';
export { type CsvRecord, CsvRecordSplitter, type CsvRow, FileFault, splitCells } from './csv-record-splitter.ts';
export { FILE_BYTES_MAX, REPORT_MEMBERS } from './file-format.ts';
export { CSV_HEADER, csvRows, quoted, writeObjects } from './write-objects.ts';
