import { ProblemError } from '@sluice/contract';
import { findRepeatedKeys } from './find-repeated-keys.ts';

const DEPTH_MAX = 64;
const REPEATED_KEYS_MAX = 1000;
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

export interface ParsedJson {
  /** `__proto__` becomes an ordinary own key. */
  readonly value: unknown;
  /** Paths of keys that occur earlier in the same object. */
  readonly repeatedKeys: readonly (readonly PropertyKey[])[];
}

/** A JSON text (RFC 8259) of at most 64 levels, or `malformed_json`. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  if (bytes.length === 0) throw malformed('The body is empty; a JSON object is needed.');
  if (isTooDeep(bytes)) throw malformed(`The JSON is nested deeper than ${DEPTH_MAX} levels.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed('The body is not UTF-8.', cause);
  }
  try {
    return { value: JSON.parse(text), repeatedKeys: findRepeatedKeys(text, REPEATED_KEYS_MAX) };
  } catch {
    // Neither the text nor the parser's message is kept: both quote the body, which may hold a password.
    throw malformed('The body is not valid JSON.');
  }
}
