import { z } from 'zod';
import { listOf } from '../fields/list-of.ts';
import { boundedText } from '../fields/text-field.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import type { ProblemDetail } from '../problems/problem-error.ts';
import type { LinkParameters } from './link-parameters.ts';
import {
  PARAMETER_TYPE_PATTERN,
  PARAMETER_TYPES_TEXT,
  type ParameterType,
  parameterTypeName,
  parseParameterType,
  type ScalarType,
} from './parameter-type.ts';
import { PARAMETER_NAME, PARAMETER_NAME_RULE, parametersSizeProblem, presentValue } from './query-parameters.ts';
import {
  ITEMS_MAX,
  isListParameter,
  nullParameter,
  type ParameterProblem,
  type ParameterReading,
  parameterProblem,
  type QueryParameter,
  readParameter,
  readTypedList,
  readTypedParameter,
} from './read-parameter.ts';

const DECLARATIONS_MAX = 100;
const ALLOWED_VALUES_MAX = 1_000;
const DESCRIPTION_CHARACTERS_MAX = 2_000;

/** A parameter that the SQL of a datamap has. Values are in the form that a request takes. */
export interface ParameterDeclaration {
  readonly name: string;
  /** Name of the type, such as `decimal(10,2)` or `array(bigint)`. */
  readonly type: string;
  readonly description: string | null;
  /** Must be sent. Otherwise the default is used, or NULL. */
  readonly required: boolean;
  /** Null: NULL, or no default if the parameter is required. */
  readonly default: unknown;
  /** Null: any value of the type. For a list, the values that its items may have. */
  readonly allowed_values: unknown[] | null;
}

const PLAIN = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] as const;
const LIST = { type: 'array', items: { anyOf: PLAIN }, maxItems: ITEMS_MAX } as const;
const plainValue = z.unknown().meta({ anyOf: PLAIN });
const value = z.unknown().meta({ anyOf: [...PLAIN, LIST] });

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
      .array(plainValue, { error: 'allowed_values must be an array of values' })
      .min(1, 'allowed_values must hold at least one value')
      .max(ALLOWED_VALUES_MAX, `allowed_values must hold at most ${ALLOWED_VALUES_MAX} values`)
      .nullable()
      .optional()
      .describe('The only values that it accepts. For a list, the values that its items may have'),
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
  const itemType = itemTypeOf(declared);
  const allowed = given.allowed_values?.map((each, index) => {
    const read = readParameter(given.name, each, itemType);
    if ('parameter' in read && !isListParameter(read.parameter)) return read.parameter.value;
    if ('problems' in read) refuse(read.problems[0]?.message ?? '', 'allowed_values', index);
    return null;
  });
  const hasDefault = given.default !== undefined;
  const read = readParameter(given.name, given.default ?? null, declared);
  const isRequired = given.required ?? !hasDefault;
  const problems = 'problems' in read ? read.problems : disallowedItems(read.parameter, allowed);
  if (isRequired && hasDefault && !('problems' in read)) refuse('must be absent for a required parameter', 'default');
  else if (hasDefault)
    for (const { message, item } of problems) refuse(message, 'default', ...(item === undefined ? [] : [item]));
  return {
    name: given.name,
    type: parameterTypeName(declared),
    description: given.description || null,
    required: isRequired,
    default: 'problems' in read ? null : presentPlain(read.parameter),
    allowed_values: allowed?.map((each) => presentText(itemType, each)) ?? null,
  };
}

/** Returns the type of one value: of an item for a list. */
const itemTypeOf = (type: ParameterType): ScalarType => (type.name === 'array' ? type.item : type);

type Allowed = readonly (string | null)[] | undefined;

/**
 * Returns a problem for each value that is not allowed. NULL is a value of every type, so a list of allowed values does not exclude it
 * where no value is required. An item that is NULL must be allowed by name: `NOT IN` finds nothing with one.
 */
function disallowedItems(
  parameter: QueryParameter,
  allowed: Allowed,
  named = 'allowed_values',
): readonly ParameterProblem[] {
  const { value } = parameter;
  if (allowed === undefined || value === null) return [];
  const message = `must be one of ${named}`;
  if (typeof value === 'string') return allowed.includes(value) ? [] : [{ message }];
  const values = new Set(allowed);
  return value.flatMap((each, item) => (values.has(each) ? [] : [{ message, item }]));
}

/** A declaration names the type, so its values are plain. */
function presentText(type: ScalarType, text: string | null): unknown {
  const presented = text === null ? null : presentValue(type, text);
  return typeof presented === 'object' ? text : presented;
}

