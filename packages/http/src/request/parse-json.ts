import { ProblemError } from '@sluice/contract';
import { countValues } from './count-values.ts';
import { setExactNumbers } from './exact-numbers.ts';
import { findJsonFault } from './find-json-fault.ts';
import { findRepeatedKeys } from './find-repeated-keys.ts';
import { DEPTH_MAX, scanJson } from './scan-json.ts';
import { tooManyMembers, tooManyValues } from './too-many-values.ts';

const REPEATED_KEYS_MAX = 1000;

const malformed = (message: string, cause?: unknown) =>
  new ProblemError('malformed_json', message, cause === undefined ? {} : { cause });

function violationIn(text: string): string {
  const { line, column, isEnd } = findJsonFault(text);
  return `${isEnd ? 'it ends too early' : 'the mistake is'} at line ${line}, column ${column}`;
}

interface ParsedJson {
  /** `__proto__` becomes an ordinary own key. */
  readonly value: unknown;
  /** Paths of repeated keys of an object. */
  readonly repeatedKeys: readonly (readonly PropertyKey[])[];
}

interface ParseJsonOptions {
  /** Maximum number of members and elements. Default: no limit. */
  readonly valuesMax?: number;
  /** Maximum number of members. Default: `valuesMax`. */
  readonly membersMax?: number;
  /** Member in which numbers keep their digits. */
  readonly exactNumbersIn?: string | undefined;
}

/** Parses a JSON text (RFC 8259) of at most 64 levels. Throws `malformed_json`, and `invalid_request` beyond `valuesMax` and `membersMax`. */
export function parseJson(
  bytes: Uint8Array,
  { valuesMax = Number.POSITIVE_INFINITY, membersMax = valuesMax, exactNumbersIn }: ParseJsonOptions = {},
): ParsedJson {
  if (bytes.length === 0) throw malformed('The body is empty. Send a JSON object.');
  const values = scanJson(bytes, { valuesMax, membersMax });
  if (values === 'depth') throw malformed(`The JSON is nested deeper than ${DEPTH_MAX} levels.`);
  if (values === 'values') throw tooManyValues(valuesMax);
  if (values === 'members') throw tooManyMembers(membersMax);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed('The body is not UTF-8.', cause);
  }
  let parsed: ParsedJson;
  try {
    const value: unknown = JSON.parse(text);
    // Of a repeated key, the value has only one member. Counting them takes a tenth of the time of comparing all keys.
    const repeatedKeys = countValues(value) === values ? [] : findRepeatedKeys(text, REPEATED_KEYS_MAX);
    parsed = { value, repeatedKeys };
  } catch {
    // The text and the parser's message are dropped: both quote the body, which may contain a password.
    throw malformed(`The body is not valid JSON: ${violationIn(text)}.`);
  }
  if (exactNumbersIn !== undefined && parsed.repeatedKeys.length === 0)
    setExactNumbers(text, parsed.value, exactNumbersIn);
  return parsed;
}
