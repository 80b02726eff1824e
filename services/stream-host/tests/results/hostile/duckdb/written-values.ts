import { type HostileType, same } from '../hostile-type.ts';

/** Values that are written as the text that DuckDB makes of them. */
export const own = (type: string, column: string, texts: readonly string[]): HostileType => ({
  type,
  column,
  isOwnText: true,
  back: `$1::${type}`,
  values: [...texts.map((text) => [`('${text}')::${type}`, text] as const), [`NULL::${type}`, 'null']],
});

/** Literals of a type, each with its expected JSON string. */
export const written = (type: string, column: string, pairs: readonly (readonly [string, string])[]): HostileType => ({
  type,
  column,
  back: `$1::${type}`,
  values: [...pairs.map(([text, json]) => [`('${text}')::${type}`, `"${json}"`] as const), [`NULL::${type}`, 'null']],
});

/** Literals of dates and timestamps, each with its expected JSON string. */
export const ENDLESS = same('infinity', '-infinity');
