import { appendFileSync, closeSync, openSync } from 'node:fs';

/** Characters that are collected before they are written. */
const BUFFER_CHARACTERS = 256 * 1024;

/** A new file that lines are added to as they arrive, in bounded memory. Methods throw errors of the file system. */
export class LineFile implements Disposable {
  readonly #file: number;
  #lines: string[] = [];
  #characters = 0;
  #bytes = 0;

  /** Throws if the file exists. */
  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
  }

  /** Bytes that are written, without those that are collected. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds one or more lines, given without the line feed at their end. Writes to the file in this call if many are collected: rows of the database arrive one by one and cannot wait. */
  add(lines: string): void {
    this.#lines.push(lines, '\n');
    this.#characters += lines.length + 1;
    if (this.#characters >= BUFFER_CHARACTERS) this.#write();
  }

  /** Writes the last lines and closes the file. */
  end(): void {
    this.#write();
  }

  #write(): void {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#characters = 0;
    this.#bytes += bytes.byteLength;
    appendFileSync(this.#file, bytes);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
