/** A type with its extremes. */
export interface HostileType {
  /** The engine's name. */
  readonly type: string;
  /** Its name in `metadata`. */
  readonly column: string;
  /** SQL of a value, and the JSON that stands for it, written down by hand. */
  readonly values: readonly (readonly [string, string])[];
  /** How the engine reads the value back from the text `$1` of its CSV field; without it, it cannot. */
  readonly back?: string;
  /** The engine's own text of a value is its CSV field. */
  readonly isOwnText?: boolean;
  readonly timeZone?: string;
}

export type Values = HostileType['values'];

/** Texts that are written as they are. */
export const same = (...texts: readonly string[]): readonly (readonly [string, string])[] =>
  texts.map((text) => [text, text]);
