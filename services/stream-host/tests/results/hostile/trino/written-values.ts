import type { HostileType } from '../hostile-type.ts';

/** Values that are numbers or words in JSON, of the same text as in SQL. */
export const bare = (type: string, texts: readonly string[]): HostileType => ({
  type,
  column: type,
  isOwnText: true,
  back: `CAST($1 AS ${type})`,
  values: [...texts.map((text) => [`CAST('${text}' AS ${type})`, text] as const), [`CAST(NULL AS ${type})`, 'null']],
});

/** Texts of a type, each with how it is written; a JSON string. */
export const inQuotes = (type: string, pairs: readonly (readonly [string, string])[]): HostileType => ({
  type,
  column: type,
  back: `CAST($1 AS ${type})`,
  values: [
    ...pairs.map(([text, json]) => [`CAST('${text}' AS ${type})`, `"${json}"`] as const),
    [`CAST(NULL AS ${type})`, 'null'],
  ],
});
