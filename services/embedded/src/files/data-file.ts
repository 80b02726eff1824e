/** Format of a file that is served. TSV is CSV with tabs. */
export type DataFormat = 'csv' | 'json' | 'ndjson' | 'parquet';
export type Compression = 'gzip' | 'zstd';

export interface DataFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Relative to the folder, with `/`: `sales/2024.csv.gz`. */
  readonly relativePath: string;
  /** Name without extensions: `2024`. */
  readonly stem: string;
  /** Lower case: `csv.gz`. */
  readonly extension: string;
  readonly format: DataFormat;
  readonly compression: Compression | null;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Differs when the content may differ. */
  readonly stamp: string;
}

/** A file that looks like data and is not read. */
export interface RejectedFile {
  readonly relativePath: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Why, and what to do. */
  readonly problem: string;
}

interface FileKind {
  readonly stem: string;
  readonly extension: string;
  readonly format: DataFormat;
  readonly compression: Compression | null;
}

const FORMATS: Readonly<Record<string, DataFormat>> = {
  parquet: 'parquet',
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
};
const COMPRESSIONS: Readonly<Record<string, Compression>> = { gz: 'gzip', zst: 'zstd' };

const WORKBOOK = 'is a workbook, which is not read: save its sheets as CSV.';
const OTHER_FORMAT = 'is in a format that is not read: convert it to Parquet or CSV.';
const DATABASE = 'is a database, which is not read: export its tables to Parquet or CSV.';
const ARCHIVE = 'is an archive, which is not read: unpack it.';
const OTHER_COMPRESSION = 'is compressed in a way that is not read: use gzip (.gz) or Zstandard (.zst).';
const COMPRESSED_PARQUET =
  'is a compressed Parquet file, which is not read: unpack it. Parquet compresses its own columns.';

/** Formats of data that users may expect to be served. Files with other extensions are not mentioned. */
const REJECTED: Readonly<Record<string, string>> = {
  ...{ xlsx: WORKBOOK, xlsm: WORKBOOK, xls: WORKBOOK, ods: WORKBOOK, numbers: WORKBOOK },
  ...{ arrow: OTHER_FORMAT, feather: OTHER_FORMAT, avro: OTHER_FORMAT, orc: OTHER_FORMAT, geojson: OTHER_FORMAT },
  ...{ db: DATABASE, duckdb: DATABASE, sqlite: DATABASE, sqlite3: DATABASE, mdb: DATABASE, accdb: DATABASE },
  ...{ zip: ARCHIVE, tar: ARCHIVE, tgz: ARCHIVE, '7z': ARCHIVE, rar: ARCHIVE },
};
const OTHER_COMPRESSIONS: ReadonlySet<string> = new Set(['bz2', 'xz', 'br', 'lz4', 'z']);

/** Returns how a file of this name is read, why it is not, or undefined for a name that is not one of data. */
export function kindOfFile(name: string): FileKind | { readonly problem: string } | undefined {
  const parts = name.split('.');
  const last = parts.at(-1)?.toLowerCase() ?? '';
  const inner = parts.length > 2 ? (parts.at(-2)?.toLowerCase() ?? '') : '';
  const compression = COMPRESSIONS[last];
  if (compression !== undefined) {
    const format = FORMATS[inner];
    if (format === undefined) return last === 'gz' && inner === 'tar' ? { problem: ARCHIVE } : undefined;
    if (format === 'parquet') return { problem: COMPRESSED_PARQUET };
    return { stem: parts.slice(0, -2).join('.'), extension: `${inner}.${last}`, format, compression };
  }
  if (parts.length < 2) return undefined;
  const format = FORMATS[last];
  if (format !== undefined) return { stem: parts.slice(0, -1).join('.'), extension: last, format, compression: null };
  if (OTHER_COMPRESSIONS.has(last) && FORMATS[inner] !== undefined) return { problem: OTHER_COMPRESSION };
  const problem = REJECTED[last];
  return problem === undefined ? undefined : { problem };
}
