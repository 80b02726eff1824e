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

/** Values of DuckDB that are written as the very text that DuckDB makes of them. */
export const own = (type: string, column: string, texts: readonly string[]): HostileType => ({
  type,
  column,
  isOwnText: true,
  back: `$1::${type}`,
  values: [...texts.map((text) => [`('${text}')::${type}`, text] as const), [`NULL::${type}`, 'null']],
});

/** Texts of a type of DuckDB, each with how it is written; a JSON string. */
export const written = (type: string, column: string, pairs: readonly (readonly [string, string])[]): HostileType => ({
  type,
  column,
  back: `$1::${type}`,
  values: [...pairs.map(([text, json]) => [`('${text}')::${type}`, `"${json}"`] as const), [`NULL::${type}`, 'null']],
});

export const same = (...texts: readonly string[]): readonly (readonly [string, string])[] =>
  texts.map((text) => [text, text]);
export const ENDLESS = same('infinity', '-infinity');

/** Values of Trino, each the text of its JSON number or word. */
export const numbersOf = (type: string, texts: readonly string[]): HostileType => ({
  type,
  column: type,
  isOwnText: true,
  back: `CAST($1 AS ${type})`,
  values: [...texts.map((text) => [`CAST('${text}' AS ${type})`, text] as const), [`CAST(NULL AS ${type})`, 'null']],
});

/** Texts of a type of Trino, each with how it is written; a JSON string. */
export const castOf = (type: string, pairs: readonly (readonly [string, string])[]): HostileType => ({
  type,
  column: type,
  back: `CAST($1 AS ${type})`,
  values: [
    ...pairs.map(([text, json]) => [`CAST('${text}' AS ${type})`, `"${json}"`] as const),
    [`CAST(NULL AS ${type})`, 'null'],
  ],
});
