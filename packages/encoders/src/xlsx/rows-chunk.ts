/** Finished rows from an engine: whole rows, or a piece of a large row, which the last piece counts. */
export interface RowsChunk {
  readonly rows: number;
  readonly bytes: Uint8Array;
  /** May be called after the last use of `bytes`, whose memory is used again then. */
  readonly release?: () => void;
}
