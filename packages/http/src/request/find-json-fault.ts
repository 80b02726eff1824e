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

const SPACE = /[ \t\n\r]*/y;
const PUNCTUATION = /[{}[\]:,]/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** No quotes, backslashes or control characters. */
const PLAIN_TEXT = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Returns the index after what a sticky pattern matches at an index, or the index itself. */
function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

interface ReadToken {
  readonly token: Token;
  /** Index after the token, or of the character in it that is not allowed. */
  readonly end: number;
  readonly isWhole: boolean;
}

function readString(text: string, start: number): ReadToken {
  let end = start + 1;
  for (;;) {
    end = skip(PLAIN_TEXT, text, end);
    if (text[end] === '"') return { token: 'string', end: end + 1, isWhole: true };
    const next = skip(ESCAPE, text, end);
    if (next === end) return { token: 'string', end, isWhole: false };
    end = next;
  }
}

/** Reads the token at an index, or returns nothing if there is none. */
function readToken(text: string, index: number): ReadToken | undefined {
  if (text[index] === '"') return readString(text, index);
  if (skip(PUNCTUATION, text, index) > index) return { token: text[index] as Token, end: index + 1, isWhole: true };
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
    index = skip(SPACE, text, index);
    const read = readToken(text, index);
    const next: Expected | undefined = read && NEXT[expected][read.token];
    if (read === undefined || next === undefined || !fits(read.token, open)) return index;
    if (!read.isWhole) return read.end;
    index = read.end;
    expected = read.token === ',' && open.at(-1) === '{' ? 'key' : next;
  }
}

/**
 * Finds what makes a document invalid as JSON (RFC 8259). `JSON.parse` names the place in some messages only, and quotes the document. It
 * must be one that `JSON.parse` rejects. Runs in linear time, at any depth: jsonc-parser, which finds the same places outside of strings,
 * overflows the stack at 10,000 open brackets.
 */
export function findJsonFault(text: string): JsonFault {
  const index = faultIndex(text);
  const lines = text.slice(0, index).split(/\r\n|\n|\r/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1, isEnd: index === text.length };
}
