/** Formats of a printed result, in the order of help. */
export const RESULT_FORMATS = ['table', 'vertical', 'csv', 'tsv', 'json', 'ndjson', 'markdown'] as const;

export type ResultFormat = (typeof RESULT_FORMATS)[number];
