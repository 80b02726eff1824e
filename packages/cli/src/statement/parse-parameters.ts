import type { ParameterValue } from '@sluice/client';
import { UsageError } from '../errors.ts';

const PARAMETER = /^([a-z_][a-z0-9_]{0,127})(?::([a-z][^=]*))?=(.*)$/s;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const DECIMAL = /^-?(0|[1-9]\d*)\.(\d+)$/;
const DOUBLE = /^-?(?:0|[1-9]\d*)(?:\.\d+)?[eE][+-]?\d+$/;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** A decimal of exactly these digits; JSON numbers of JavaScript would drop the zeros of 1.10. */
function parseDecimal(text: string): ParameterValue {
  const [, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  const digits = (whole === '0' ? '' : whole).length + fraction.length;
  return { type: `decimal(${Math.max(digits, fraction.length, 1)},${fraction.length})`, value: text };
}

/** A value without a type: what is a JSON literal is that literal, anything else is text. */
function untyped(text: string): ParameterValue {
  if (Object.hasOwn(WORDS, text)) return WORDS[text] ?? null;
  if (INTEGER.test(text)) return BigInt(text);
  if (DECIMAL.test(text)) return parseDecimal(text);
  if (DOUBLE.test(text)) return { type: 'double', value: text };
  if (!/^".*"$/s.test(text)) return text;
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

/** Meaning of `--param`, for the help of every command that has it. */
export const PARAMETER_MEANING =
  'Value of $NAME in the statement: NAME=VALUE, or NAME:TYPE=VALUE for a named type such as date.';

/** Rules for the type of a value, for the help of every command that has `--param`. */
export const PARAMETER_RULES = [
  'A value of --param without a type is what it would be in JSON: 500 is a bigint, 1.10 a decimal(3,2), 1e3 a double, true a boolean,',
  'null NULL. Anything else is a string, as is a value in double quotes: --param \'zip="10115"\'. A number with a leading zero is a string, too.',
  'Name the type of everything else: --param day:date=2010-01-31, --param id:varchar=500. The types are those of docs/parameters.md.',
].join(' ');

/**
 * Parses the values of `--param`.
 * @throws UsageError naming the first one that is not valid
 */
export function parseParameters(texts: readonly string[]): Readonly<Record<string, ParameterValue>> | undefined {
  if (texts.length === 0) return undefined;
  const parameters = new Map<string, ParameterValue>();
  for (const text of texts) {
    const [, name, type, value] = PARAMETER.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(
        `--param ${JSON.stringify(text)} is not NAME=VALUE or NAME:TYPE=VALUE. A name has lower-case letters, digits and _.`,
      );
    if (parameters.has(name)) throw new UsageError(`--param ${name} is given twice.`);
    parameters.set(name, type === undefined ? untyped(value) : { type: type.trim(), value });
  }
  return Object.fromEntries(parameters);
}
