import { type OpenPart, partAt } from './split-statement.ts';

/** One part of a name in SQL. */
export interface NamePart {
  /** The part without its quotes. */
  readonly text: string;
  readonly isQuoted: boolean;
  /** Index of its first character, which may be a quote. */
  readonly start: number;
}

/** A name or keyword: parts that dots separate. The last part is empty behind a dot at the end. */
export interface ScannedName {
  readonly parts: readonly NamePart[];
  readonly start: number;
  readonly end: number;
}

/** Names in the SQL, in order, and what its end is inside of. A quoted name may be open. */
export interface ScannedText {
  readonly names: readonly ScannedName[];
  readonly open: OpenPart;
}

const WORD = /[A-Za-z0-9_\u0080-\uffff$]+/y;

function readPart(text: string, start: number): { readonly part: NamePart; readonly end: number } {
  if (text[start] === '"') {
    const { end = -1 } = partAt(text, start) ?? {};
    const inner = end === -1 ? text.slice(start + 1) : text.slice(start + 1, end - 1);
    const part = { text: inner.replaceAll('""', '"'), isQuoted: true, start };
    return { part, end: end === -1 ? text.length : end };
  }
  WORD.lastIndex = start;
  const word = WORD.exec(text)?.[0] ?? '';
  return { part: { text: word, isQuoted: false, start }, end: start + word.length };
}

function readName(text: string, start: number): ScannedName {
  const parts: NamePart[] = [];
  for (let index = start; ; ) {
    const { part, end } = readPart(text, index);
    parts.push(part);
    if (text[end] !== '.') return { parts, start, end };
    index = end + 1;
  }
}

/** Finds the names in SQL. Strings, comments and dollar quotes have none. */
export function scanNames(text: string): ScannedText {
  const names: ScannedName[] = [];
  for (let index = 0; index < text.length; ) {
    const part = partAt(text, index);
    if (part !== undefined && part.kind !== 'name') {
      if (part.end === -1) return { names, open: part.kind };
      index = part.end;
      continue;
    }
    WORD.lastIndex = index;
    if (part === undefined && !WORD.test(text)) {
      index += 1;
      continue;
    }
    const name = readName(text, index);
    names.push(name);
    // An open quote ends the text.
    if (part?.end === -1) return { names, open: 'name' };
    index = name.end;
  }
  return { names, open: 'text' };
}
