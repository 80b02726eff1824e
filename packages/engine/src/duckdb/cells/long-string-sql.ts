import { LONG_STRING } from '../rows/long-strings.ts';

/**
 * Longer strings are written as JSON outside of the engine: `to_json` takes six times the bytes of a string, for all rows of a chunk
 * at once (1.2 GB for 2,048 of 100 kB, measured). For shorter strings the engine is faster.
 */
const BYTES_MAX = 4_096;

const isLong = (text: string): string => `strlen(${text}) > ${BYTES_MAX}`;

/** SQL of a string within a JSON row: a reference before it if it is long, and then the string, or its JSON if it is short. */
export function longStringParts(text: string, json: string): readonly [string, string] {
  return [
    `CASE WHEN ${isLong(text)} THEN concat(chr(${LONG_STRING}), strlen(${text}), ':') END`,
    `CASE WHEN ${isLong(text)} THEN ${text} ELSE ${json} END`,
  ];
}
