import { BYTE } from '../protocol/json-scan.ts';
import type { Literal } from './literal.ts';
import { commasOf, endsOfPlainText, indexOfFirst, WORD_BYTES } from './word-bytes.ts';

// An imported or exported name is looked up at each use, while a module's own constants are part of its code: for work on each
// byte of a result this took a third of the time (measured).
const { quote: QUOTE, minus: MINUS, plus: PLUS, point: POINT, zero: ZERO, nine: NINE, lowerE: LOWER_E } = BYTE;
/** Bit that is set in the byte of a lower-case letter. */
const SMALL = 0x20;
const endsOf = endsOfPlainText;
const indexOf = indexOfFirst;
const WORD = WORD_BYTES;
const NONE = -1;

/**
 * Kind of a plain cell, which is copied from the page. Most cells are plain. A `number` is copied unchanged, a `quoted number` without
 * the quotes around it, a `string` with its quotes, and a `field` of CSV, which must not contain a comma, without them. A `boolean` is
 * `true` or `false`; `never` means that each cell must be checked.
 */
export type PlainKind = 'number' | 'quoted number' | 'string' | 'field' | 'boolean' | 'never';

/** Bytes, and the same bytes four at a time. */
interface View<Bytes extends Uint8Array> {
  readonly bytes: Bytes;
  readonly words: DataView;
}

