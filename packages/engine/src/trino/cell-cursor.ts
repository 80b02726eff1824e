import { BYTE, isBare, skipString, unreadable } from './json-scan.ts';

/** Shorter runs are copied faster byte by byte than by a call into the runtime (measured). */
const SHORT_BYTES = 48;
const NULL_TEXT = Buffer.from('null');

/**
 * Reads cells out of a page and writes them into a buffer that grows. Each method moves both: `at` behind what was read, `length`
 * behind what was written. Bytes are copied as they came; nothing is decoded that does not have to be.
 */
export class CellCursor {
  source: Uint8Array = new Uint8Array(0);
  at = 0;
  target: Buffer;
  length = 0;

  constructor(bytesInitial: number) {
    this.target = Buffer.allocUnsafeSlow(bytesInitial);
  }

  /** Makes room for so many bytes more. */
  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.target.byteLength) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.target.byteLength * 2));
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
    this.write(NULL_TEXT);
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.target[this.length] = byte;
    this.length += 1;
  }

  write(bytes: Uint8Array): void {
    this.#copy(bytes, 0, bytes.length);
  }

  /** A number or word as it stands. */
  copyBare(): void {
    this.peek();
    const start = this.at;
    let end = start;
    while (isBare(this.source[end])) end += 1;
    if (end === start) throw unreadable('a value of its data is missing');
    this.#copy(this.source, start, end);
    this.at = end;
  }

  /** A string as it stands, with its quotes and escapes. */
  copyString(): void {
    const start = this.at;
    this.at = this.#stringEnd();
    this.#copy(this.source, start, this.at);
  }

  /** What stands between the quotes, escapes and all. */
  copyStringInside(): void {
    const start = this.at;
    this.at = this.#stringEnd();
    this.#copy(this.source, start + 1, this.at - 1);
  }

  /** The text of a string, its escapes resolved. For what is short or rare. */
  readText(): string {
    const start = this.at;
    this.at = this.#stringEnd();
    const json = Buffer.from(this.source.buffer, this.source.byteOffset + start, this.at - start).toString('utf8');
    try {
      return JSON.parse(json) as string;
    } catch {
      throw unreadable('a string of its data has an escape that is none');
    }
  }

  #stringEnd(): number {
    if (this.peek() !== BYTE.quote) throw unreadable('a value of its data is of another type than its column');
    return skipString(this.source, this.at);
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
