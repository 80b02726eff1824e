import { ProblemError } from '@sluice/contract';
import { setExactNumbers } from './exact-numbers.ts';
import { findJsonFault } from './find-json-fault.ts';
import { findRepeatedKeys } from './find-repeated-keys.ts';

const DEPTH_MAX = 64;
const REPEATED_KEYS_MAX = 1000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Counts brackets outside strings, on the bytes and before anything recurses into them. */
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

function mistakeIn(text: string): string {
  const { line, column, isEnd } = findJsonFault(text);
  return `${isEnd ? 'it ends too early' : 'the mistake is'} at line ${line}, column ${column}`;
}

interface ParsedJson {
  /** `__proto__` becomes an ordinary own key. */
  readonly value: unknown;
  /** Paths of repeated keys of an object. */
  readonly repeatedKeys: readonly (readonly PropertyKey[])[];
}

/** Parses a JSON text (RFC 8259) of at most 64 levels. Numbers within `exactNumbersIn` keep their digits. Throws `malformed_json`. */
export function parseJson(bytes: Uint8Array, exactNumbersIn?: string): ParsedJson {
  if (bytes.length === 0) throw malformed('The body is empty. Send a JSON object.');
  if (isTooDeep(bytes)) throw malformed(`The JSON is nested deeper than ${DEPTH_MAX} levels.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed('The body is not UTF-8.', cause);
  }
  let parsed: ParsedJson;
  try {
    parsed = { value: JSON.parse(text), repeatedKeys: findRepeatedKeys(text, REPEATED_KEYS_MAX) };
  } catch {
    // The text and the parser's message are dropped: both quote the body, which may contain a password.
    throw malformed(`The body is not valid JSON: ${mistakeIn(text)}.`);
  }
  if (exactNumbersIn !== undefined && parsed.repeatedKeys.length === 0)
    setExactNumbers(text, parsed.value, exactNumbersIn);
  return parsed;
}
