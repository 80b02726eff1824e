/** Formats of a file of metadata. YAML is sent as NDJSON. */
export const IMPORT_FORMATS = ['csv', 'json', 'ndjson', 'yaml'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A mistake in a file. `path` names the line, or the whole file. */
export interface FileMistake {
  readonly path: string;
  readonly message: string;
}

/** A file that the host will most likely accept: it checks the file again. */
export interface ValidFile {
  readonly name: string;
  /** Format of `body`. Its line numbers are those of the file. */
  readonly format: Exclude<ImportFormat, 'yaml'>;
  readonly body: Blob;
  readonly objects: number;
  /** The file as the user has it. */
  readonly source: FileSource;
}

/** Outcome of a check in the browser: the file to send, or its mistakes. */
export type CheckedFile =
  | { readonly file: ValidFile; readonly mistakes?: undefined }
  | { readonly file?: undefined; readonly mistakes: readonly FileMistake[] };

/** A file or pasted text, before it is checked. */
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
