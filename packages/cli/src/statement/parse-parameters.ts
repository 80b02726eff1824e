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

const ITEM = /"(?:[^"\\]|\\.)*"|[^\s,[\]]+/gs;

/** Returns the JSON of each item of an array of strings, numbers, booleans and null, or undefined if a text is something else. */
function itemTexts(text: string): readonly string[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined;
  try {
    const items = JSON.parse(text) as readonly unknown[];
    const isFlat = items.every((item) => typeof item !== 'object' || item === null);
    return isFlat ? [...text.matchAll(ITEM)].map(([item]) => item) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns an item as a host reads it with a named type: a number by its digits. */
const typedItem = (text: string): string | null =>
  text === 'null' ? null : text.startsWith('"') ? (JSON.parse(text) as string) : text;

/** A list without a type: its items are what they are in JSON. Integers and decimals have the decimal type that holds all of them. */
function untypedList(name: string, items: readonly string[], source: string): ParameterValue {
  const given = items.filter((item) => item !== 'null');
  const kinds = new Set(given.map(kindOf));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1) {
    const problem = kind === undefined ? 'shows no type for its items' : `mixes ${[...kinds].join(' and ')}`;
    throw new UsageError(
      `The list of ${source} ${name} ${problem}. Name the type, such as ${name}:array(varchar)=[...].`,
    );
  }
  if (kind === 'doubles') return { type: 'array(double)', value: items.map(typedItem) };
  if (!given.some((item) => DECIMAL.test(item)))
    return items.map(untyped) as readonly (string | bigint | boolean | null)[];
  const parts = given.map((item) => item.replace('-', '').split('.'));
  const scale = Math.max(...parts.map(([, fraction = '']) => fraction.length));
  const whole = Math.max(...parts.map(([digits = '']) => (digits === '0' ? 0 : digits.length)));
  return { type: `array(decimal(${Math.max(whole + scale, 1)},${scale}))`, value: items.map(typedItem) };
}

function kindOf(item: string): string {
  if (item.startsWith('"')) return 'strings';
  if (Object.hasOwn(WORDS, item)) return 'booleans';
  return DOUBLE.test(item) ? 'doubles' : 'numbers';
}

/** Meaning of `--param`, for the help of every command that has it. */
export const PARAMETER_MEANING =
  'Value of $NAME in the statement: NAME=VALUE, or NAME:TYPE=VALUE for a named type such as date or array(varchar).';

/** Rules for the type of a value, for the help of every command that has `--param`. */
export const PARAMETER_RULES = [
  'A value of --param without a type is what it would be in JSON: 500 is a bigint, 1.10 a decimal(3,2), 1e3 a double, true a boolean,',
  'null NULL. Anything else is a string, as is a value in double quotes: --param \'zip="10115"\'. A number with a leading zero is a string, too.',
  'Name the type of everything else: --param day:date=2010-01-31, --param id:varchar=500. The types are those of docs/parameters.md.',
  'A JSON array is a list: --param \'ids=["SFO","JFK"]\'. With a type of lists, each --param may also be one item: --param ids:array(varchar)=SFO',
  '--param ids:array(varchar)=JFK.',
].join(' ');

/** One `--param`. */
interface ParameterOption {
  readonly name: string;
  readonly type: string | undefined;
  readonly value: string;
}

function parseOption(text: string, source: string): ParameterOption {
  const [, name, type, value] = PARAMETER.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(
      `${source} ${JSON.stringify(text)} is not NAME=VALUE or NAME:TYPE=VALUE. A name has lower-case letters, digits and _.`,
    );
  return { name, type: type?.trim(), value };
}

/** Returns the value that the options of one name give: several give the items of a list of a named type. */
function readOptions(options: readonly [ParameterOption, ...ParameterOption[]], source: string): ParameterValue {
  const [{ name, type, value }] = options;
  const items = itemTexts(value);
  const isList = type !== undefined && /^array\(/i.test(type);
  if (options.length > 1) {
    const isItem = (each: ParameterOption) => each.type === type && itemTexts(each.value) === undefined;
    if (!isList || !options.every(isItem))
      throw new UsageError(
        `${source} ${name} is given twice. Only a list may be, with its type and one item each time.`,
      );
    return { type, value: options.map((each) => each.value) };
  }
  if (type === undefined) return items === undefined ? untyped(value) : untypedList(name, items, source);
  return { type, value: isList ? (items?.map(typedItem) ?? [value]) : value };
}

/**
 * Parses the values of `--param`.
 * @param source - option or shortcut that the values are from, for messages
 * @throws UsageError naming the first one that is not valid
 */
export function parseParameters(
  texts: readonly string[],
  source = '--param',
): Readonly<Record<string, ParameterValue>> | undefined {
  if (texts.length === 0) return undefined;
  const byName = new Map<string, [ParameterOption, ...ParameterOption[]]>();
  for (const option of texts.map((text) => parseOption(text, source))) {
    const others = byName.get(option.name);
    if (others === undefined) byName.set(option.name, [option]);
    else others.push(option);
  }
  return Object.fromEntries([...byName].map(([name, options]) => [name, readOptions(options, source)]));
}
