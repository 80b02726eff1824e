import { ExactNumber } from '../fields/exact-number.ts';
import {
  exactType,
  type ListType,
  numberType,
  PARAMETER_TYPES_TEXT,
  type ParameterType,
  parameterTypeName,
  parseParameterType,
  type ScalarType,
} from './parameter-type.ts';
import { readParameterText } from './parameter-value.ts';

interface ScalarParameter {
  /** Name without the dollar sign. */
  readonly name: string;
  readonly type: ScalarType;
  /** Canonical text (`readParameterText`); null: NULL. */
  readonly value: string | null;
}

/** Canonical text of each item of a list. */
type ItemTexts = readonly (string | null)[];

interface ListParameter {
  readonly name: string;
  readonly type: ListType;
  /** Null: NULL instead of a list. */
  readonly value: ItemTexts | null;
}

/** Value of a parameter of a statement, checked. Plain data, because it is sent to query workers. */
export type QueryParameter = ScalarParameter | ListParameter;

export const isListParameter = (parameter: QueryParameter): parameter is ListParameter =>
  parameter.type.name === 'array';

/** Reason why a value is not one of a parameter. */
export interface ParameterProblem {
  readonly message: string;
  /** Index of the item of a list that has the problem. */
  readonly item?: number;
}

/** A parameter, or every reason why a value is not one. */
export type ParameterReading =
  | { readonly parameter: QueryParameter }
  | { readonly problems: readonly ParameterProblem[] };

export const ITEMS_MAX = 10_000;
/** Number of problems after which the rest is not checked: 10,000 take 20 ms to describe. */
export const PARAMETER_PROBLEMS_MAX = 1_000;

export const parameterProblem = (message: string): ParameterReading => ({ problems: [{ message }] });

/** Returns NULL of a type. */
export const nullParameter = (name: string, type: ParameterType): ParameterReading => ({
  parameter: type.name === 'array' ? { name, type, value: null } : { name, type, value: null },
});

type TextReading = ReturnType<typeof readParameterText>;

function readText(type: ScalarType, text: string): TextReading {
  // A value is stored in the audit log.
  if (text.includes('\0')) return { message: 'must not contain the NUL character' };
  if (!text.isWellFormed()) return { message: 'must be well-formed Unicode: it has a lone surrogate' };
  const read = readParameterText(type, text);
  return 'message' in read ? { message: `${read.message} (${parameterTypeName(type)})` } : read;
}

/** Reads the text of a value of a known type, as in a link (`p.name=value`). */
export function readTypedParameter(name: string, type: ScalarType, text: string): ParameterReading {
  const read = readText(type, text);
  return 'message' in read ? { problems: [read] } : { parameter: { name, type, value: read.value } };
}

/** Reads the items of a list of a known type. `readItem` is not called for NULL. */
function readItems<Item>(
  { name, type }: Pick<ListParameter, 'name' | 'type'>,
  items: readonly (Item | null)[],
  readItem: (item: Item) => TextReading,
): ParameterReading {
  if (items.length > ITEMS_MAX) return parameterProblem(`must hold at most ${ITEMS_MAX} items`);
  const problems: ParameterProblem[] = [];
  const value = items.map((each, item) => {
    const isRead = each !== null && problems.length < PARAMETER_PROBLEMS_MAX;
    const read = isRead ? readItem(each) : { value: null };
    if ('value' in read) return read.value;
    problems.push({ message: read.message, item });
    return null;
  });
  return problems.length > 0 ? { problems } : { parameter: { name, type, value } };
}

/** Reads the texts of the items of a list of a known type, as in a link (`p.name=value&p.name=value`). */
export const readTypedList = (name: string, type: ListType, texts: ItemTexts): ParameterReading =>
  readItems({ name, type }, texts, (text) => readText(type.item, text));

/**
 * Reads a value of the JSON form: a string, number, boolean or null, an array of them, or `{"type": ..., "value": ...}`. With
 * `expected`, the type of a declaration, a plain value is read as that type, and another type is an error. Without it, a list that shows
 * no type, because it is empty or has only NULL, has items of the type `unknown`.
 */
export function readParameter(name: string, given: unknown, expected?: ParameterType): ParameterReading {
  if (isTypedValue(given)) return readTypedValue(name, given, expected);
  if (given === null) return nullParameter(name, expected ?? { name: 'unknown' });
  if (Array.isArray(given) && expected?.name !== 'array') {
    return expected === undefined ? readUntypedList(name, given) : parameterProblem(NOT_A_LIST);
  }
  if (expected !== undefined) return readPlainValue(name, given, expected);
  const text = plainText(given);
  if (text === undefined)
    return parameterProblem(
      'must be a string, number, boolean or null, an array of these, or an object with type and value',
    );
  const type = plainType(given, text);
  return type === undefined ? parameterProblem(NOT_EXACT) : readPlainValue(name, given, type);
}

