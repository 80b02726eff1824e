import { z } from 'zod';
import { numberType, PARAMETER_TYPE_PATTERN, parameterTypeName, type ScalarType } from './parameter-type.ts';
import {
  ITEMS_MAX,
  isListParameter,
  isTypedValue,
  PARAMETER_PROBLEMS_MAX,
  type ParameterReading,
  parameterProblem,
  type QueryParameter,
  readParameter,
} from './read-parameter.ts';

export const PARAMETERS_MAX = 1_000;
/** Maximum size of all names and values in bytes of UTF-8. */
const PARAMETER_BYTES_MAX = 262_144;
/** Most bytes of UTF-8 for each UTF-16 unit. */
const UTF8_BYTES_MAX = 3;
const NAME_CHARACTERS_MAX = 128;
export const PARAMETER_NAME = /^[a-z_][a-z0-9_]{0,127}$/;
export const PARAMETER_NAME_RULE = `must be 1 to ${NAME_CHARACTERS_MAX} of a-z, 0-9 and _, and not begin with a digit`;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Returns why a set of parameters is too large, or undefined. */
export function parametersSizeProblem(parameters: readonly QueryParameter[]): string | undefined {
  if (parameters.length > PARAMETERS_MAX) return `must hold at most ${PARAMETERS_MAX} parameters`;
  const texts = parameters.flatMap(({ name, value }) => [
    name,
    ...(typeof value === 'string' ? [value] : (value ?? [])),
  ]);
  const characters = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (characters * UTF8_BYTES_MAX <= PARAMETER_BYTES_MAX) return undefined;
  const bytes = texts.reduce((sum, text) => sum + bytesOf(text ?? ''), 0);
  return bytes > PARAMETER_BYTES_MAX ? `must have at most ${PARAMETER_BYTES_MAX} bytes of names and values` : undefined;
}

const WITHOUT_TYPE =
  'must name its type, because no item shows one: send {"type": "array(varchar)", "value": []}, with the type of the items';

type UntypedLists = 'accept' | 'reject';

function readNamed(name: string, value: unknown, untypedLists: UntypedLists): ParameterReading {
  if (!PARAMETER_NAME.test(name)) return parameterProblem(PARAMETER_NAME_RULE);
  const read = readParameter(name, value);
  const isRejected = untypedLists === 'reject' && 'parameter' in read && isUntypedList(read.parameter);
  return isRejected ? parameterProblem(WITHOUT_TYPE) : read;
}

/** Reads parameters by name. The type of a list without values is `unknown` if `untypedLists` accepts it. */
function readParameters(
  given: unknown,
  context: z.core.$RefinementCtx,
  untypedLists: UntypedLists,
): readonly QueryParameter[] {
  const refuse = (message: string, path: readonly (string | number)[] = []): void =>
    void context.issues.push({ code: 'custom', message, path: [...path], input: given });
  if (!isTypedValue(given)) {
    refuse('parameters must be an object of values by name');
    return [];
  }
  if (Object.keys(given).length > PARAMETERS_MAX) {
    refuse(`must hold at most ${PARAMETERS_MAX} parameters`);
    return [];
  }
  const parameters: QueryParameter[] = [];
  for (const [name, value] of Object.entries(given)) {
    const read = readNamed(name, value, untypedLists);
    if ('parameter' in read) parameters.push(read.parameter);
    else for (const { message, item } of read.problems) refuse(message, item === undefined ? [name] : [name, item]);
    if (context.issues.length >= PARAMETER_PROBLEMS_MAX) return [];
  }
  const size = parametersSizeProblem(parameters);
  if (size !== undefined) refuse(size);
  return parameters;
}

const isUntypedList = (parameter: QueryParameter): boolean =>
  isListParameter(parameter) && parameter.type.item.name === 'unknown';

const TEXT = { type: 'string', pattern: '^[^\\u0000]*$' } as const;
const PLAIN_VALUES = [TEXT, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] as const;
const VALUES = [...PLAIN_VALUES, { type: 'array', items: { anyOf: PLAIN_VALUES }, maxItems: ITEMS_MAX }] as const;

const parametersOf = (untypedLists: UntypedLists) =>
  z
    .unknown()
    .meta({
      type: 'object',
      maxProperties: PARAMETERS_MAX,
      propertyNames: { pattern: PARAMETER_NAME.source },
      additionalProperties: {
        anyOf: [
          ...VALUES,
          {
            type: 'object',
            properties: { type: { type: 'string', pattern: PARAMETER_TYPE_PATTERN }, value: { anyOf: VALUES } },
            required: ['type', 'value'],
            additionalProperties: false,
          },
        ],
      },
    })
    .describe(
      'Values of the parameters of the SQL, where each is `$name`. A string is varchar; a number is bigint, decimal or double by its digits; an array is a list; `{"type": "date", "value": "2010-01-31"}` has the type that it names',
    )
    .transform((given, context) => readParameters(given, context, untypedLists));

/** `parameters` of a statement, by name. */
export const queryParameters = parametersOf('reject');

/** `parameters` for declarations, which have the types of lists that show none. */
export const declaredQueryParameters = parametersOf('accept');

/**
 * Returns parameters in the form that a request takes, for the audit log and the history. A number is plain only if it is read back
 * with the same type and digits, and so is a list.
 */
export function presentParameters(parameters: readonly QueryParameter[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, presentParameter(parameter)]));
}

/** Reads what `presentParameters` has written. Throws an Error for anything else. */
export const readPresentedParameters = (presented: unknown): readonly QueryParameter[] =>
  queryParameters.parse(presented);

function presentParameter(parameter: QueryParameter): unknown {
  if (!isListParameter(parameter)) return presentValue(parameter.type, parameter.value);
  const { name, type, value } = parameter;
  const items = value?.map((item) => (item === null ? null : presentValue(type.item, item)));
  const read = items === undefined ? undefined : readParameter(name, items);
  const isSame =
    read !== undefined && 'parameter' in read && parameterTypeName(read.parameter.type) === parameterTypeName(type);
  return isSame ? items : { type: parameterTypeName(type), value };
}

/** Returns one value in the form that a request takes. */
export function presentValue(type: ScalarType, value: string | null): unknown {
  if (value === null) return type.name === 'unknown' ? null : { type: parameterTypeName(type), value };
  if (type.name === 'varchar') return value;
  if (type.name === 'boolean') return value === 'true';
  const plain = String(Number(value)) === value && /^-?[\d.]+$/.test(value) ? numberType(value) : undefined;
  if (plain !== undefined && parameterTypeName(plain) === parameterTypeName(type)) return Number(value);
  return { type: parameterTypeName(type), value };
}
