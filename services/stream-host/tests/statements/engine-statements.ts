/** What the tests ask of an engine, in its SQL. */
export interface EngineStatements {
  readonly silent: string;
  readonly brief: string;
  readonly held: string;
  readonly slow: string;
  readonly endless: string;
  readonly misspelt: { readonly sql: string; readonly column: number };
  readonly uninterruptible: string;
  readonly long: string;
  readonly failingRow: number;
  readonly failsLate: string;
  readonly failsAtOnce: string;
  readonly pausing: string;
  count(n: number): string;
  wide(characters: number, rows: number): string;
  readonly descriptions: readonly string[];
  readonly noon: { readonly sql: string; readonly inUtc: string; readonly inKolkata: string };
  readonly splits: 'told' | 'unknown';
  readonly cut: CutStatements;
}

/** Results of two columns that end before their end. */
export interface CutStatements {
  /** The first rows, either side of where the engine ends a block, `farRow`, and the last row of all. */
  readonly rows: readonly number[];
  /** The engine has handed on rows when it comes to this one. */
  readonly farRow: number;
  /** `boom at row <row>`. */
  errorIn(row: number): string;
  /** The same of one row alone. */
  errorInOnly(row: number): string;
  failedCastIn(row: number): string;
  failedCastInOnly(row: number): string;
  /** What the engine says of such a row. */
  failedCast(row: number): string;
  /** Where the CAST stands, if the engine tells that. */
  castLocation(row: number): object | undefined;
  readonly castInOnlyLocation: object | undefined;
  /** Says nothing any more from this row on, and can be interrupted. */
  silentFrom(row: number): string;
}
