import type { Column } from '../contract-types.ts';
import type { Row } from './parse-events.ts';

/** Type of a column, parsed from its name, such as `map(varchar,array(bigint))`. */
type ColumnType =
  | { readonly kind: 'scalar'; readonly name: string }
  | { readonly kind: 'array'; readonly element: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'row'; readonly fields: readonly { readonly name: string; readonly type: ColumnType }[] };

/** Splits at commas outside of parentheses and double quotes. */
function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** Reads `name type` of a field; a name in double quotes has them doubled inside. */
function parseField(text: string, depth: number): { name: string; type: ColumnType } | undefined {
  const [all, quoted, plain] = /^\s*(?:"((?:[^"]|"")*)"|([^\s"]+))\s+/.exec(text) ?? [];
  if (all === undefined) return undefined;
  return { name: quoted?.replaceAll('""', '"') ?? plain ?? '', type: parseColumnType(text.slice(all.length), depth) };
}

/** No engine nests types deeper. */
const TYPE_DEPTH_MAX = 100;

/** Parses a type name. A form that is not known is a scalar, whose values stay as they are. */
export function parseColumnType(name: string, depth = 0): ColumnType {
  const scalar: ColumnType = { kind: 'scalar', name };
  if (depth > TYPE_DEPTH_MAX) return scalar;
  const [, base, inner] = /^(array|map|row)\((.*)\)$/s.exec(name) ?? [];
  if (base === undefined || inner === undefined) return scalar;
  if (base === 'array') return { kind: 'array', element: parseColumnType(inner, depth + 1) };
  const parts = splitArguments(inner);
  if (base === 'map') {
    const [key, value] = parts;
    if (parts.length !== 2 || key === undefined || value === undefined) return scalar;
    return {
      kind: 'map',
      key: parseColumnType(key.trim(), depth + 1),
      value: parseColumnType(value.trim(), depth + 1),
    };
  }
  const fields = parts.map((part) => parseField(part, depth + 1));
  return fields.every((field) => field !== undefined) ? { kind: 'row', fields } : scalar;
}

/**
 * Representation of numbers that a double may round. All others are returned as numbers.
 * - `bigint`: whole numbers (`bigint`, `decimal(p,0)`) as bigint, other decimals as strings. The type of a column decides.
 * - `string`: as strings, with all digits; the fastest.
 * - `number`: as a number where that is exact, else as with `bigint`. The type may differ from row to row.
 */
export type NumberMode = 'bigint' | 'string' | 'number';

type Convert = (value: unknown) => unknown;

const DECIMAL = /^decimal\((\d+),\s*(\d+)\)$/;
const WHOLE = /^-?\d+$/;
/** Digits that every double keeps. */
const EXACT_DIGITS = 15;
/** No engine sends more; the time to parse a bigint grows faster than its length. */
const CHARACTERS_MAX = 1000;

const toBigInt: Convert = (value) =>
  typeof value === 'string' && value.length <= CHARACTERS_MAX && WHOLE.test(value) ? BigInt(value) : value;
/** `NaN` and the infinities are strings in JSON. */
const toDouble: Convert = (value) => (typeof value === 'string' ? Number(value) : value);

/** Returns whether a decimal has the same value as its double, digit by digit. */
function isExact(text: string, number: number): boolean {
  if (text.length > CHARACTERS_MAX) return false;
  if (WHOLE.test(text)) return Number.isSafeInteger(number);
  const significant = text.replace(/^-?0*\.?0*/, '').replace(/0+$/, '');
  return significant.replace('.', '').length <= EXACT_DIGITS && !/e/i.test(text);
}

const toNumber =
  (otherwise: Convert): Convert =>
  (value) => {
    if (typeof value !== 'string') return value;
    const number = Number(value);
    return isExact(value, number) ? number : otherwise(value);
  };

function scalarConverter(name: string, mode: NumberMode): Convert | undefined {
  if (name === 'double' || name === 'real') return toDouble;
  if (mode === 'string') return undefined;
  const [, precision, scale] = DECIMAL.exec(name) ?? [];
  const isWhole = name === 'bigint' || name === 'number' || (scale === '0' && Number(precision) > EXACT_DIGITS);
  if (!isWhole && (precision === undefined || Number(precision) <= EXACT_DIGITS)) return undefined;
  const exact: Convert = isWhole ? toBigInt : (value) => value;
  if (mode === 'number') return toNumber(exact);
  return isWhole ? toBigInt : undefined;
}

/** Sets a member as JSON.parse does, also one named `__proto__`. */
function setMember(target: object, name: string, value: unknown): void {
  if (name !== '__proto__') Reflect.set(target, name, value);
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function arrayConverter(element: Convert): Convert {
  return (value) => (Array.isArray(value) ? value.map(element) : value);
}

/** Converts the values of a map. Its keys stay strings, as in JSON. */
function mapConverter(convert: Convert): Convert {
  return (value) => {
    if (!isObject(value)) return value;
    for (const name of Object.keys(value)) setMember(value, name, convert(Reflect.get(value, name)));
    return value;
  };
}

function membersConverter(members: readonly (readonly [string, Convert])[]): Convert {
  return (value) => {
    if (!isObject(value)) return value;
    for (const [name, convert] of members)
      if (Object.hasOwn(value, name)) setMember(value, name, convert(Reflect.get(value, name)));
    return value;
  };
}

function findConverter(type: ColumnType, mode: NumberMode): Convert | undefined {
  if (type.kind === 'scalar') return scalarConverter(type.name, mode);
  if (type.kind === 'array') {
    const element = findConverter(type.element, mode);
    return element && arrayConverter(element);
  }
  if (type.kind === 'map') {
    const value = findConverter(type.value, mode);
    return value && mapConverter(value);
  }
  const members = type.fields.flatMap(({ name, type: field }) => {
    const convert = findConverter(field, mode);
    return convert === undefined ? [] : [[name, convert] as const];
  });
  return members.length === 0 ? undefined : membersConverter(members);
}

/** Returns a function that converts the values of rows in place, or undefined if no column needs it. */
export function createRowConverter(
  columns: readonly Column[],
  mode: NumberMode,
): ((rows: readonly Row[]) => void) | undefined {
  const members = columns.flatMap(({ name, type }) => {
    const convert = findConverter(parseColumnType(type), mode);
    return convert === undefined ? [] : [[name, convert] as const];
  });
  if (members.length === 0) return undefined;
  const convertRow = membersConverter(members);
  return (rows) => {
    for (const row of rows) convertRow(row);
  };
}
