/** Format of metadata files, without schemas: the API host reads and writes them by it, the console and the command line write them. */
export { readList, readText, writeList, writeText } from './csv-cells.ts';
export { type CsvRecord, CsvRecordSplitter, type CsvRow } from './csv-record-splitter.ts';
export { FileFault } from './file-fault.ts';
export { splitCells } from './split-cells.ts';
