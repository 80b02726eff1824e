/** Syntax element that the end of an unfinished statement is in. `text`: none of the others. */
export type OpenPart = 'text' | 'string' | 'name' | 'comment' | 'dollar quote';

export interface Split {
  /** The first statement, without its semicolon; undefined if it is not complete. */
  readonly statement: string | undefined;
  /** Text after the semicolon; the whole text if there is no statement. */
  readonly rest: string;
  /** Element that `rest` ends in. Always `text` behind a statement. */
  readonly open: OpenPart;
}

const LINE_COMMENT = /--[^\n]*\n?/y;
const DOLLAR_TAG = /\$(?:[A-Za-z_][A-Za-z0-9_]*)?\$/y;
const WORD = /[A-Za-z0-9_\u0080-\uffff$]+/y;

/** A part of the text in which a semicolon has no meaning: where it ends, or -1 if it does not. */
interface Part {
  readonly kind: OpenPart;
  readonly end: number;
}

const matchAt = (pattern: RegExp, text: string, index: number): string | undefined => {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
};

/** Returns the index behind a quoted part; a doubled quote is a quote, and a backslash escapes in `e'...'`. */
function endOfQuoted(text: string, start: number, quote: string, hasBackslashes: boolean): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (hasBackslashes && text[index] === '\\') index += 1;
    else if (text[index] === quote && text[index + 1] === quote) index += 1;
    else if (text[index] === quote) return index + 1;
  }
  return -1;
}

/** Returns the index behind a block comment, which may contain others as in PostgreSQL. */
function endOfComment(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const pair = text.slice(index, index + 2);
    if (pair !== '/*' && pair !== '*/') continue;
    depth += pair === '/*' ? 1 : -1;
    index += 1;
    if (depth === 0) return index + 1;
  }
  return -1;
}

/** Returns the part that begins at an index; undefined for plain text. */
export function partAt(text: string, index: number): Part | undefined {
  const character = text[index] ?? '';
  if (character === "'") {
    const hasBackslashes = /(?:^|[^A-Za-z0-9_])[eE]$/.test(text.slice(Math.max(0, index - 2), index));
    return { kind: 'string', end: endOfQuoted(text, index, character, hasBackslashes) };
  }
  if (character === '"') return { kind: 'name', end: endOfQuoted(text, index, character, false) };
  if (text.startsWith('/*', index)) return { kind: 'comment', end: endOfComment(text, index) };
  const line = character === '-' ? matchAt(LINE_COMMENT, text, index) : undefined;
  // At the end of the text a comment is open, but the next line is not a part of it.
  if (line !== undefined) return { kind: 'text', end: index + line.length };
  const tag = character === '$' ? matchAt(DOLLAR_TAG, text, index) : undefined;
  if (tag === undefined) return undefined;
  const end = text.indexOf(tag, index + tag.length);
  return { kind: 'dollar quote', end: end === -1 ? -1 : end + tag.length };
}

/** Splits off the first statement that a semicolon ends. Semicolons in strings, quoted names, comments and dollar quotes do not. */
export function splitStatement(text: string): Split {
  for (let index = 0; index < text.length; ) {
    if (text[index] === ';') return { statement: text.slice(0, index), rest: text.slice(index + 1), open: 'text' };
    const part = partAt(text, index);
    if (part?.end === -1) return { statement: undefined, rest: text, open: part.kind };
    // A dollar within a word is a part of the word.
    index = part?.end ?? index + (matchAt(WORD, text, index)?.length ?? 1);
  }
  return { statement: undefined, rest: text, open: 'text' };
}

/** Returns whether the input has neither SQL nor the beginning of any: only spaces and comments. */
export function isBlank(text: string): boolean {
  for (let index = 0; index < text.length; ) {
    const isComment = text.startsWith('--', index) || text.startsWith('/*', index);
    const part = isComment ? partAt(text, index) : undefined;
    if (part === undefined && !/\s/.test(text[index] ?? '')) return false;
    if (part?.end === -1) return false;
    index = part?.end ?? index + 1;
  }
  return true;
}
