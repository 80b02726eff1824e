import { z } from 'zod';
import { listOf } from '../fields/list-of.ts';
import { boundedText } from '../fields/text-field.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import type { ProblemDetail } from '../problems/problem-error.ts';
import {
  PARAMETER_TYPE_PATTERN,
  PARAMETER_TYPES_TEXT,
  type ParameterType,
  parameterTypeName,
  parseParameterType,
} from './parameter-type.ts';
import {
  PARAMETER_NAME,
  PARAMETER_NAME_RULE,
  type ParameterReading,
  parametersSizeProblem,
  presentValue,
  type QueryParameter,
  readParameter,
  readTypedParameter,
} from './query-parameters.ts';

const DECLARATIONS_MAX = 100;
const ALLOWED_VALUES_MAX = 1_000;
const DESCRIPTION_CHARACTERS_MAX = 2_000;

/** A parameter that the SQL of a datamap has. Values are in the form that a request takes. */
export interface ParameterDeclaration {
  readonly name: string;
  /** Name of the type, such as `decimal(10,2)`. */
  readonly type: string;
  readonly description: string | null;
  /** Must be sent. Otherwise the default is used, or NULL. */
  readonly required: boolean;
  /** Null: NULL, or no default if the parameter is required. */
  readonly default: unknown;
  /** Null: any value of the type. */
  readonly allowed_values: unknown[] | null;
}

const PLAIN = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] } as const;
const value = z.unknown().meta(PLAIN);

const name = z
  .string({ error: 'name is required and must be a string' })
  .regex(PARAMETER_NAME, `name ${PARAMETER_NAME_RULE}`);
const type = z
  .string({ error: 'type is required and must be a string' })
  .refine((text) => parseParameterType(text) !== undefined, `type must be ${PARAMETER_TYPES_TEXT}`)
  .meta({ pattern: PARAMETER_TYPE_PATTERN });

const declaration = z
  .strictObject({
    name,
    type,
    description: boundedText('description', DESCRIPTION_CHARACTERS_MAX).nullable().optional(),
    required: z
      .boolean({ error: 'required must be true or false' })
      .optional()
      .describe('Whether a value must be sent. Default: true without `default`, else false'),
    default: value.optional().describe('Value of a request that has none. Default: NULL'),
    allowed_values: z
      .array(value, { error: 'allowed_values must be an array of values' })
      .min(1, 'allowed_values must hold at least one value')
      .max(ALLOWED_VALUES_MAX, `allowed_values must hold at most ${ALLOWED_VALUES_MAX} values`)
      .nullable()
      .optional(),
  })
  .transform(readDeclaration);

type GivenDeclaration = {
  readonly name: string;
  readonly type: string;
  readonly description?: string | null | undefined;
  readonly required?: boolean | undefined;
  readonly default?: unknown;
  readonly allowed_values?: readonly unknown[] | null | undefined;
};

function readDeclaration(given: GivenDeclaration, context: z.core.$RefinementCtx): ParameterDeclaration {
  const declared = typeOf(given);
  const refuse = (message: string, ...path: (string | number)[]): void =>
    void context.issues.push({ code: 'custom', message, path, input: given });
  const allowed = given.allowed_values?.map((each, index) => {
    const read = readParameter(given.name, each, declared);
    if ('message' in read) refuse(read.message, 'allowed_values', index);
    return 'message' in read ? null : read.parameter.value;
  });
  const hasDefault = given.default !== undefined;
  const read = readParameter(given.name, given.default ?? null, declared);
  const isRequired = given.required ?? !hasDefault;
  if ('message' in read) refuse(read.message, 'default');
  else if (isRequired && hasDefault) refuse('must be absent for a required parameter', 'default');
  else if (hasDefault && !isAllowed(allowed, read.parameter)) refuse('must be one of allowed_values', 'default');
  const preset = 'message' in read ? null : read.parameter.value;
  return {
    name: given.name,
    type: parameterTypeName(declared),
    description: given.description || null,
    required: isRequired,
    default: presentPlain(declared, preset),
    allowed_values: allowed?.map((each) => presentPlain(declared, each)) ?? null,
  };
}

/** NULL is a value of every type, so a list of allowed values does not exclude it where no value is required. */
const isAllowed = (allowed: readonly (string | null)[] | undefined, { value: text }: QueryParameter): boolean =>
  allowed === undefined || text === null || allowed.includes(text);

/** A declaration names the type, so its values are plain. */
function presentPlain(declared: ParameterType, text: string | null): unknown {
  const presented = text === null ? null : presentValue(declared, text);
  return typeof presented === 'object' ? text : presented;
}

export const parameterDeclarations = listOf(declaration, {
  error: 'parameters must be an array of objects with name and type',
})
  .max(DECLARATIONS_MAX, `parameters must hold at most ${DECLARATIONS_MAX} declarations`)
  .superRefine(uniqueEntries('parameters', { keyOf: ({ name: key }) => key, nameOf: ({ name: key }) => `$${key}` }))
  .describe('Parameters of the SQL, each `$name`. All that the SQL names, and no others');

/** A declaration as responses have it. */
export const parameterDeclarationBody = z
  .object({
    name: z.string(),
    type: z.string().describe('Type name, such as bigint or decimal(10,2)'),
    description: z.string().nullable(),
    required: z.boolean().describe('A value must be sent. Otherwise the default is used'),
    default: value,
    allowed_values: z.array(value).nullable().describe('Null: any value of the type'),
  })
  .meta({ id: 'ParameterDeclaration' });

