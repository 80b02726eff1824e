/** First character that is not allowed in a JSON text. Lines and columns count from 1, columns in characters. */
interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** Whether the document ends before its value does. */
  readonly isEnd: boolean;
}

type Token = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'scalar';
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end';

const VALUE = { string: 'comma or end', scalar: 'comma or end', '{': 'key or }', '[': 'value or ]' } as const;
/** Tokens that are allowed, each with what is expected after it. A comma in an object is followed by a key. */
const NEXT: Readonly<Record<Expected, Readonly<Partial<Record<Token, Expected>>>>> = {
  value: VALUE,
  'value or ]': { ...VALUE, ']': 'comma or end' },
  key: { string: 'colon' },
  'key or }': { string: 'colon', '}': 'comma or end' },
  colon: { ':': 'value' },
  'comma or end': { '}': 'comma or end', ']': 'comma or end', ',': 'value' },
};
const PARTNERS: Readonly<Partial<Record<Token, Token>>> = { '}': '{', ']': '[' };

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPED = '"\\/bfnrt';
const HEXADECIMAL = /^[\da-fA-F]{4}$/;
const PUNCTUATION = new Set(['{', '}', '[', ']', ':', ',']);
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Returns the index after what a sticky pattern matches at an index, or the index itself. */
function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

/** Characters are compared, because a pattern for each token costs ten times as much. */
function skipSpace(text: string, start: number): number {
  let index = start;
  while (isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

const isSpace = (code: number): boolean => code === 0x20 || code === LF || code === CR || code === 0x09;

interface ReadToken {
  readonly token: Token;
  /** Index after the token, or of the character in it that is not allowed. */
  readonly end: number;
  readonly isWhole: boolean;
}

/** Returns the number of characters of an escape sequence, or 0 if it is not one. */
function escapeLength(text: string, index: number): number {
  const character = text[index + 1] ?? '';
  if (character === 'u') return HEXADECIMAL.test(text.slice(index + 2, index + 6)) ? 6 : 0;
  return character !== '' && ESCAPED.includes(character) ? 2 : 0;
}

function readString(text: string, start: number): ReadToken {
  let end = start + 1;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code === QUOTE) return { token: 'string', end: end + 1, isWhole: true };
    // A control character, or the end of the text.
    if (!(code >= 0x20)) return { token: 'string', end, isWhole: false };
    const length = code === BACKSLASH ? escapeLength(text, end) : 1;
    if (length === 0) return { token: 'string', end, isWhole: false };
    end += length;
  }
}

/** Reads the token at an index, or returns nothing if there is none. */
function readToken(text: string, index: number): ReadToken | undefined {
  const character = text[index] ?? '';
  if (character === '"') return readString(text, index);
  if (PUNCTUATION.has(character)) return { token: character as Token, end: index + 1, isWhole: true };
  const end = skip(SCALAR, text, index);
  return end === index ? undefined : { token: 'scalar', end, isWhole: true };
}

/** Opens or closes a bracket. Returns whether a closing one has its partner, and a comma something that it is in. */
function fits(token: Token, open: Token[]): boolean {
  if (token === '{' || token === '[') open.push(token);
  if (token === ',') return open.length > 0;
  const partner = PARTNERS[token];
  return partner === undefined || open.pop() === partner;
}

/** Returns the index of the first character that is not allowed. The length of the document is the end. */
function faultIndex(text: string): number {
  const open: Token[] = [];
  let expected: Expected = 'value';
  let index = 0;
  for (;;) {
    index = skipSpace(text, index);
    const read = readToken(text, index);
    const next: Expected | undefined = read && NEXT[expected][read.token];
    if (read === undefined || next === undefined || !fits(read.token, open)) return index;
    if (!read.isWhole) return read.end;
    index = read.end;
    expected = read.token === ',' && open.at(-1) === '{' ? 'key' : next;
  }
}

/** Returns the line, which ends with LF, CR or both, and the column of an index. */
function toPosition(text: string, index: number): Pick<JsonFault, 'line' | 'column'> {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < index; at += 1) {
    const code = text.charCodeAt(at);
    const isFirstOfTwo = code === CR && at + 1 < index && text.charCodeAt(at + 1) === LF;
    if ((code !== CR && code !== LF) || isFirstOfTwo) continue;
    line += 1;
    lineStart = at + 1;
  }
  let column = 1;
  for (let at = lineStart; at < index; at += 1) {
    const code = text.charCodeAt(at);
    const isSecondHalf = at > lineStart && (code & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (!isSecondHalf) column += 1;
  }
  return { line, column };
}

/**
 * Finds what makes a document invalid as JSON (RFC 8259). `JSON.parse` names the place in some messages only, and quotes the document. It
 * must be one that `JSON.parse` rejects. Runs in linear time, at any depth: jsonc-parser, which finds the same places outside of strings,
 * overflows the stack at 10,000 open brackets.
 */
export function findJsonFault(text: string): JsonFault {
  const index = faultIndex(text);
  return { ...toPosition(text, index), isEnd: index === text.length };
}
