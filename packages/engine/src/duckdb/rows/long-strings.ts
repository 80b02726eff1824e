/**
 * Starts a long string in a row of JSON, followed by the number of its bytes, a colon, and the unchanged bytes. Elsewhere a JSON
 * row contains control characters only as escapes.
 */
export const LONG_STRING_IN_ROW = 1;

/** Placeholder of a long string in a row of JSON, followed by the number of the column that contains it and a colon. */
export const LONG_STRING_IN_COLUMN = 2;

const COLON = 0x3a;
const DIGITS_MAX = 20;

/** Maximum number of bytes that are turned into JSON at once. */
const PIECE_BYTES = 32 * 1024;

/** Returns the bytes of a long string from a column of its own, in pieces. */
export type LongStringColumns = (column: number, pieceBytes: number) => Iterable<Uint8Array>;

export const hasLongStrings = (rows: Uint8Array): boolean =>
  rows.includes(LONG_STRING_IN_COLUMN) || rows.includes(LONG_STRING_IN_ROW);

/** Returns the bytes of a row in pieces of at most 192 KiB, with its long strings as JSON strings. */
export function* withLongStrings(row: Uint8Array, columns: LongStringColumns): Generator<Uint8Array> {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  const nextMark = markFinder(bytes);
  for (let at = 0; at < bytes.length; ) {
    const mark = nextMark(at);
    if (mark !== at) yield* piecesOf(bytes.subarray(at, mark));
    if (mark === bytes.length) return;
    const colon = bytes.subarray(0, mark + DIGITS_MAX).indexOf(COLON, mark);
    const number = Number(bytes.toString('latin1', mark + 1, colon));
    const start = colon + 1;
    const isInRow = bytes[mark] === LONG_STRING_IN_ROW;
    const pieces = isInRow ? piecesOf(bytes.subarray(start, start + number)) : columns(number, PIECE_BYTES);
    yield* escapedPieces(pieces);
    at = isInRow ? start + number : start;
  }
}

/**
 * Returns a function that finds the first mark from a position on, which must not decrease, or the end of the row. Each kind is
 * searched again only once its last mark is passed: a row of 16,000 strings would otherwise be searched to its end 16,000 times.
 */
function markFinder(row: Buffer): (from: number) => number {
  const indexOf = (mark: number, from: number): number => {
    const found = row.indexOf(mark, from);
    return found === -1 ? row.length : found;
  };
  let inRow = -1;
  let inColumn = -1;
  return (from) => {
    if (inRow < from) inRow = indexOf(LONG_STRING_IN_ROW, from);
    if (inColumn < from) inColumn = indexOf(LONG_STRING_IN_COLUMN, from);
    return Math.min(inRow, inColumn);
  };
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

/** Returns a string as a JSON string in pieces, each valid until the next one. The pieces of the string are at most 32 KiB each. */
export function* escapedPieces(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  yield QUOTE;
  for (const piece of pieces) yield escaped(piece);
  yield QUOTE;
}

const QUOTE = Buffer.from('"');
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON has to escape (RFC 8259, section 7)
const SPECIAL = /["\\\x00-\x1f]/;

/** Filled by `escaped`: its result must be read before the next piece is requested. */
const scratch = Buffer.allocUnsafeSlow(PIECE_BYTES * 6);

/** Escapes a string as DuckDB's `to_json` does. A loop over bytes, because every character of a string may need an escape. */
function escaped(bytes: Uint8Array): Uint8Array {
  if (!SPECIAL.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))) return bytes;
  let used = 0;
  for (const byte of bytes) {
    const written = byte === 0x22 || byte === 0x5c || byte < 0x20 ? ESCAPES[byte] : undefined;
    if (written === undefined) {
      scratch[used] = byte;
      used += 1;
    } else {
      for (const part of written) {
        scratch[used] = part;
        used += 1;
      }
    }
  }
  return scratch.subarray(0, used);
}

const SHORT: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Escapes by character code. */
const ESCAPES = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return Buffer.from(SHORT[character] ?? `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`);
});
