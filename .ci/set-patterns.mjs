import { matchesGlob } from 'node:path';

/** Returns whether a file is in a set of tests of suites.mjs: one of the patterns matches it, and none that begins with `!`. */
export function isInSet(file, { files: patterns }) {
  const isIn = (pattern) => matchesGlob(file, pattern);
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return patterns.some(isIn) && !excluded.some(isIn);
}
