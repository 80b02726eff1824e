import type { ProblemError } from '@sluice/contract';
import { unavailable } from './transport-failure.ts';

/** Bytes of JSON's punctuation (RFC 8259). */
export const BYTE = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  minus: 0x2d,
  plus: 0x2b,
  zero: 0x30,
  nine: 0x39,
  point: 0x2e,
  space: 0x20,
  lowerE: 0x65,
  lowerF: 0x66,
  lowerN: 0x6e,
  lowerT: 0x74,
  lowerU: 0x75,
} as const;

/** Returns the problem for a page that violates JSON or the protocol. None of its data can be trusted, so the result fails. */
export const unreadable = (what: string): ProblemError =>
  unavailable(`Trino sent a page that cannot be read: ${what}.`);

/** Returns the index of the first byte from `at` on that is not white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let position = at;
  for (;;) {
    const byte = bytes[position];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return position;
    position += 1;
  }
}

/** Returns the index after the string whose opening quote is at `at`. */
export function skipString(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  for (let position = at + 1; position < end; position += 1) {
    const byte = bytes[position] as number;
    if (byte === BYTE.quote) return position + 1;
    if (byte === BYTE.backslash) position += 1;
    else if (byte < BYTE.space) throw unreadable('a string contains a control character');
  }
  throw unreadable('a string does not end');
}

/** Returns the index after the value that begins at `at`, whatever it contains. Brackets are counted, not matched. */
export function skipValue(bytes: Uint8Array, at: number): number {
  let position = skipSpace(bytes, at);
  let depth = 0;
  do {
    const byte = bytes[position];
    if (byte === undefined) throw unreadable('it ends in the middle');
    if (byte === BYTE.quote) position = skipString(bytes, position);
    else if (byte === BYTE.openArray || byte === BYTE.openObject) {
      depth += 1;
      position += 1;
    } else if (byte === BYTE.closeArray || byte === BYTE.closeObject) {
      depth -= 1;
      position += 1;
    } else if (depth === 0) position = skipBare(bytes, position);
    else position += 1;
  } while (depth > 0);
  if (depth < 0) throw unreadable('a closing bracket has no opening one');
  return position;
}

/** Returns the index after a number, `true`, `false` or `null`. */
export function skipBare(bytes: Uint8Array, at: number): number {
  let position = at;
  while (BARE[bytes[position] as number] === 1) position += 1;
  if (position === at) throw unreadable('a value is missing');
  return position;
}

/** Letters, digits, and other characters of numbers: none of them ends a line, a field or a string. */
const BARE = Uint8Array.from({ length: 256 }, (_, byte) => (/[A-Za-z0-9+.-]/.test(String.fromCharCode(byte)) ? 1 : 0));
