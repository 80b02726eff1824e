import type { HostileType } from '../hostile-type.ts';

/** Values whose JSON is a number or literal with the same text as in SQL. */
export const bare = (type: string, texts: readonly string[]): HostileType => ({
  type,
  column: type,
  isOwnText: true,
  back: `CAST($1 AS ${type})`,
  values: [...texts.map((text) => [`CAST('${text}' AS ${type})`, text] as const), [`CAST(NULL AS ${type})`, 'null']],
});

/** Literals of a type, each with its expected JSON string. */
export const inQuotes = (type: string, pairs: readonly (readonly [string, string])[]): HostileType => ({
  type,
  column: type,
  back: `CAST($1 AS ${type})`,
  values: [
    ...pairs.map(([text, json]) => [`CAST('${text}' AS ${type})`, `"${json}"`] as const),
    [`CAST(NULL AS ${type})`, 'null'],
  ],
});
