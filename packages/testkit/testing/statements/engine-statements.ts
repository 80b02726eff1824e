/** Statements of the tests in the SQL of one engine. */
export interface EngineStatements {
  readonly silent: string;
  readonly brief: string;
  readonly held: string;
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
  readonly splits: 'known' | 'unknown';
  readonly cut: CutStatements;
}

/** Results of two columns that are cut before their end. */
export interface CutStatements {
  /** The first rows, the rows around the end of a block of the engine, `farRow`, and the last row. */
  readonly rows: readonly number[];
  /** The engine has returned rows before it reaches this one. */
  readonly farRow: number;
  /** Fails with `boom at row <row>`. */
  errorIn(row: number): string;
  /** Fails the same way in a result of one row. */
  errorInOnly(row: number): string;
  failedCastIn(row: number): string;
  failedCastInOnly(row: number): string;
  /** Message of the engine for such a row. */
  failedCast(row: number): string;
  /** Position of the CAST, for engines that report it. */
  castLocation(row: number): object | undefined;
  readonly castInOnlyLocation: object | undefined;
  /** Returns nothing more from this row on, and can be interrupted. */
  silentFrom(row: number): string;
}
