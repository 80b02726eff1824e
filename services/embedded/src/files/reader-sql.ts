import { quoteName, quotePath, quoteText } from '../sql-text.ts';
import type { DataFile, DataFormat } from './data-file.ts';
import type { CsvDialect, DataColumn } from './file-reading.ts';

/** DuckDB scans files up to this size completely to detect types, and the first 20,480 rows of larger ones. */
export const SNIFF_WHOLE_BYTES = 16 * 1024 * 1024;

/** Column whose values are in the names of folders: `year` of `year=2024`. */
export interface PartitionColumn {
  readonly name: string;
  readonly type: 'BIGINT' | 'DATE' | 'VARCHAR';
}

/** Files that one table function reads. */
interface ReadFiles {
  readonly files: readonly DataFile[];
  /** Columns of all files together. */
  readonly columns: readonly DataColumn[];
  readonly csv?: CsvDialect | undefined;
  readonly partitions?: readonly PartitionColumn[];
  /** The files have different columns, or columns of different types. */
  readonly isUnion?: boolean;
  /** DuckDB must read JSON completely to detect its types, in each statement. */
  readonly needsWhole?: boolean | undefined;
}

/** Returns the call of DuckDB's function that reads the files, for FROM. */
export function readerSql({
  files,
  columns,
  csv,
  partitions = [],
  isUnion = false,
  needsWhole = false,
}: ReadFiles): string {
  const [first] = files;
  if (first === undefined) throw new Error('No file to read');
  const paths = files.length === 1 ? quotePath(first.path) : `[${files.map(({ path }) => quotePath(path)).join(', ')}]`;
  const options = [
    ...optionsOf(first, { columns, csv, isUnion, needsWhole, fileCount: files.length }),
    ...(isUnion ? ['union_by_name = true'] : []),
    ...partitionOptions(partitions),
  ];
  return `${FUNCTIONS[first.format]}(${[paths, ...options].join(', ')})`;
}

/** Returns the SELECT of a view. Columns of folders outside SLUICE_DATA_DIR that have `=` in their names are not among its columns. */
export function viewSql(read: ReadFiles): string {
  const { columns, partitions = [] } = read;
  if (partitions.length === 0) return `FROM ${readerSql(read)}`;
  const names = new Set(partitions.map(({ name }) => name.toLowerCase()));
  const own = columns.filter(({ name }) => !names.has(name.toLowerCase()));
  return `SELECT ${[...own, ...partitions].map(({ name }) => quoteName(name)).join(', ')} FROM ${readerSql(read)}`;
}

const FUNCTIONS: Readonly<Record<DataFormat, string>> = {
  parquet: 'read_parquet',
  csv: 'read_csv',
  json: 'read_json',
  ndjson: 'read_json',
};

interface FormatOptions extends Pick<ReadFiles, 'columns' | 'csv'> {
  readonly isUnion: boolean;
  readonly fileCount: number;
  readonly needsWhole: boolean;
}

function optionsOf(file: DataFile, { columns, csv, isUnion, fileCount, needsWhole }: FormatOptions): readonly string[] {
  switch (file.format) {
    case 'parquet':
      return [];
    case 'csv':
      if (csv === undefined) throw new Error(`No dialect of ${file.relativePath}`);
      return [...csvOptions(csv), typesOption(columns, isUnion), 'sample_size = 1'];
    default:
      return fileCount > 1
        ? [
            ...jsonOptions(file, true),
            `maximum_sample_files = ${fileCount}`,
            ...(isUnion ? [] : ['union_by_name = true']),
          ]
        : jsonOptions(file, needsWhole || file.bytes <= SNIFF_WHOLE_BYTES);
  }
}

/** A row that does not have this form fails a statement: nothing is skipped, filled up or cut. */
export const STRICT_CSV = [
  `quote = '"'`,
  `escape = '"'`,
  'skip = 0',
  "comment = ''",
  'null_padding = false',
  'strict_mode = true',
] as const;

/** The dialect is given and the types are, so DuckDB only compares the header of the file with the columns of the view. */
const csvOptions = ({ separator, hasHeader, dateFormat, timestampFormat }: CsvDialect): readonly string[] => [
  ...STRICT_CSV,
  `delim = ${quoteText(separator)}`,
  `header = ${hasHeader}`,
  ...(dateFormat === null ? [] : [`dateformat = ${quoteText(dateFormat)}`]),
  ...(timestampFormat === null ? [] : [`timestampformat = ${quoteText(timestampFormat)}`]),
];

const typesOption = (columns: readonly DataColumn[], isNamed: boolean): string =>
  isNamed
    ? `types = {${columns.map(namedType).join(', ')}}`
    : `types = [${columns.map(({ type }) => quoteText(type)).join(', ')}]`;

const namedType = ({ name, type }: DataColumn): string => `${quoteText(name)}: ${quoteText(type)}`;

/** Options that read a JSON file. `isWhole`: types are detected from all of it, not from its first rows. */
export const jsonOptions = ({ format }: Pick<DataFile, 'format'>, isWhole: boolean): readonly string[] => [
  ...(format === 'ndjson' ? ["format = 'newline_delimited'"] : []),
  ...(isWhole ? ['sample_size = -1'] : []),
];

const partitionOptions = (partitions: readonly PartitionColumn[]): readonly string[] =>
  partitions.length === 0
    ? ['hive_partitioning = false']
    : ['hive_partitioning = true', `hive_types = {${partitions.map(namedType).join(', ')}}`];
