/** Format of metadata files: rows, lines and objects. The API host reads files by it, and the console checks them before it sends any. */
export { checkObject, keyText } from './check-object.ts';
export { writeList, writeText } from './csv-cells.ts';
export { CsvObjects, readHeader } from './csv-objects.ts';
export { type CsvRecord, CsvRecordSplitter, type CsvRow } from './csv-record-splitter.ts';
export { FileFault } from './file-fault.ts';
export { FILE_BYTES_MAX, FILE_OBJECTS_MAX } from './file-format.ts';
export { JsonSplitter } from './json-splitter.ts';
export type { RawObject } from './raw-object.ts';
export { readLines } from './read-lines.ts';
export { splitCells } from './split-cells.ts';