const NOT_A_LIST = 'must be one value, not a list';
const NOT_EXACT = 'must be a number that bigint, decimal or double can hold exactly; or send it as a string';

interface TypedValue {
  readonly type: unknown;
  readonly value: unknown;
}

export const isTypedValue = (given: unknown): given is TypedValue =>
  typeof given === 'object' && given !== null && !(given instanceof ExactNumber) && !Array.isArray(given);

function readTypedValue(name: string, given: TypedValue, expected: ParameterType | undefined): ParameterReading {
  const keys = Object.keys(given);
  if (keys.length !== 2 || !keys.includes('type') || !keys.includes('value'))
    return parameterProblem('must be an object with exactly type and value');
  const type = typeof given.type === 'string' ? parseParameterType(given.type) : undefined;
  if (type === undefined) return parameterProblem(`must have the type ${PARAMETER_TYPES_TEXT}`);
  if (expected !== undefined && parameterTypeName(type) !== parameterTypeName(expected))
    return parameterProblem(`must be of type ${parameterTypeName(expected)}, not ${parameterTypeName(type)}`);
  return given.value === null ? nullParameter(name, type) : readPlainValue(name, given.value, type);
}

/** Reads a value other than null as a type. */
function readPlainValue(name: string, given: unknown, type: ParameterType): ParameterReading {
  if (type.name !== 'array') {
    const read = readPlainText(type, given);
    return 'message' in read ? { problems: [read] } : { parameter: { name, type, value: read.value } };
  }
  if (!Array.isArray(given)) return parameterProblem(`must be an array of items (${parameterTypeName(type)})`);
  return readItems({ name, type }, given as unknown[], (item) => readPlainText(type.item, item));
}

function readPlainText(type: ScalarType, given: unknown): TextReading {
  const text = plainText(given);
  if (text === undefined) return { message: 'must have a value that is a string, number, boolean or null' };
  if (type.name === 'varchar' && typeof given !== 'string') return { message: 'must be a string (varchar)' };
  return readText(type, text);
}

function plainText(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  return given instanceof ExactNumber ? given.digits : undefined;
}

function plainType(given: unknown, text: string): ScalarType | undefined {
  if (typeof given === 'string') return { name: 'varchar' };
  return typeof given === 'boolean' ? { name: 'boolean' } : numberType(text);
}

/** A list has one type, so an item of another kind than the first one is an error. Integers and decimals are one kind. */
type ItemKind = 'varchar' | 'boolean' | 'number' | 'double';

/** Returns the kind of an item, or why it is not a value. Nothing is computed of a number that is short enough for any type. */
function kindOf(given: unknown): ItemKind | { readonly message: string } {
  if (typeof given === 'string') return 'varchar';
  if (typeof given === 'boolean') return 'boolean';
  const digits = plainText(given);
  if (digits === undefined) return { message: 'must be a string, number, boolean or null' };
  if (/e/i.test(digits)) return Number.isFinite(Number(digits)) ? 'double' : { message: NOT_EXACT };
  return digits.length < SHORT_DIGITS || numberType(digits) !== undefined ? 'number' : { message: NOT_EXACT };
}

const SHORT_DIGITS = 30;

function readUntypedList(name: string, items: readonly unknown[]): ParameterReading {
  if (items.length > ITEMS_MAX) return parameterProblem(`must hold at most ${ITEMS_MAX} items`);
  const problems: ParameterProblem[] = [];
  let first: ItemKind | undefined;
  for (const [item, given] of items.entries()) {
    if (given === null) continue;
    const kind = kindOf(given);
    if (typeof kind === 'string') first ??= kind;
    if (typeof kind === 'object') problems.push({ ...kind, item });
    else if (kind !== first)
      problems.push({ item, message: `is a ${kind}, but the first item is a ${first}: ${NAME_TYPE}` });
    if (problems.length === PARAMETER_PROBLEMS_MAX) break;
  }
  if (problems.length > 0) return { problems };
  const type = typeOfItems(first, items);
  if (type === undefined) return parameterProblem(`has numbers that no decimal holds together exactly: ${NAME_TYPE}`);
  return readPlainValue(name, items, { name: 'array', item: type });
}

const NAME_TYPE = 'the items of a list have one type, which {"type": "array(...)", "value": [...]} names';

function typeOfItems(kind: ItemKind | undefined, items: readonly unknown[]): ScalarType | undefined {
  if (kind !== 'number') return { name: kind ?? 'unknown' };
  return exactType(items.flatMap((item) => plainText(item) ?? []));
}
