import { createSha256, type DownloadFormat } from '@sluice/client';
import {
  createCsvFormat,
  createJsonFormat,
  createNdjsonFormat,
  csvText,
  type Format,
} from '@sluice/encoders/text-formats';
import { fullText } from '../result/cell-text.ts';
import { columnKind } from '../result/column-kind.ts';
import { holdsWholeResult, type ResultColumn, type ResultView } from '../result/result-view.ts';

/** Largest file that a page writes itself, in bytes. */
const ROW_FILE_BYTES_MAX = 64 * 1024 * 1024;

const STYLE = { bigNumbers: 'number', formulas: 'keep' } as const;
/** The formats of the host without options, of which each row is text. */
const FORMATS = {
  csv: createCsvFormat(STYLE),
  json: createJsonFormat(STYLE),
  ndjson: createNdjsonFormat(STYLE),
} as const satisfies Partial<Record<DownloadFormat, Format>>;

/** A format that a page can write. */
export type RowFormat = keyof typeof FORMATS;

export const isRowFormat = (format: DownloadFormat): format is RowFormat => Object.hasOwn(FORMATS, format);

const MEDIA_TYPES: Readonly<Record<RowFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** A whole result that the page holds, with the query that it belongs to. */
export interface HeldResult {
  readonly view: ResultView;
  /** Formats in which the page can write it. In others, or in these if it is too large, the host makes the file by a further run. */
  readonly formats: readonly RowFormat[];
  readonly queryId: string;
}

/** A file that this page has written. */
export interface RowFile {
  readonly file: Blob;
  readonly rows: number;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Returns the text of a value in a format. The JSON text of the host is never parsed as a number, so it keeps every digit. */
const CELLS: Readonly<Record<RowFormat, (json: string) => string>> = {
  csv: (json) => (json === 'null' ? '' : csvText(fullText(json), STYLE.formulas)),
  json: (json) => json,
  ndjson: (json) => json,
};

/** Columns of which a value may be a list or an object: its field in a CSV has quotes, and doubles those inside. */
const mayBeNested = ({ type }: ResultColumn): boolean => ['nested', 'other'].includes(columnKind(type));

/** Returns the most bytes that the values can have in a format. A field of a CSV that is not nested is never longer than its JSON. */
function cellBytesMax({ columns, loadedRows }: ResultView, textBytes: number, format: RowFormat): number {
  const nested = format === 'csv' ? columns.filter(mayBeNested).length : 0;
  return nested === 0 ? textBytes : 2 * (textBytes + nested * loadedRows);
}

/**
 * Returns the most bytes that the file of a result can have in a format: for JSON and NDJSON, exactly those that it has.
 * @param textBytes - bytes of the JSON text of all values, in UTF-8
 */
export function fileBytesMax(view: ResultView, textBytes: number, format: RowFormat): number {
  const { columns, loadedRows } = view;
  const { separator, parts } = FORMATS[format].row(columns);
  const literals = parts.map((part) => ('literal' in part ? part.literal : '')).join('');
  return (
    bytesOf(FORMATS[format].head(columns)) +
    loadedRows * bytesOf(literals) +
    Math.max(0, loadedRows - 1) * bytesOf(separator) +
    cellBytesMax(view, textBytes, format) +
    bytesOf(endOf(format))
  );
}

/**
 * Returns a result with the formats in which the page can write it. Undefined if the page does not hold all of its rows.
 * @param textBytes - bytes of the JSON text of all values, in UTF-8
 */
export function holdResult(view: ResultView, textBytes: number, queryId: string): HeldResult | undefined {
  if (!holdsWholeResult(view)) return undefined;
  const fits = (format: RowFormat): boolean => fileBytesMax(view, textBytes, format) <= ROW_FILE_BYTES_MAX;
  return { view, formats: (Object.keys(FORMATS) as RowFormat[]).filter(fits), queryId };
}

/** The bytes after the last row. None of these formats has a fact about the run in them. */
const endOf = (format: RowFormat): string =>
  String(FORMATS[format].complete({ queryId: '', rows: 0, limited: false, elapsedMs: 0 }));

/** Characters that are encoded at once. */
const PART_CHARACTERS = 262_144;
/** Rows between two calls of `pause`. */
const SLICE_ROWS = 256;

/** Returns the text of a file in parts. */
function* textOf(view: ResultView, format: RowFormat): Generator<string> {
  const { separator, parts } = FORMATS[format].row(view.columns);
  const cell = CELLS[format];
  let text = FORMATS[format].head(view.columns);
  for (let row = 0; row < view.loadedRows; row += 1) {
    if (row > 0) text += separator;
    for (const part of parts) text += 'literal' in part ? part.literal : cell(view.cell(row, part.cell));
    if (row % SLICE_ROWS !== 0 && text.length < PART_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text + endOf(format);
}

/**
 * Writes the rows of a view as a file. Its bytes are those that the host sends for a download in the same format, without options.
 * @param pause - called between pieces of work; resolves when the thread was free for a moment, and rejects to give up
 * @throws RangeError if the rows leave the memory meanwhile
 */
export async function writeRowFile(
  view: ResultView,
  format: RowFormat,
  pause: () => Promise<void> | undefined,
): Promise<RowFile> {
  const hash = createSha256();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const text of textOf(view, format)) {
    await pause();
    const part = encoder.encode(text);
    hash.update(part);
    bytes += part.length;
    parts.push(part);
  }
  const type = MEDIA_TYPES[format];
  return { file: new Blob(parts, { type }), rows: view.loadedRows, bytes, sha256: hash.digest() };
}