const viewOf = <Bytes extends Uint8Array>(bytes: Bytes): View<Bytes> => ({
  bytes,
  words: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/**
 * A position in a page and in the output buffer: `at` is the index after what was read, `length` after what was written. Bytes
 * are copied unchanged, four at a time, in one pass: most strings are short, and searching for the end first would double the
 * work.
 */
export class PlainCursor {
  at = 0;
  length = 0;
  #source: View<Uint8Array> = viewOf(new Uint8Array(0));
  #target: View<Buffer>;

  constructor(bytesInitial: number) {
    this.#target = viewOf(Buffer.allocUnsafeSlow(bytesInitial));
  }

  get source(): Uint8Array {
    return this.#source.bytes;
  }

  set source(source: Uint8Array) {
    this.#source = viewOf(source);
  }

  get target(): Buffer {
    return this.#target.bytes;
  }

  set target(target: Buffer) {
    this.#target = viewOf(target);
  }

  /** Makes room for this many more bytes. */
  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed > this.#target.bytes.length) this.#grow(needed);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.target.length * 2));
    this.target.copy(larger, 0, 0, this.length);
    this.target = larger;
  }

  writeLiteral({ byteCount, words }: Literal): void {
    const { length } = this;
    const room = words.length * WORD;
    if (length + room > this.#target.bytes.length) this.#grow(length + room);
    const target = this.#target.words;
    for (let index = 0; index < words.length; index += 1) {
      target.setInt32(length + index * WORD, words[index] as number, true);
    }
    this.length = length + byteCount;
  }

  /** Reads this byte if it is next; otherwise returns false. */
  take(byte: number): boolean {
    if (this.#source.bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Copies a cell if it is next and plain; otherwise returns false and moves nothing. NULL is not plain. */
  takePlain(kind: PlainKind): boolean {
    switch (kind) {
      case 'number':
        return this.takeNumber();
      case 'quoted number':
        return this.takeQuotedNumber();
      case 'string':
        return this.#takeString();
      case 'field':
        return this.#takeField();
      case 'boolean': // its own writer is as fast
      case 'never':
        return false;
    }
  }

  /** Copies a number if it is next; otherwise, or without room for it, returns false and moves nothing. */
  takeNumber(): boolean {
    const { at, length } = this;
    const end = copyNumber(this.#source.bytes, at, this.#target.bytes, length);
    if (end === NONE) return false;
    this.at = end;
    this.length = length + end - at;
    return true;
  }

  /** Copies a number in quotes without the quotes, with the same rules. */
  takeQuotedNumber(): boolean {
    const { at, length } = this;
    const source = this.#source.bytes;
    if (source[at] !== QUOTE) return false;
    const end = copyNumber(source, at + 1, this.#target.bytes, length);
    if (end === NONE || source[end] !== QUOTE) return false;
    this.at = end + 1;
    this.length = length + end - at - 1;
    return true;
  }

  /** Copies plain text up to the first byte that is not plain, or until page or room are almost at their end. */
  copyPlainText(): void {
    const { words: source } = this.#source;
    const { words: target } = this.#target;
    let { at, length } = this;
    for (; at <= source.byteLength - WORD && length <= target.byteLength - WORD; at += WORD, length += WORD) {
      const word = source.getInt32(at, true);
      target.setInt32(length, word, true);
      const ends = endsOf(word);
      if (ends === 0) continue;
      at += indexOf(ends);
      length += indexOf(ends);
      break;
    }
    this.at = at;
    this.length = length;
  }

  #takeString(): boolean {
    const { at, length } = this;
    if (this.#source.bytes[at] !== QUOTE) return false;
    const end = copyText(this.#source, at + 1, this.#target, length + 1, endsOf);
    if (end === NONE) return false;
    const target = this.#target.bytes;
    target[length] = QUOTE;
    target[length + end - at] = QUOTE;
    this.at = end + 1;
    this.length = length + end - at + 1;
    return true;
  }

  #takeField(): boolean {
    const { at, length } = this;
    if (this.#source.bytes[at] !== QUOTE) return false;
    const end = copyText(this.#source, at + 1, this.#target, length, endsOfField);
    if (end === NONE || end === at + 1) return false;
    this.at = end + 1;
    this.length = length + end - at - 1;
    return true;
  }
}

const commas = commasOf;
const endsOfField = (word: number): number => endsOf(word) | commas(word);

/**
 * Copies text up to its closing quote and returns the index of the quote; NONE if something else ends the text first, or there is
 * no room for another word.
 */
function copyText(
  { bytes, words }: View<Uint8Array>,
  from: number,
  target: View<Buffer>,
  to: number,
  ends: (word: number) => number,
): number {
  const last = from + Math.min(bytes.length - from, target.bytes.length - to) - WORD;
  for (let read = from, written = to; read <= last; read += WORD, written += WORD) {
    const word = words.getInt32(read, true);
    target.words.setInt32(written, word, true);
    const found = ends(word);
    if (found === 0) continue;
    const end = read + indexOf(found);
    return bytes[end] === QUOTE ? end : NONE;
  }
  return NONE;
}

/**
 * Copies a number (RFC 8259, section 6) and returns the index after it; NONE if there is none, or no room for it. A typed array
 * drops what does not fit, so only the end is checked.
 */
function copyNumber(source: Uint8Array, from: number, target: Uint8Array, to: number): number {
  const shift = to - from;
  let at = from;
  let byte = source[at] as number;
  if (byte === MINUS) {
    target[to] = byte;
    at += 1;
    byte = source[at] as number;
  }
  const start = at;
  const first = byte;
  for (; byte >= ZERO && byte <= NINE; byte = source[at] as number) {
    target[at + shift] = byte;
    at += 1;
  }
  if (at === start || (first === ZERO && at > start + 1)) return NONE;
  if (byte === POINT) {
    const point = at;
    do {
      target[at + shift] = byte;
      at += 1;
      byte = source[at] as number;
    } while (byte >= ZERO && byte <= NINE);
    if (at === point + 1) return NONE;
  }
  if ((byte | SMALL) === LOWER_E) at = copyExponent(source, at, target, shift);
  return at + shift <= target.length ? at : NONE;
}

function copyExponent(source: Uint8Array, from: number, target: Uint8Array, shift: number): number {
  const sign = source[from + 1];
  const start = sign === MINUS || sign === PLUS ? from + 2 : from + 1;
  let at = start;
  for (let byte = source[at] as number; byte >= ZERO && byte <= NINE; byte = source[at] as number) at += 1;
  if (at === start) return NONE;
  for (let read = from; read < at; read += 1) target[read + shift] = source[read] as number;
  return at;
}
