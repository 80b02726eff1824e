import type { Column } from '@sluice/contract';

/**
 * The stored form of a result: records, each of a length (four bytes, little endian) and a sealed chunk. The first is the header, then come
 * the chunks of rows, and then the end. The last four bytes are the length of the end, so that one read finds it.
 */
export const LENGTH_BYTES = 4;

/** Number of the end, the same in every result, so that it is opened first. No chunk of rows has it. */
export const END_NUMBER = 2 ** 40;

/** Facts about a kept result and its execution. */
export interface ResultHeader {
  readonly columns: readonly Column[];
  /** Types of the columns in a Parquet file, in DuckDB's SQL. */
  readonly fileTypes: readonly string[];
  readonly engine: string;
  /** Time of the execution, in milliseconds since 1970. */
  readonly ranAtMs: number;
  /** IANA name of the zone that zoned timestamps are shown in. */
  readonly timeZone: string;
  /** Catalog and schema of unqualified names in the statement. Absent: those of the engine. */
  readonly catalog?: string | undefined;
  readonly schema?: string | undefined;
  /** Hash of the statement's text, lower-case hexadecimal. */
  readonly sqlSha256: string;
  /** The statement, which a workbook shows. Results of the first version do not have it. */
  readonly sql?: string;
  /** Values of its parameters in JSON, as a workbook shows them; empty: none. */
  readonly parameters?: string;
}

/** End of a complete result. */
export interface ResultEnd {
  readonly header: ResultHeader;
  readonly rows: number;
  /** Whether the statement had more rows than were requested. */
  readonly limited: boolean;
  /** Hash of the rows as they are stored, joined by commas, lower-case hexadecimal. Independent of chunks and compression. */
  readonly sha256: string;
  /** Bytes of the rows as they are stored, joined by commas. */
  readonly rowBytes: number;
  /** Length of the header's record. */
  readonly headerBytes: number;
  /** Rows, and length of the record, of each chunk. */
  readonly chunks: readonly (readonly [rows: number, recordBytes: number])[];
}

/** Bytes of rows after which a chunk ends, at the end of a row. */
export const CHUNK_BYTES = 1024 * 1024;

/** Largest row that can be kept: writer and readers hold a whole row. */
export const ROW_BYTES_MAX = 16 * 1024 * 1024;

/** Upper bound of the bytes of a chunk: rows up to a chunk's size, one row, brackets. */
export const CHUNK_BYTES_MAX = CHUNK_BYTES + ROW_BYTES_MAX + 2;
