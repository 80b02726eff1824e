import { z } from 'zod';
import { ExactNumber } from '../fields/exact-number.ts';
import {
  numberType,
  PARAMETER_TYPE_PATTERN,
  PARAMETER_TYPES_TEXT,
  type ParameterType,
  parameterTypeName,
  parseParameterType,
} from './parameter-type.ts';
import { readParameterText } from './parameter-value.ts';

/** Value of a parameter of a statement, checked. Plain data, because it is sent to query workers. */
export interface QueryParameter {
  /** Name without the dollar sign. */
  readonly name: string;
  readonly type: ParameterType;
  /** Canonical text (`readParameterText`); null: NULL. */
  readonly value: string | null;
}

/** A parameter, or the reason why a value is not one. */
export type ParameterReading = { readonly parameter: QueryParameter } | { readonly message: string };

export const PARAMETERS_MAX = 1_000;
/** Maximum size of all names and values in bytes of UTF-8. */
const PARAMETER_BYTES_MAX = 262_144;
/** Most bytes of UTF-8 for each UTF-16 unit. */
const UTF8_BYTES_MAX = 3;
const NAME_CHARACTERS_MAX = 128;
export const PARAMETER_NAME = /^[a-z_][a-z0-9_]{0,127}$/;
export const PARAMETER_NAME_RULE = `must be 1 to ${NAME_CHARACTERS_MAX} of a-z, 0-9 and _, and not begin with a digit`;

/** Returns why a string cannot be a value that is stored in the audit log, or undefined. */
function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the NUL character';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode: it has a lone surrogate';
}

/** Reads the text of a value of a known type, as in a link (`p.name=value`). */
export function readTypedParameter(name: string, type: ParameterType, text: string): ParameterReading {
  const message = textProblem(text);
  if (message !== undefined) return { message };
  const read = readParameterText(type, text);
  return 'message' in read
    ? { message: `${read.message} (${parameterTypeName(type)})` }
    : { parameter: { name, type, value: read.value } };
}

/**
 * Reads a value of the JSON form: a string, number, boolean or null, or `{"type": ..., "value": ...}`. With `expected`, the type of
 * a declaration, a plain value is read as that type, and another type is an error.
 */
export function readParameter(name: string, given: unknown, expected?: ParameterType): ParameterReading {
  if (isTypedValue(given)) return readTypedValue(name, given, expected);
  if (given === null) return { parameter: { name, type: expected ?? { name: 'unknown' }, value: null } };
  const text = plainText(given);
  if (text === undefined)
    return { message: 'must be a string, number, boolean or null, or an object with type and value' };
  const type = expected ?? plainType(given, text);
  if (type === undefined)
    return { message: 'must be a number that bigint, decimal or double can hold exactly; or send it as a string' };
  return readPlainValue(name, given, type);
}

interface TypedValue {
  readonly type: unknown;
  readonly value: unknown;
}

const isTypedValue = (given: unknown): given is TypedValue =>
  typeof given === 'object' && given !== null && !(given instanceof ExactNumber) && !Array.isArray(given);

function readTypedValue(name: string, given: TypedValue, expected: ParameterType | undefined): ParameterReading {
  const keys = Object.keys(given);
  if (keys.length !== 2 || !keys.includes('type') || !keys.includes('value'))
    return { message: 'must be an object with exactly type and value' };
  const type = typeof given.type === 'string' ? parseParameterType(given.type) : undefined;
  if (type === undefined) return { message: `must have the type ${PARAMETER_TYPES_TEXT}` };
  if (expected !== undefined && parameterTypeName(type) !== parameterTypeName(expected))
    return { message: `must be of type ${parameterTypeName(expected)}, not ${parameterTypeName(type)}` };
  if (given.value === null) return { parameter: { name, type, value: null } };
  return readPlainValue(name, given.value, type);
}

function readPlainValue(name: string, given: unknown, type: ParameterType): ParameterReading {
  const text = plainText(given);
  if (text === undefined) return { message: 'must have a value that is a string, number, boolean or null' };
  if (type.name === 'varchar' && typeof given !== 'string') return { message: 'must be a string (varchar)' };
  return readTypedParameter(name, type, text);
}

