/** Characters of a key that a message repeats. */
export const KEY_CHARACTERS_MAX = 100;

const ADVICE = 'Select map_entries(...) of it instead.';

export const missingKeyMessage = (column: string): string =>
  `The column ${column} contains a map with a NULL key, which no format can store. ${ADVICE}`;

/** Returns the message about a key that a map has twice, before and after the key. */
export const repeatedKeyMessage = (column: string): readonly [before: string, after: string] => [
  `The column ${column} contains a map with two keys that are written as "`,
  `", and a reader would keep only one of them. ${ADVICE}`,
];