function presentPlain(parameter: QueryParameter): unknown {
  if (!isListParameter(parameter)) return presentText(parameter.type, parameter.value);
  return parameter.value?.map((each) => presentText(parameter.type.item, each)) ?? null;
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
    type: z.string().describe('Type name, such as bigint, decimal(10,2) or array(varchar)'),
    description: z.string().nullable(),
    required: z.boolean().describe('A value must be sent. Otherwise the default is used'),
    default: value,
    allowed_values: z
      .array(plainValue)
      .nullable()
      .describe('Null: any value of the type. For a list, the values that its items may have'),
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
    for (const { message, item } of found.problems)
      details.push({ path: `${path}.${each.name}${item === undefined ? '' : `[${item}]`}`, message });
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
  if (given === undefined && required) return parameterProblem(`is missing: send a value of type ${declared.type}`);
  const found =
    given === undefined ? readParameter(key, declared.default, declaredType) : read(key, given, declaredType);
  if ('problems' in found) return found;
  if (required && found.parameter.value === null) return parameterProblem('must not be null');
  const allowed = allowed_values?.map((each) => textOf(readParameter(key, each, itemTypeOf(declaredType))));
  const problems = disallowedItems(
    found.parameter,
    allowed,
    (allowed_values ?? []).slice(0, 20).map(String).join(', '),
  );
  return problems.length === 0 ? found : { problems };
}

const textOf = (read: ParameterReading): string | null =>
  'parameter' in read && typeof read.parameter.value === 'string' ? read.parameter.value : null;

const NUMBERS: ReadonlySet<ParameterType['name']> = new Set(['integer', 'bigint', 'decimal', 'double']);

/** Whether a value is read as another type: a string as any type, a number as any type of numbers. */
const isReadAs = (given: ScalarType, expected: ScalarType): boolean =>
  given.name === 'varchar' || given.name === 'unknown' || (NUMBERS.has(given.name) && NUMBERS.has(expected.name));

/** Reads a parameter as another type (`isReadAs`), NULL as NULL, and the items of a list likewise. */
function convertParameter(name: string, given: QueryParameter, expected: ParameterType): ParameterReading {
  if (given.value === null) return nullParameter(name, expected);
  const [own, wanted] = [parameterTypeName(given.type), parameterTypeName(expected)];
  if (own === wanted) return { parameter: { ...given, name } };
  if (isListParameter(given)) {
    if (expected.name === 'array' && isReadAs(given.type.item, expected.item))
      return readTypedList(name, expected, given.value ?? []);
  } else if (expected.name !== 'array' && isReadAs(given.type, expected))
    return readTypedParameter(name, expected, given.value ?? '');
  return parameterProblem(`must be of type ${wanted}, not ${own}`);
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

/** Reads the strings that a link has for a parameter: one, or one for each item of a list. */
function readStrings(name: string, strings: readonly string[], expected: ParameterType): ParameterReading {
  if (expected.name === 'array') return readTypedList(name, expected, strings);
  const [text = '', ...others] = strings;
  return others.length === 0 ? readTypedParameter(name, expected, text) : parameterProblem('must be given only once');
}

/** Reads parameters as `readDeclaredParameters` does, from the strings of a link (`p.<name>=<value>`), by name without `p.`. */
export const readDeclaredStrings = (
  declarations: readonly ParameterDeclaration[],
  strings: LinkParameters,
  path: string,
): DeclaredParameters => readValues(declarations, new Map(Object.entries(strings)), { path, read: readStrings });

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
} as const satisfies Record<ScalarType['name'], string>;

function sampleOf(declared: ParameterDeclaration, type: ParameterType): unknown {
  const allowed = declared.allowed_values?.find((each) => each !== null);
  if (type.name !== 'array') return allowed ?? declared.default ?? SAMPLES[type.name];
  return declared.default ?? [allowed ?? SAMPLES[type.item.name]];
}

/** Returns a value of each declared type, with which an engine can describe the columns of the SQL: an allowed value, the default or a fixed one. */
export function sampleParameters(declarations: readonly ParameterDeclaration[]): readonly QueryParameter[] {
  return declarations.map((declared) => {
    const declaredType = typeOf(declared);
    const read = readParameter(declared.name, sampleOf(declared, declaredType), declaredType);
    if ('problems' in read) throw new Error(`a stored parameter is not valid: ${read.problems[0]?.message}`);
    return read.parameter;
  });
}
