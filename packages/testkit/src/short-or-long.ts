import { CASES } from './cases.ts';

/**
 * Returns a size of a test: `short` in `npm test`, `long` where all cases run, and `soak` in `npm run soak`, for sizes that take
 * minutes.
 */
export function shortOrLong(short: number, long: number, soak = long): number {
  return { short, all: long, random: soak }[CASES];
}