const typeOf = ({ type: text }: Pick<ParameterDeclaration, 'type'>): ParameterType => {
  const found = parseParameterType(text);
  if (found === undefined) throw new Error(`${text} is not a type of parameters`);
  return found;
};

/** Values for declared parameters, or what is wrong with them. `details` is empty if all are right. */
export interface DeclaredParameters {
  readonly parameters: readonly QueryParameter[];
  readonly details: readonly ProblemDetail[];
}

/** Reads a given value, which is not undefined, as the declared type. */
type ReadValue<Given> = (name: string, given: Given, type: ParameterType) => ParameterReading;

function readValues<Given>(
  declarations: readonly ParameterDeclaration[],
  values: ReadonlyMap<string, Given>,
  { path, read }: { readonly path: string; readonly read: ReadValue<Given> },
): DeclaredParameters {
  const declared = new Set(declarations.map(({ name: each }) => each));
  const details: ProblemDetail[] = [...values.keys()]
    .filter((each) => !declared.has(each))
    .map((each) => ({ path: `${path}.${each.slice(0, 100)}`, message: unknownMessage(declarations) }));
  const parameters = declarations.flatMap((each) => {
    const found = readDeclared(each, values.get(each.name), read);
    if ('parameter' in found) return [found.parameter];
    details.push({ path: `${path}.${each.name}`, message: found.message });
    return [];
  });
  const size = parametersSizeProblem(parameters);
  if (size !== undefined) details.push({ path, message: size });
  return { parameters, details };
}

function unknownMessage(declarations: readonly ParameterDeclaration[]): string {
  const names = declarations.map(({ name: each }) => each).join(', ');
  return `is not a declared parameter: ${names === '' ? 'there are none' : `those are ${names}`}`;
}

function readDeclared<Given>(
  declared: ParameterDeclaration,
  given: Given | undefined,
  read: ReadValue<Given>,
): ParameterReading {
  const { name: key, required, allowed_values } = declared;
  const declaredType = typeOf(declared);
  if (given === undefined && required) return { message: `is missing: send a value of type ${declared.type}` };
  const found =
    given === undefined ? readParameter(key, declared.default, declaredType) : read(key, given, declaredType);
  if ('message' in found) return found;
  if (required && found.parameter.value === null) return { message: 'must not be null' };
  const allowed = allowed_values?.map((each) => readParameter(key, each, declaredType));
  const strings = allowed?.map((each) => ('parameter' in each ? each.parameter.value : null));
  if (isAllowed(strings, found.parameter)) return found;
  return { message: `must be one of ${(allowed_values ?? []).slice(0, 20).map(String).join(', ')}` };
}

const NUMBERS: ReadonlySet<ParameterType['name']> = new Set(['integer', 'bigint', 'decimal', 'double']);

/** Reads a parameter as another type: a string as any type, a number as any type of numbers, NULL as NULL. */
function convertParameter(name: string, { type, value }: QueryParameter, expected: ParameterType): ParameterReading {
  const [given, wanted] = [parameterTypeName(type), parameterTypeName(expected)];
  if (value === null || given === wanted) return { parameter: { name, type: expected, value } };
  if (type.name === 'varchar' || (NUMBERS.has(type.name) && NUMBERS.has(expected.name)))
    return readTypedParameter(name, expected, value);
  return { message: `must be of type ${wanted}, not ${given}` };
}

/**
 * Reads the `parameters` of a request for declared parameters: missing ones get their default, and each value must fit its declared
 * type and allowed values. `path` begins the paths of the details, such as `body.parameters`.
 */
export const readDeclaredParameters = (
  declarations: readonly ParameterDeclaration[],
  given: readonly QueryParameter[],
  path: string,
): DeclaredParameters =>
  readValues(declarations, new Map(given.map((each) => [each.name, each])), { path, read: convertParameter });

/** Reads parameters as `readDeclaredParameters` does, from the strings of a link (`p.<name>=<value>`), by name without `p.`. */
export const readDeclaredStrings = (
  declarations: readonly ParameterDeclaration[],
  strings: Readonly<Record<string, string>>,
  path: string,
): DeclaredParameters =>
  readValues(declarations, new Map(Object.entries(strings)), {
    path,
    read: (key, text, expected) => readTypedParameter(key, expected, text),
  });

const SAMPLES = {
  unknown: '',
  boolean: 'true',
  integer: '1',
  bigint: '1',
  double: '1',
  decimal: '0',
  varchar: '',
  date: '2000-01-01',
  time: '00:00:00',
  timestamp: '2000-01-01 00:00:00',
  'timestamp with time zone': '2000-01-01 00:00:00 UTC',
  uuid: '00000000-0000-0000-0000-000000000000',
} as const satisfies Record<ParameterType['name'], string>;

/** Returns a value of each declared type, with which an engine can describe the columns of the SQL: an allowed value, the default or a fixed one. */
export function sampleParameters(declarations: readonly ParameterDeclaration[]): readonly QueryParameter[] {
  return declarations.map((declared) => {
    const declaredType = typeOf(declared);
    const given =
      declared.allowed_values?.find((each) => each !== null) ?? declared.default ?? SAMPLES[declaredType.name];
    const read = readParameter(declared.name, given, declaredType);
    if ('message' in read) throw new Error(`a stored parameter is not valid: ${read.message}`);
    return read.parameter;
  });
}
