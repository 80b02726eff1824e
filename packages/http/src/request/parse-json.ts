import { ProblemError } from '@sluice/contract';

const DEPTH_MAX = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counts brackets outside strings. Done on the bytes, before anything that would recurse into them. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) index++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.has(byte) && ++depth > DEPTH_MAX) return true;
    else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

const malformed = (message: string, cause?: unknown) =>
  new ProblemError('malformed_json', message, cause === undefined ? {} : { cause });

/** A JSON text (RFC 8259) of at most 64 levels, or `malformed_json`. `__proto__` becomes an ordinary own key. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw malformed('The body is empty; a JSON object is needed.');
  if (isTooDeep(bytes)) throw malformed(`The JSON is nested deeper than ${DEPTH_MAX} levels.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed('The body is not UTF-8.', cause);
  }
  try {
    return JSON.parse(text);
  } catch {
    // Neither the text nor the parser's message is kept: both quote the body, which may hold a password.
    throw malformed('The body is not valid JSON.');
  }
}
