import { FileFault } from './file-fault.ts';

const LF = 0x0a;

/** Beginnings of files that are often taken for text. */
const OTHER_FILES: readonly (readonly [bytes: string, what: string])[] = [
  ['504b0304', 'is a workbook or ZIP file, not text; save it as CSV in UTF-8'],
  ['fffe', 'is UTF-16; save the file in UTF-8'],
  ['feff', 'is UTF-16; save the file in UTF-8'],
  ['1f8b', 'is compressed; decompress it first'],
];

const isUtf8 = (bytes: Uint8Array, isPart: boolean): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isPart });
    return true;
  } catch {
    return false;
  }
};

/** Returns the length of the longest beginning that is UTF-8. */
function validLength(bytes: Uint8Array): number {
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isUtf8(bytes.subarray(0, middle), true)) low = middle;
    else high = middle - 1;
  }
  // The violation begins with the character that does not continue.
  while (low > 0 && !isUtf8(bytes.subarray(0, low), false)) low -= 1;
  return low;
}

/** Checks on the way that a file is UTF-8 without NUL, and knows the position of the first byte that is not. */
export class TextCheck {
  #decoder = new TextDecoder('utf-8', { fatal: true });
  #line = 1;
  /** Bytes of the current line before this chunk. */
  #lineBytes: Uint8Array = new Uint8Array();
  #isStart = true;
  bytes = 0;

  /** @throws FileFault */
  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.#isStart) this.#checkStart(chunk);
    const nul = chunk.indexOf(0);
    if (nul !== -1) throw this.#fault(chunk, nul, 'a NUL character is not text; remove it');
    try {
      this.#decoder.decode(chunk, { stream: true });
    } catch {
      throw this.#notUtf8(chunk);
    }
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) this.#line += 1;
    const rest = chunk.subarray(chunk.lastIndexOf(LF) + 1);
    // The column of a violation in a line of megabytes is not worth its memory.
    const kept = rest.length === chunk.length ? Buffer.concat([this.#lineBytes, rest]) : Buffer.from(rest);
    this.#lineBytes = kept.length > 65_536 ? new Uint8Array() : kept;
  }

  /** @throws FileFault if the text ends within a character */
  end(): void {
    try {
      this.#decoder.decode();
    } catch {
      throw new FileFault(this.#line, undefined, 'the file ends within a character; is it whole?');
    }
  }

  #checkStart(chunk: Uint8Array): void {
    this.#isStart = chunk.length === 0;
    const start = Buffer.from(chunk.subarray(0, 4)).toString('hex');
    const found = OTHER_FILES.find(([bytes]) => start.startsWith(bytes));
    if (found !== undefined) throw new FileFault(1, 1, `the file ${found[1]}`);
  }

  #notUtf8(chunk: Uint8Array): FileFault {
    const all = Buffer.concat([this.#lineBytes, chunk]);
    const at = validLength(all) - this.#lineBytes.length;
    return this.#fault(chunk, Math.max(at, 0), 'this is not UTF-8; save the file in UTF-8');
  }

  #fault(chunk: Uint8Array, at: number, what: string): FileFault {
    const before = chunk.subarray(0, at);
    let line = this.#line;
    for (let found = before.indexOf(LF); found !== -1; found = before.indexOf(LF, found + 1)) line += 1;
    const start = before.lastIndexOf(LF) + 1;
    const own = start === 0 ? Buffer.concat([this.#lineBytes, before]) : before.subarray(start);
    return new FileFault(line, [...new TextDecoder().decode(own)].length + 1, what);
  }
}
