import { INVISIBLE } from '@sluice/contract/visible-text';
import { columnKind } from './column-kind.ts';
import { unquote } from './sort-key.ts';

/** Part of a string: characters as they are, or the visible sign of one that would be invisible or change its surroundings. */
export interface TextPart {
  readonly text: string;
  /** Code point, if the part is a sign. */
  readonly codePoint?: number;
}

/** Content of a cell. NULL and the empty string have kinds of their own, so neither can be mistaken for a string that looks like them. */
export type CellText =
  | { readonly kind: 'null' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[]; readonly isShortened: boolean };

/** Longest text in a cell of the grid, in characters. The panel shows all of it. */
export const CELL_CHARACTERS = 200;

const ALL_INVISIBLE = new RegExp(INVISIBLE.source, 'gu');
const [TAB, LINE_FEED, CARRIAGE_RETURN] = [0x09, 0x0a, 0x0d];
/** Names of the characters below U+0020 (ISO 646). Few fonts have the control pictures of Unicode. */
const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS ⇥ ↵ VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** Returns the visible sign of a character, such as `NUL` or `U+202E`. */
function signOf(codePoint: number): string {
  if (codePoint < 0x20) return CONTROL_NAMES[codePoint] as string;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Treatment of tabs and line ends: `show` gives them signs; `preserve` leaves them to an element that preserves white space; `join` makes one line,
 * with one space instead of white space, for the beginning of a statement in a list.
 */
export type LinesMode = 'show' | 'preserve' | 'join';

/** Splits a string into parts that are safe to show. The string itself is never changed: copies have every character. */
export function visibleParts(text: string, lines: LinesMode = 'show'): readonly TextPart[] {
  if (lines === 'join') return visibleParts(text.replace(/[ \t\r\n]+/g, ' ').trim());
  if (!INVISIBLE.test(text)) return [{ text }];
  const parts: TextPart[] = [];
  let start = 0;
  for (const { 0: character, index } of text.matchAll(ALL_INVISIBLE)) {
    const codePoint = character.codePointAt(0) as number;
    const isLineEnd = codePoint === CARRIAGE_RETURN && text.charCodeAt(index + 1) === LINE_FEED;
    if (lines === 'preserve' && (codePoint === LINE_FEED || codePoint === TAB || isLineEnd)) continue;
    if (index > start) parts.push({ text: text.slice(start, index) });
    parts.push({ text: signOf(codePoint), codePoint });
    start = index + character.length;
  }
  if (start < text.length) parts.push({ text: text.slice(start) });
  return parts;
}

/** Returns a string with the same signs, for places that take no elements, such as options and attributes. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part) => part.text)
    .join('');

/** Returns the beginning of a JSON string without half an escape at its end. */
function beforeHalfEscape(json: string): string {
  for (let index = json.indexOf('\\'); index !== -1; ) {
    const length = json[index + 1] === 'u' ? 6 : 2;
    if (index + length > json.length) return json.slice(0, index);
    index = json.indexOf('\\', index + length);
  }
  return json;
}

/** Longest JSON text of one character: `\\u0000`. */
const ESCAPE_LENGTH = 6;

/** Returns the beginning of a value without decoding the rest, so that a value of 100 MB takes no longer than others. */
function beginningOf(json: string, max: number): { readonly text: string; readonly isShortened: boolean } {
  const isString = json.charCodeAt(0) === 0x22;
  const limit = isString ? max * ESCAPE_LENGTH + 1 : max;
  const isCut = json.length > limit + 1;
  const decodable = isString ? `${beforeHalfEscape(json.slice(0, limit))}"` : json.slice(0, limit);
  const text = unquote(isCut ? decodable : json);
  if (text.length <= max) return { text, isShortened: isCut };
  const last = text.charCodeAt(max - 1);
  // Not between the halves of a surrogate pair.
  return { text: text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max), isShortened: true };
}

/** Returns what a cell of the grid shows for the JSON text of a value. */
export function cellText(json: string, max = CELL_CHARACTERS): CellText {
  if (json === 'null') return { kind: 'null' };
  if (json === '""') return { kind: 'empty' };
  const { text, isShortened } = beginningOf(json, max);
  return { kind: 'text', parts: visibleParts(text), isShortened };
}

/** Returns the whole text of a value: a string without quotes and escapes, or the JSON of any other. NULL is `null`. */
export const fullText = (json: string): string => unquote(json);

/** Numbers are aligned at their last digit. */
export const isAlignedRight = (type: string): boolean => columnKind(type) === 'number';
