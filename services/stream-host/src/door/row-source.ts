import type { Column, ProblemError, QueryState } from '@sluice/contract';

/** Whole rows as finished bytes, or with no row the start or middle of a large one. A separator may precede the first row. */
export interface RowChunk {
  readonly rows: number;
  readonly bytes: Uint8Array;
}

/** Progress of a source. */
export interface SourceProgress {
  readonly state: QueryState;
  readonly rows: number;
  readonly bytes: number;
  readonly splitsDone: number | null;
  readonly splitsTotal: number | null;
}

/** Rows of one statement, as its engine makes them. */
export interface RowSource {
  /** Undefined until they are known, at the latest with the first chunk. */
  readonly columns: readonly Column[] | undefined;
  readonly progress: SourceProgress;
  /** The rows. Their end says that the result is complete, and that this is recorded. Throws the failure of the statement. */
  readonly chunks: AsyncIterable<RowChunk>;
  /**
   * Whether the rest of the rows may be left to the store, which then must have all of them: otherwise the statement fails. False: they
   * are in memory alone.
   */
  leavesRowsToStore(): boolean;
  /** Whether all rows are in the store, where any host can read them. */
  readonly isKept: boolean;
  /** A stopped statement has a failure as its end. */
  readonly isStopped: boolean;
  /** Stops the statement. */
  stop(reason: ProblemError): void;
}
