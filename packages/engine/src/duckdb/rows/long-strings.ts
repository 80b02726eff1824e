/**
 * Starts a long string in a row of JSON, followed by the number of its bytes, a colon, and the unchanged bytes. Elsewhere a JSON
 * row contains control characters only as escapes.
 */
export const LONG_STRING = 1;

const COLON = 0x3a;
const DIGITS_MAX = 20;

/** Maximum number of bytes that are turned into JSON at once. */
const PIECE_BYTES = 32 * 1024;

/** Returns the bytes of a finished cell in pieces of at most 192 KiB, with its long strings as JSON strings. */
export function* withLongStrings(cell: Uint8Array): Generator<Uint8Array> {
  const bytes = Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength);
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(LONG_STRING, at);
    const mark = found === -1 ? bytes.length : found;
    yield* piecesOf(bytes.subarray(at, mark));
    if (mark === bytes.length) return;
    const start = bytes.subarray(0, mark + DIGITS_MAX).indexOf(COLON, mark) + 1;
    at = start + Number(bytes.toString('latin1', mark + 1, start - 1));
    yield* escapedPieces(piecesOf(bytes.subarray(start, at)));
  }
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
