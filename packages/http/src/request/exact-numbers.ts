import { ExactNumber } from '@sluice/contract';

/** A token of JSON: a string, a mark, or a number. Words and white space are skipped. */
const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\]:,]|-?\d[\d.eE+-]*/g;

/** Object or array around the current position. `key` is undefined in an array. */
interface Level {
  key: string | undefined;
  index: number;
  readonly isArray: boolean;
}

/**
 * Replaces each number within a member of that name, at any depth, by an `ExactNumber` with its digits: `JSON.parse` rounds
 * 9007199254740993 and drops the last digit of 1.10. `text` must be the valid JSON of `value`, without repeated keys. Changes `value`.
 */
export function setExactNumbers(text: string, value: unknown, member: string): void {
  const open: Level[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ key: undefined, index: 0, isArray: token === '[' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') nextEntry(level);
    else if (token.startsWith('"')) readKey(level, token);
    else if (token !== ':' && open.some(({ key }) => key === member)) setNumber(value, open, token);
  }
}

function nextEntry(level: Level | undefined): void {
  if (level === undefined) return;
  level.key = undefined;
  level.index += 1;
}

/** The first string of a member is its key; a string after it is its value. */
function readKey(level: Level | undefined, token: string): void {
  if (level !== undefined && !level.isArray) level.key ??= JSON.parse(token) as string;
}

function setNumber(value: unknown, open: readonly Level[], digits: string): void {
  const path = open.map(({ isArray, index, key }) => (isArray ? index : (key ?? '')));
  const last = path.pop();
  let holder = value;
  for (const step of path) holder = (holder as Record<string | number, unknown>)[step];
  (holder as Record<string | number, unknown>)[last ?? ''] = new ExactNumber(digits);
}
