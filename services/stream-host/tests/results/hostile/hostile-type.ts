/** A type with its extreme values. */
export interface HostileType {
  /** Name of the type in the engine. */
  readonly type: string;
  /** Name of the type in `metadata`. */
  readonly column: string;
  /** SQL of a value and its expected JSON. */
  readonly values: readonly (readonly [string, string])[];
  /** SQL that reads the value from the text `$1` of its CSV field; absent when the engine cannot. */
  readonly back?: string;
  /** True when the CSV field is the engine's text of the value. */
  readonly isOwnText?: boolean;
  readonly timeZone?: string;
}

export type Values = HostileType['values'];

/** Pairs of equal SQL and expected JSON. */
export const same = (...texts: readonly string[]): readonly (readonly [string, string])[] =>
  texts.map((text) => [text, text]);