function plainText(given: unknown): string | undefined {
  if (given instanceof ExactNumber) return given.digits;
  return ['string', 'number', 'boolean'].includes(typeof given) ? String(given) : undefined;
}

function plainType(given: unknown, text: string): ParameterType | undefined {
  if (typeof given === 'string') return { name: 'varchar' };
  return typeof given === 'boolean' ? { name: 'boolean' } : numberType(text);
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Returns why a set of parameters is too large, or undefined. */
export function parametersSizeProblem(parameters: readonly QueryParameter[]): string | undefined {
  if (parameters.length > PARAMETERS_MAX) return `must hold at most ${PARAMETERS_MAX} parameters`;
  const characters = parameters.reduce((sum, { name, value }) => sum + name.length + (value?.length ?? 0), 0);
  if (characters * UTF8_BYTES_MAX <= PARAMETER_BYTES_MAX) return undefined;
  const bytes = parameters.reduce((sum, { name, value }) => sum + bytesOf(name) + bytesOf(value ?? ''), 0);
  return bytes > PARAMETER_BYTES_MAX ? `must have at most ${PARAMETER_BYTES_MAX} bytes of names and values` : undefined;
}

function readParameters(given: unknown, context: z.core.$RefinementCtx): readonly QueryParameter[] {
  const refuse = (message: string, path: readonly string[] = []): void =>
    void context.issues.push({ code: 'custom', message, path: [...path], input: given });
  if (!isTypedValue(given)) {
    refuse('parameters must be an object of values by name');
    return [];
  }
  const entries = Object.entries(given);
  if (entries.length > PARAMETERS_MAX) {
    refuse(`must hold at most ${PARAMETERS_MAX} parameters`);
    return [];
  }
  const parameters: QueryParameter[] = [];
  for (const [name, value] of entries) {
    const read = PARAMETER_NAME.test(name) ? readParameter(name, value) : { message: PARAMETER_NAME_RULE };
    if ('message' in read) refuse(read.message, [name]);
    else parameters.push(read.parameter);
  }
  const size = parametersSizeProblem(parameters);
  if (size !== undefined) refuse(size);
  return parameters;
}

const TEXT = { type: 'string', pattern: '^[^\\u0000]*$' } as const;
const PLAIN_VALUES = [TEXT, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] as const;

/** `parameters` of a statement, by name. */
export const queryParameters = z
  .unknown()
  .meta({
    type: 'object',
    maxProperties: PARAMETERS_MAX,
    propertyNames: { pattern: PARAMETER_NAME.source },
    additionalProperties: {
      anyOf: [
        ...PLAIN_VALUES,
        {
          type: 'object',
          properties: { type: { type: 'string', pattern: PARAMETER_TYPE_PATTERN }, value: { anyOf: PLAIN_VALUES } },
          required: ['type', 'value'],
          additionalProperties: false,
        },
      ],
    },
  })
  .describe(
    'Values of the parameters of the SQL, where each is `$name`. A string is varchar; a number is bigint, decimal or double by its digits; `{"type": "date", "value": "2010-01-31"}` has the type that it names',
  )
  .transform(readParameters);

/**
 * Returns parameters in the form that a request takes, for the audit log and the history. A number is plain only if it is read back
 * with the same type and digits.
 */
export function presentParameters(parameters: readonly QueryParameter[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parameters.map(({ name, type, value }) => [name, presentValue(type, value)]));
}

export function presentValue(type: ParameterType, value: string | null): unknown {
  if (value === null) return type.name === 'unknown' ? null : { type: parameterTypeName(type), value };
  if (type.name === 'varchar') return value;
  if (type.name === 'boolean') return value === 'true';
  const plain = String(Number(value)) === value && /^-?[\d.]+$/.test(value) ? numberType(value) : undefined;
  if (plain !== undefined && parameterTypeName(plain) === parameterTypeName(type)) return Number(value);
  return { type: parameterTypeName(type), value };
}
