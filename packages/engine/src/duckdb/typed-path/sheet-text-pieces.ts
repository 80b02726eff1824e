import { LONG_STRING, TEXT_CELL } from '@sluice/encoders';

const OPEN = Buffer.from(`${TEXT_CELL.openPreserved}${LONG_STRING.open}`);
const CLOSE = Buffer.from(`${LONG_STRING.close}${TEXT_CELL.close}`);
const LOOKS_ESCAPED = /_x[0-9A-Fa-f]{4}_/;
/** Bytes of what looks escaped, without the last one. */
const ESCAPED_START_BYTES = 6;
/** A piece must not end within `_x` or within U+FFFE and U+FFFF. */
const INCOMPLETE = /(?:_|\xef\xbf?)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const SPECIAL = /[\x00-\x08\x0b-\x1f&<>]|_x|\xef\xbf[\xbe\xbf]/g;

/**
 * Returns a large string as a cell of a worksheet, in pieces, as `writeXmlText` of the module does with shorter strings. `pieces` is
 * called twice, because the escape of `_x` depends on all of the text. Strings of latin1 have one character for each byte.
 */
export function* sheetTextPieces(pieces: () => Iterable<Uint8Array>): Generator<Uint8Array> {
  const isAmbiguous = looksEscaped(pieces());
  yield OPEN;
  let rest = '';
  for (const piece of pieces()) {
    const text = rest + latin1(piece);
    rest = INCOMPLETE.exec(text)?.[0] ?? '';
    yield escaped(text.slice(0, text.length - rest.length), isAmbiguous);
  }
  yield Buffer.from(rest, 'latin1');
  yield CLOSE;
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

function looksEscaped(pieces: Iterable<Uint8Array>): boolean {
  let start = '';
  for (const piece of pieces) {
    const text = start + latin1(piece);
    if (LOOKS_ESCAPED.test(text)) return true;
    start = text.slice(-ESCAPED_START_BYTES);
  }
  return false;
}

function escaped(text: string, isAmbiguous: boolean): Uint8Array {
  return Buffer.from(
    text.replace(
      SPECIAL,
      (special) => REFERENCES[special] ?? (special === '_x' ? underscore(isAmbiguous) : invalid(special)),
    ),
    'latin1',
  );
}

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

const underscore = (isAmbiguous: boolean): string => (isAmbiguous ? '_x005F_x' : '_x');

/** Characters that XML cannot contain. */
function invalid(special: string): string {
  const code = Buffer.from(special, 'latin1').toString('utf8').charCodeAt(0);
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
