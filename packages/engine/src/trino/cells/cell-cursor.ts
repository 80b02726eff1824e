import { BARE, BYTE, skipBare, skipString, unreadable } from '../protocol/json-scan.ts';
import { type Literal, literalOf } from './literal.ts';
import { endsPlainText, holdsComma, WORD_BYTES } from './word-bytes.ts';

/** Shorter runs are copied faster by our own loops than by a call into the runtime (measured). */
const SHORT_BYTES = 48;
const NULL_TEXT = literalOf('null');

/** What a string was seen to hold, of what its reader may care about. */
export const MARK = { none: 0, comma: 1, escape: 2 } as const;

/**
 * Reads cells out of a page and writes them into a buffer that grows. Each method moves both: `at` behind what was read, `length`
 * behind what was written. Bytes are copied as they came, four at a time; nothing is decoded that does not have to be.
 */
export class CellCursor {
  at = 0;
  length = 0;
  #source: Uint8Array = new Uint8Array(0);
  #sourceWords: DataView = new DataView(new ArrayBuffer(0));
  #target: Buffer = Buffer.alloc(0);
  #targetWords: DataView = new DataView(new ArrayBuffer(0));

  constructor(bytesInitial: number) {
    this.target = Buffer.allocUnsafeSlow(bytesInitial);
  }

  get source(): Uint8Array {
    return this.#source;
  }

  set source(source: Uint8Array) {
    this.#source = source;
    this.#sourceWords = new DataView(source.buffer, source.byteOffset, source.byteLength);
  }

  get target(): Buffer {
    return this.#target;
  }

  set target(target: Buffer) {
    this.#target = target;
    this.#targetWords = new DataView(target.buffer, target.byteOffset, target.byteLength);
  }

  /** Makes room for so many bytes more. */
  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed > this.target.length) this.#grow(needed);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.target.length * 2));
    this.target.copy(larger, 0, 0, this.length);
    this.target = larger;
  }

  /** The next byte that is no white space, which stays to be read. */
  peek(): number {
    let byte = this.source[this.at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.at += 1;
      byte = this.source[this.at];
    }
    if (byte === undefined) throw unreadable('it ends in the middle of its data');
    return byte;
  }

  /** Reads one byte that must be there. */
  expect(byte: number): void {
    if (this.peek() !== byte) throw unreadable(`its data lack a ${JSON.stringify(String.fromCharCode(byte))}`);
    this.at += 1;
  }

  /** Reads `null`, when it is next. */
  takeNull(): boolean {
    if (this.peek() !== BYTE.lowerN) return false;
    if (this.source[this.at + 1] !== 0x75 || this.source[this.at + 2] !== 0x6c || this.source[this.at + 3] !== 0x6c) {
      throw unreadable('a word of its data is none of JSON');
    }
    this.at += 4;
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
    const count = bytes.length;
    const { length } = this;
    if (length + count > this.target.length) this.#grow(length + count);
    const { target } = this;
    if (count > SHORT_BYTES) target.set(bytes, length);
    else for (let index = 0; index < count; index += 1) target[length + index] = bytes[index] as number;
    this.length = length + count;
  }

  writeLiteral({ bytes, words }: Literal): void {
    const { length } = this;
    const room = words.length * WORD_BYTES;
    if (length + room > this.#target.length) this.#grow(length + room);
    const target = this.#targetWords;
    for (let index = 0; index < words.length; index += 1) {
      target.setInt32(length + index * WORD_BYTES, words[index] as number, true);
    }
    this.length = length + bytes.length;
  }

  /** A number or word as it stands. */
  copyBare(): void {
    this.peek();
    const source = this.#source;
    const target = this.#target;
    const start = this.at;
    const room = target.length;
    let read = start;
    for (let written = this.length; written < room; read += 1, written += 1) {
      const byte = source[read] as number;
      if (BARE[byte] !== 1) {
        if (read === start) throw unreadable('a value of its data is missing');
        this.at = read;
        this.length = written;
        return;
      }
      target[written] = byte;
    }
    const end = skipBare(source, start);
    this.#copy(source, start, end);
    this.at = end;
  }

  /** A string as it stands, with its quotes and escapes. */
  copyString(): void {
    this.#requireQuote();
    this.#copyToQuote(this.at);
    this.writeByte(BYTE.quote);
  }

  /** What stands between the quotes, escapes and all. Answers the marks of what it holds; too many of them where nobody looked. */
  copyStringInside(): number {
    this.#requireQuote();
    return this.#copyToQuote(this.at + 1);
  }

  #requireQuote(): void {
    if (this.peek() !== BYTE.quote) throw unreadable('a value of its data is of another type than its column');
  }

  /**
   * Looks for the closing quote and copies on the way: most strings are short, and one pass over them is half the work of two.
   * `from` is the opening quote, or the byte behind it. What is no plain text is left to the loop over single bytes.
   */
  #copyToQuote(from: number): number {
    const source = this.#source;
    const target = this.#target;
    let read = from;
    let written = this.length;
    if (read === this.at && written < target.length) {
      target[written] = BYTE.quote;
      read += 1;
      written += 1;
    }
    let marks: number = MARK.none;
    const words = Math.min(source.length - read, target.length - written) - WORD_BYTES;
    for (const last = read + words; read <= last; read += WORD_BYTES, written += WORD_BYTES) {
      const word = this.#sourceWords.getInt32(read, true);
      if (endsPlainText(word)) break;
      if (holdsComma(word)) marks = MARK.comma;
      this.#targetWords.setInt32(written, word, true);
    }
    for (; written < target.length; read += 1, written += 1) {
      const byte = source[read] as number;
      if (byte === BYTE.quote) {
        this.at = read + 1;
        this.length = written;
        return marks;
      }
      target[written] = byte;
      if (byte === BYTE.backslash) {
        marks |= MARK.escape;
        read += 1;
        written += 1;
        target[written] = source[read] as number;
      } else if (byte === BYTE.comma) marks |= MARK.comma;
      else if (!(byte >= BYTE.space))
        throw unreadable('a string of its data does not end, or holds a control character');
    }
    return this.#copyLongString(from);
  }

  /** A string that there is no room for yet. */
  #copyLongString(from: number): number {
    const end = skipString(this.source, this.at);
    this.#copy(this.source, from, end - 1);
    this.at = end;
    return MARK.comma | MARK.escape;
  }

  /** The text of a string, its escapes resolved. For what is short or rare. */
  readText(): string {
    this.#requireQuote();
    const start = this.at;
    this.at = skipString(this.source, start);
    const json = Buffer.from(this.source.buffer, this.source.byteOffset + start, this.at - start).toString('utf8');
    try {
      return JSON.parse(json) as string;
    } catch {
      throw unreadable('a string of its data has an escape that is none');
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
