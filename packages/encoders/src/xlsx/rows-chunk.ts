/** Finished rows, as an engine's events carry them: whole ones, or a piece of a large row, of which the last counts it. */
export interface RowsChunk {
  readonly rows: number;
  readonly bytes: Uint8Array;
}
