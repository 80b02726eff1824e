/** Formats whose rows are text, for browsers: nothing here needs Node.js. */
export { createCsvFormat, csvText } from './csv.ts';
export type { Format } from './format.ts';
export { createJsonFormat } from './json-result.ts';
export { createNdjsonFormat } from './ndjson.ts';
