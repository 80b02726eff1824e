/** Content of a file that can be read. */
export interface FileReading {
  /** Undefined: not counted yet. */
  readonly rows?: number;
  readonly columns: readonly DataColumn[];
  /** The first rows of a JSON file have other types than all of them. */
  readonly needsWhole?: boolean;
  /** Form of a CSV file. */
  readonly csv?: CsvDialect;
}

export interface DataColumn {
  readonly name: string;
  /** Type of DuckDB. */
  readonly type: string;
}

export interface CsvDialect {
  readonly separator: string;
  readonly hasHeader: boolean;
  /** Formats of DuckDB; null: ISO 8601. */
  readonly dateFormat: string | null;
  readonly timestampFormat: string | null;
}

/** A file is read, or it has a problem: why, and what to do. */
export type ReadOutcome = { readonly reading: FileReading } | { readonly problem: string };

/** Columns of a served file. The time that DuckDB takes to plan any statement on a file grows with the square of their number. */
export const COLUMNS_MAX = 10_000;
export const TOO_WIDE = `has more than ${COLUMNS_MAX.toLocaleString('en')} columns.`;
