import { FORMULA_STARTS } from '@sluice/encoders';

const QUOTE = Buffer.from('"');
const APOSTROPHE = Buffer.from("'");
/** Characters that make a field need quotes (RFC 4180, section 2, rule 6). */
const SPECIAL = ['"', ',', '\n', '\r'].map((character) => character.charCodeAt(0));
const QUOTE_CODE = 0x22;

/**
 * Returns a large string as a field of CSV, in pieces that are valid until the next one. `pieces` is called twice, because quotes come
 * before the text and depend on all of it.
 */
export function* csvPieces(pieces: () => Iterable<Uint8Array>, guardsFormulas: boolean): Generator<Uint8Array> {
  const isQuoted = hasSpecial(pieces());
  let isFirst = true;
  if (isQuoted) yield QUOTE;
  for (const piece of pieces()) {
    if (isFirst && guardsFormulas && FORMULA_STARTS.some((start) => start.charCodeAt(0) === piece[0])) yield APOSTROPHE;
    isFirst = false;
    yield isQuoted ? withDoubledQuotes(piece) : piece;
  }
  if (isQuoted) yield QUOTE;
}

function hasSpecial(pieces: Iterable<Uint8Array>): boolean {
  for (const piece of pieces) if (SPECIAL.some((code) => piece.includes(code))) return true;
  return false;
}

function withDoubledQuotes(piece: Uint8Array): Uint8Array {
  if (!piece.includes(QUOTE_CODE)) return piece;
  const doubled = Buffer.allocUnsafe(piece.byteLength * 2);
  let length = 0;
  for (const byte of piece) {
    if (byte === QUOTE_CODE) length = doubled.writeUInt8(QUOTE_CODE, length);
    length = doubled.writeUInt8(byte, length);
  }
  return doubled.subarray(0, length);
}
