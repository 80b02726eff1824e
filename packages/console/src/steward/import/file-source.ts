/** Formats of a file of metadata. */
export const IMPORT_FORMATS = ['csv', 'json', 'ndjson', 'yaml'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A violation in a file. `path` names the line, or the whole file. */
export interface FileViolation {
  readonly path: string;
  readonly message: string;
}

/** A file or pasted text. */
export interface FileSource {
  readonly name: string;
  readonly format: ImportFormat;
  readonly content: Blob;
}

const EXTENSIONS: ReadonlyMap<string, ImportFormat> = new Map([
  ['csv', 'csv'],
  ['json', 'json'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
]);

/** Returns the format that the name of a file says, or undefined. */
export const formatOfName = (name: string): ImportFormat | undefined =>
  EXTENSIONS.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');

/** Returns the most likely format of a file. */
export function formatOfText(text: string): ImportFormat {
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('{')) return /^\{\s*"(?:metadata_objects|dry_run)"/.test(start) ? 'json' : 'ndjson';
  return /^(?:---|#|metadata_objects:|- )/.test(start) ? 'yaml' : 'csv';
}
