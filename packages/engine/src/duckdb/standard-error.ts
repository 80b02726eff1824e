import type { EngineError } from '@sluice/contract/problems';

/** DuckDB's description of an error, as far as its name in Trino depends on it. */
interface DescribedError {
  readonly exception_type: string;
  readonly exception_message: string;
  /** Kind of a missing catalog entry: `Table`, `Scalar Function`. */
  readonly type?: string;
}

/** Numbers of Trino 476's `StandardErrorCode`. All of them are errors of the user. */
const NUMBERS = {
  SYNTAX_ERROR: 1,
  INVALID_FUNCTION_ARGUMENT: 7,
  DIVISION_BY_ZERO: 8,
  INVALID_CAST_ARGUMENT: 9,
  NUMERIC_VALUE_OUT_OF_RANGE: 19,
  SUBQUERY_MULTIPLE_ROWS: 28,
  TYPE_NOT_FOUND: 43,
  CATALOG_NOT_FOUND: 44,
  SCHEMA_NOT_FOUND: 45,
  TYPE_MISMATCH: 58,
  AMBIGUOUS_NAME: 62,
  EXPRESSION_NOT_AGGREGATE: 73,
} as const;

type StandardErrorName = keyof typeof NUMBERS;

/** Kind of an error, part of its message, and its name. The first row that fits is used. */
const NAMES: readonly (readonly [kind: string, message: RegExp, name: StandardErrorName])[] = [
  ['Binder', /^Catalog "[^"]*" does not exist/, 'CATALOG_NOT_FOUND'],
  ['Catalog', /does not exist because schema "/, 'SCHEMA_NOT_FOUND'],
  ['Binder', /^Ambiguous reference to column name/, 'AMBIGUOUS_NAME'],
  ['Binder', /must appear in the GROUP BY clause/, 'EXPRESSION_NOT_AGGREGATE'],
  ['Binder', /^Could not choose a best candidate function/, 'TYPE_MISMATCH'],
  ['Conversion', /^Unimplemented type for cast/, 'TYPE_MISMATCH'],
  // Trino reports a whole number that is too large for a smaller type of whole numbers so, and every other value as one that cannot be cast.
  [
    'Conversion',
    /^Type U?INT\d+ with value \S+ can't be cast because the value is out of range/,
    'NUMERIC_VALUE_OUT_OF_RANGE',
  ],
  ['Conversion', /not in timestamp range/, 'NUMERIC_VALUE_OUT_OF_RANGE'],
  ['Conversion', /^/, 'INVALID_CAST_ARGUMENT'],
  ['Out of Range', /^cannot take /, 'INVALID_FUNCTION_ARGUMENT'],
  ['Out of Range', /^/, 'NUMERIC_VALUE_OUT_OF_RANGE'],
  ['Divide by Zero', /^/, 'DIVISION_BY_ZERO'],
  ['Invalid Input', /^More than one row returned by a subquery/, 'SUBQUERY_MULTIPLE_ROWS'],
];

/**
 * Returns the name and number that Trino 476 gives to the same failure, where they say more than the code of our problem does. Clients of Trino's
 * protocol read them. Undefined: those of the code are as exact.
 */
export function standardErrorOf({
  exception_type: kind,
  exception_message: message,
  type,
}: DescribedError): EngineError | undefined {
  if (kind === 'Catalog' && type === 'Type') return standardError('TYPE_NOT_FOUND');
  const name = NAMES.find(([ofKind, pattern]) => ofKind === kind && pattern.test(message))?.[2];
  return name === undefined ? undefined : standardError(name);
}

/** Returns an error of the user by its name. */
export const standardError = (name: StandardErrorName): EngineError => ({
  name,
  code: NUMBERS[name],
  type: 'USER_ERROR',
});
