import type { ParameterValue } from './query.ts';

const BIGINT_MAX = 2n ** 63n - 1n;

type EncodedValue =
  | Exclude<ParameterValue, bigint | readonly unknown[]>
  | readonly (string | number | boolean | null)[];

const integerType = (values: readonly bigint[]): string =>
  values.some((value) => value > BIGINT_MAX || value < -BIGINT_MAX - 1n) ? 'decimal(38,0)' : 'bigint';

/** Writes a bigint as a typed string, because JSON numbers of JavaScript would round it. */
function encode(name: string, value: ParameterValue): EncodedValue {
  if (typeof value === 'bigint') return { type: integerType([value]), value: String(value) };
  return isList(value) ? encodeList(name, value) : value;
}

type List = Extract<ParameterValue, readonly unknown[]>;

const isList = (value: ParameterValue): value is List => Array.isArray(value);

function encodeList(name: string, items: List): EncodedValue {
  if (!items.some((item) => typeof item === 'bigint')) return items.map(withoutBigint);
  const isInteger = (item: List[number]): item is bigint | number =>
    typeof item === 'bigint' || Number.isSafeInteger(item);
  const other = items.find((item) => item !== null && !isInteger(item));
  if (other !== undefined) {
    const type = `{ type: 'array(...)', value: [...] }`;
    throw new TypeError(`The list ${name} has both bigint and ${JSON.stringify(other)}. Name its type: ${type}.`);
  }
  const type = `array(${integerType(items.filter(isInteger).map(BigInt))})`;
  return { type, value: items.map((item) => (item === null ? null : String(item))) };
}

/** Narrows an item of a list without bigint. */
const withoutBigint = (item: List[number]) => (typeof item === 'bigint' ? String(item) : item);

/**
 * Returns parameters as JSON can express them.
 * @throws TypeError for a list with bigint and values that are not integers
 */
export const encodeParameters = (parameters: Readonly<Record<string, ParameterValue>>): Record<string, EncodedValue> =>
  Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, encode(name, value)]));
