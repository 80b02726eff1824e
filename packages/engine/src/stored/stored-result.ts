import type { Column } from '@sluice/contract';

/** Rows of a kept result, and what is needed to write a Parquet file from them. */
export interface StoredResult {
  readonly columns: readonly Column[];
  /** Type of each column, from the run that was kept (`ColumnsEvent.fileTypes`). */
  readonly fileTypes: readonly string[];
  /** IANA name of the zone of the run. */
  readonly timeZone: string;
  /** Lists of rows in their stored form. */
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}
