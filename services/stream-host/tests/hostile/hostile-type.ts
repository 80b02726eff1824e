/** A type with its extremes. */
export interface HostileType {
  /** DuckDB's name. */
  readonly type: string;
  /** Its name in `metadata`. */
  readonly column: string;
  /** SQL of a value, and the JSON that stands for it, written down by hand. */
  readonly values: readonly (readonly [string, string])[];
  /** How DuckDB reads the value back from the text `$1` of its CSV field; without it, it cannot. */
  readonly back?: string;
  /** The engine's own text of a value is its CSV field. */
  readonly isOwnText?: boolean;
  readonly timeZone?: string;
}

export type Values = HostileType['values'];

/** Values that are written as the very text that DuckDB makes of them. */
export const own = (type: string, column: string, texts: readonly string[]): HostileType => ({
  type,
  column,
  isOwnText: true,
  back: `$1::${type}`,
  values: [...texts.map((text) => [`('${text}')::${type}`, text] as const), [`NULL::${type}`, 'null']],
});

/** Texts of a type, each with how it is written; a JSON string. */
export const written = (type: string, column: string, pairs: readonly (readonly [string, string])[]): HostileType => ({
  type,
  column,
  back: `$1::${type}`,
  values: [...pairs.map(([text, json]) => [`('${text}')::${type}`, `"${json}"`] as const), [`NULL::${type}`, 'null']],
});

export const same = (...texts: readonly string[]): readonly (readonly [string, string])[] =>
  texts.map((text) => [text, text]);
export const ENDLESS = same('infinity', '-infinity');
