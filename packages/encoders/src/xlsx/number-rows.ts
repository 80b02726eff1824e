import { ROW_MARK } from './cell-xml.ts';

const MARK = ROW_MARK.charCodeAt(0);
const ROW = Buffer.from('<row r="');
const FIRST_CELL = Buffer.from('"><c r="A');
const QUOTE = 0x22;
const ZERO = 0x30;
/** Length of the text that replaces the mark and the `<c` after it, with two numbers of up to seven digits. */
const OPENING_BYTES_MAX = ROW.length + FIRST_CELL.length + 1 + 14;
const CELL_BYTES = '<c'.length;

/**
 * Numbers rows from `first` on: the row's own number and the reference of its first cell. The standard requires neither (ECMA-376
 * part 1, 18.3.1.73 and 18.3.1.4), but some readers do (exceljs). An engine does not know where a sheet begins, and would have to
 * number rows one after the other. The returned bytes are valid until the next call.
 */
export function numberRows(first: number): (bytes: Uint8Array) => Uint8Array {
  let target: Buffer = Buffer.alloc(0);
  let row = first;
  let skipped = 0;
  return (bytes) => {
    const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let length = 0;
    const copy = (from: number, end: number): void => {
      const needed = length + (end - from) + OPENING_BYTES_MAX;
      if (needed > target.length) target = grown(target, Math.max(needed, source.length * 2, target.length * 2));
      source.copy(target, length, from, end);
      length += end - from;
    };
    let at = skipped;
    for (let mark = source.indexOf(MARK); mark !== -1; mark = source.indexOf(MARK, at)) {
      copy(at, mark);
      length = writeOpening(target, length, row);
      row += 1;
      at = mark + 1 + CELL_BYTES;
    }
    skipped = Math.max(0, at - source.length);
    copy(Math.min(at, source.length), source.length);
    return target.subarray(0, length);
  };
}

function grown(buffer: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes);
  buffer.copy(larger);
  return larger;
}

/** Writes byte by byte: for this few bytes that is faster than a call into the runtime. */
function writeOpening(target: Buffer, at: number, row: number): number {
  const cell = writeNumber(target, writeBytes(target, at, ROW), row);
  const end = writeNumber(target, writeBytes(target, cell, FIRST_CELL), row);
  target[end] = QUOTE;
  return end + 1;
}

function writeBytes(target: Buffer, at: number, bytes: Buffer): number {
  for (let index = 0; index < bytes.length; index += 1) target[at + index] = bytes[index] as number;
  return at + bytes.length;
}

function writeNumber(target: Buffer, at: number, value: number): number {
  let digits = 1;
  for (let bound = 10; bound <= value; bound *= 10) digits += 1;
  for (let rest = value, index = at + digits - 1; index >= at; index -= 1) {
    const quotient = Math.floor(rest / 10);
    target[index] = ZERO + rest - quotient * 10;
    rest = quotient;
  }
  return at + digits;
}
