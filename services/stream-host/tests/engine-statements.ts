/** What the tests ask of an engine, in its SQL. */
export interface EngineStatements {
  readonly silent: string;
  readonly endless: string;
  readonly misspelt: { readonly sql: string; readonly column: number };
  readonly deaf: string;
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
}
