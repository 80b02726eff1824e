import { BYTE } from '../protocol/json-scan.ts';
import type { Literal } from './literal.ts';
import { commasOf, endsOfPlainText, placeOfFirst, WORD_BYTES } from './word-bytes.ts';

// What a module imports or exports is looked up at each use, and its own constants are part of its code: of what is done for each
// byte of a result that was a third of the time (measured).
const { quote: QUOTE, minus: MINUS, plus: PLUS, point: POINT, zero: ZERO, nine: NINE, lowerE: LOWER_E } = BYTE;
/** In the byte of a letter, set in a small one. */
const SMALL = 0x20;
const endsOf = endsOfPlainText;
const placeOf = placeOfFirst;
const WORD = WORD_BYTES;
const NONE = -1;

/**
 * How a cell is copied while there is nothing special about it, which is how most are: a number as it stands, or without the quotes
 * around it; a string with its quotes; a field of CSV, whose quotes go and which has no comma.
 */
export type PlainKind = 'number' | 'quoted number' | 'string' | 'field' | 'never';

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
 * A place in a page and a buffer that is written: `at` stands behind what was read, `length` behind what was written.
 * Bytes are copied as they came, four at a time, in one pass: most strings are short, and to look for the end first is twice the work.
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

  /** Makes room for so many bytes more. */
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

  /** Reads a byte that stands right here; otherwise answers no. */
  take(byte: number): boolean {
    if (this.#source.bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  /** Copies a cell that stands right here and is plain; otherwise answers no and moves nothing. NULL is not plain. */
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
      case 'never':
        return false;
    }
  }

  /** Copies a number that stands right here; otherwise, or without room for it, answers no and moves nothing. */
  takeNumber(): boolean {
    const { at, length } = this;
    const end = copyNumber(this.#source.bytes, at, this.#target.bytes, length);
    if (end === NONE) return false;
    this.at = end;
    this.length = length + end - at;
    return true;
  }

  /** The same of a number in quotes, which are left out. */
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

  /** Copies plain text up to the byte that is none, or until page or room are almost at their end. */
  copyPlainText(): void {
    const { words: source } = this.#source;
    const { words: target } = this.#target;
    let { at, length } = this;
    for (; at <= source.byteLength - WORD && length <= target.byteLength - WORD; at += WORD, length += WORD) {
      const word = source.getInt32(at, true);
      target.setInt32(length, word, true);
      const ends = endsOf(word);
      if (ends === 0) continue;
      at += placeOf(ends);
      length += placeOf(ends);
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

/** Copies text up to its closing quote and answers where that is; NONE when another end comes before it, or there is no room for a word and it. */
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
    const end = read + placeOf(found);
    return bytes[end] === QUOTE ? end : NONE;
  }
  return NONE;
}

/**
 * Copies a number (RFC 8259, section 6) and answers the index behind it; NONE when there is none, or no room for it. What has no room
 * a typed array does not keep, so the end alone is looked at.
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
