import type { ParameterValue } from './query.ts';

const BIGINT_MAX = 2n ** 63n - 1n;

type PlainValue = string | number | boolean | null;
type TypedValue = Extract<ParameterValue, { readonly type: string }>;
type EncodedValue = PlainValue | readonly PlainValue[] | TypedValue;

const integerType = (values: readonly bigint[]): string =>
  values.some((value) => value > BIGINT_MAX || value < -BIGINT_MAX - 1n) ? 'decimal(38,0)' : 'bigint';

/** A Date is an instant with three digits of a second. */
const INSTANT = 'timestamp(3) with time zone';

/** @throws TypeError if the date is not valid, or its year has not four digits */
function instantText(name: string, date: Date): string {
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (/^\d{4}-/.test(text)) return text;
  throw new TypeError(`The parameter ${name} is not a date from the year 0 to 9999.`);
}

/** Writes a bigint and a Date as typed strings: JSON numbers of JavaScript would round the one, and JSON has no type for the other. */
function encode(name: string, value: ParameterValue): EncodedValue {
  if (typeof value === 'bigint') return { type: integerType([value]), value: String(value) };
  if (value instanceof Date) return { type: INSTANT, value: instantText(name, value) };
  return isList(value) ? encodeList(name, value) : value;
}

type List = Extract<ParameterValue, readonly unknown[]>;
type Item = List[number];

const isList = (value: ParameterValue): value is List => Array.isArray(value);
const isInteger = (item: Item): item is bigint | number => typeof item === 'bigint' || Number.isSafeInteger(item);
const isDate = (item: Item): item is Date => item instanceof Date;
const isPlain = (item: Item): item is PlainValue => typeof item !== 'bigint' && !isDate(item);

const shown = (item: Item): string => (typeof item === 'bigint' ? String(item) : JSON.stringify(item));

function encodeList(name: string, items: List): EncodedValue {
  if (items.every(isPlain)) return items;
  const hasDates = items.some(isDate);
  const other = items.find((item) => item !== null && !(hasDates ? isDate(item) : isInteger(item)));
  if (other !== undefined) {
    const type = `{ type: 'array(...)', value: [...] }`;
    const what = hasDates ? 'dates' : 'bigint';
    throw new TypeError(`The list ${name} has both ${what} and ${shown(other)}. Name its type: ${type}.`);
  }
  const type = hasDates ? INSTANT : integerType(items.filter(isInteger).map(BigInt));
  const text = (item: Item): string => (isDate(item) ? instantText(name, item) : String(item));
  return { type: `array(${type})`, value: items.map((item) => (item === null ? null : text(item))) };
}

/**
 * Returns parameters as JSON can express them.
 * @throws TypeError for a list with bigint or dates and other values, and for a date that is not valid
 */
export const encodeParameters = (parameters: Readonly<Record<string, ParameterValue>>): Record<string, EncodedValue> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, encode(name, value)]));
