import type { ProblemError } from '@sluice/contract';
import { BYTE, skipBare, skipString, unreadable } from '../protocol/json-scan.ts';
import { literalOf } from './literal.ts';
import { PlainCursor } from './plain-cursor.ts';

/** Our own loops copy shorter runs faster than a call into the runtime (measured). */
const SHORT_BYTES = 48;
/** Room for further words when there was none left. */
const MORE_BYTES = 64;
const NULL_TEXT = literalOf('null');
const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
/** Characters that may follow a backslash (RFC 8259, section 7). */
const ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrtu'));

/** Reads cells with any content from a page, including white space before them. Decodes only what must be decoded. */
export class CellCursor extends PlainCursor {
  /** Returns the next byte that is not white space, without consuming it. */
  peek(): number {
    let byte = this.source[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.at += 1;
      byte = this.source[this.at];
    }
    if (byte === undefined) throw unreadable('it ends in the middle of its data');
    return byte;
  }

  /** Reads one required byte. */
  expect(byte: number): void {
    if (this.take(byte)) return;
    if (this.peek() !== byte)
      throw unreadable(`its data do not contain the expected ${JSON.stringify(String.fromCharCode(byte))}`);
    this.at += 1;
  }

  /** Reads `null` if it is next. */
  takeNull(): boolean {
    if (this.peek() !== BYTE.lowerN) return false;
    if (!this.#takeWord(NULL)) throw unreadable('a word of its data is not JSON');
    return true;
  }

  /** Reads `true` or `false` and returns which. */
  readBoolean(): boolean {
    this.peek();
    if (this.#takeWord(TRUE)) return true;
    if (this.#takeWord(FALSE)) return false;
    throw otherType();
  }

  #takeWord(word: Uint8Array): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (this.source[this.at + index] !== word[index]) return false;
    }
    this.at += word.length;
    return true;
  }

  writeNull(): void {
    this.writeLiteral(NULL_TEXT);
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.target[this.length] = byte;
    this.length += 1;
  }

  write(bytes: Uint8Array): void {
    this.#copy(bytes, 0, bytes.length);
  }

  /** Copies a required number unchanged. */
  copyNumber(): void {
    this.peek();
    if (this.takeNumber()) return;
    this.reserve(skipBare(this.source, this.at) - this.at);
    if (!this.takeNumber()) throw otherType();
  }

  /** Copies a number in quotes without the quotes. Returns false and reads nothing if the quotes contain no number. */
  copyQuotedNumber(): boolean {
    this.#requireQuote();
    if (this.takeQuotedNumber()) return true;
    this.reserve(skipString(this.source, this.at) - this.at);
    return this.takeQuotedNumber();
  }

  /** Copies a string with its quotes and escapes. */
  copyString(): void {
    this.writeByte(this.#requireQuote());
    this.#copyInside();
    this.writeByte(BYTE.quote);
  }

  /** Copies the text between the quotes, with its escapes. Returns whether there are any. */
  copyStringInside(): boolean {
    this.#requireQuote();
    return this.#copyInside();
  }

  #requireQuote(): number {
    if (this.peek() !== BYTE.quote) throw otherType();
    return BYTE.quote;
  }

  /** Copies from the opening quote, which is left out, to after the closing one. */
  #copyInside(): boolean {
    let hasEscapes = false;
    this.at += 1;
    for (;;) {
      this.copyPlainText();
      const byte = this.source[this.at] as number;
      this.reserve(MORE_BYTES);
      if (byte === BYTE.quote) break;
      if (!(byte >= BYTE.space)) throw unreadable('a string of its data does not end, or contains a control character');
      let bytes = 1;
      if (byte === BYTE.backslash) {
        hasEscapes = true;
        bytes = this.#escapeBytes();
      }
      this.#copy(this.source, this.at, this.at + bytes);
      this.at += bytes;
    }
    this.at += 1;
    return hasEscapes;
  }

  /** Returns the length of the escape that begins here. */
  #escapeBytes(): number {
    const kind = this.source[this.at + 1] as number;
    if (!ESCAPES.has(kind)) throw invalidEscape();
    if (kind !== BYTE.lowerU) return 2;
    for (let index = 2; index < 6; index += 1) if (!isHexDigit(this.source[this.at + index])) throw invalidEscape();
    return 6;
  }

  /** Returns the text of a string with its escapes resolved. For short or rare strings. */
  readText(): string {
    this.#requireQuote();
    const start = this.at;
    this.at = skipString(this.source, start);
    const json = Buffer.from(this.source.buffer, this.source.byteOffset + start, this.at - start).toString('utf8');
    try {
      return JSON.parse(json) as string;
    } catch {
      throw invalidEscape();
    }
  }

  #copy(from: Uint8Array, start: number, end: number): void {
    const bytes = end - start;
    this.reserve(bytes);
    const { target, length } = this;
    if (bytes <= SHORT_BYTES)
      for (let index = 0; index < bytes; index += 1) target[length + index] = from[start + index] as number;
    else target.set(from.subarray(start, end), length);
    this.length = length + bytes;
  }
}

const otherType = (): ProblemError => unreadable('a value of its data is of another type than its column');
const invalidEscape = (): ProblemError => unreadable('a string of its data has an invalid escape');

const isHexDigit = (byte: number | undefined): boolean =>
  byte !== undefined && /[0-9A-Fa-f]/.test(String.fromCharCode(byte));
