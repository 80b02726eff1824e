import { type ProblemCode, ProblemError, type SqlLocation, storageUnavailable } from '@sluice/contract/problems';
import { locateMissingCatalog } from './locate-missing-catalog.ts';
import { invalidText } from './rows/valid-text.ts';
import { standardErrorOf } from './standard-error.ts';

/** DuckDB's description of an error under `SET errors_as_json = true`; positions count bytes of the statement that was sent. */
interface DuckDbError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly error_subtype?: string;
  /** Kind of a missing catalog entry: `Table`, `Scalar Function`. */
  readonly type?: string;
  readonly position?: string;
}

/** Position of the caller's SQL in the text that was sent, and what must not be repeated to a caller. */
export interface ErrorContext {
  readonly sql: string;
  /** Bytes that we added before the caller's SQL; 0 if it was sent unchanged. */
  readonly offsetBytes: number;
  /** Folders and files of this machine. */
  readonly hiddenPaths: readonly string[];
}

const CODES: Readonly<Record<string, ProblemCode>> = {
  Parser: 'syntax_error',
  Syntax: 'syntax_error',
  Binder: 'semantic_error',
  'Parameter Not Allowed': 'semantic_error',
  'Parameter Not Resolved': 'semantic_error',
  'Mismatch Type': 'type_error',
  'Invalid Type': 'type_error',
  Conversion: 'data_error',
  'Out of Range': 'data_error',
  'Invalid Input': 'data_error',
  'Divide by Zero': 'data_error',
  Decimal: 'data_error',
  Sequence: 'data_error',
  'Out of Memory': 'resource_limit',
  Interrupt: 'query_cancelled',
  Permission: 'read_only',
  'Not implemented': 'not_supported',
  'Missing Extension': 'not_supported',
  IO: 'engine_unavailable',
};

const SUBTYPES: Readonly<Record<string, ProblemCode>> = {
  COLUMN_NOT_FOUND: 'column_not_found',
  NO_MATCHING_FUNCTION: 'type_error',
};

/** Our own messages, where the engine's would mention its settings, files or threads. */
const OWN_MESSAGES: Partial<Record<ProblemCode, string>> = {
  resource_limit: 'The query exceeded its memory limit. Select fewer columns or rows, or aggregate in steps.',
  query_cancelled: 'The query was stopped.',
  read_only: 'The statement accesses something outside the data, which is not allowed.',
  engine_unavailable: 'The engine could not read the data behind this query.',
};

export const unexpectedFailure = (cause: unknown): ProblemError =>
  new ProblemError('internal', 'The engine failed unexpectedly. The log has the details.', { cause });

/** Internal errors of DuckDB 1.5.6 that are about the arguments of a function. docs/sql.md lists the functions. */
const ARGUMENT_FAILURES: readonly (readonly [RegExp, string])[] = [
  [
    /^Could not convert type VARIANT to a decimal/,
    'The engine cannot calculate with a VARIANT and a decimal number. Cast the VARIANT to a number.',
  ],
  [/^Calling ListValue::GetChildren on a NULL value/, 'The list of quantiles of reservoir_quantile must not be NULL.'],
  [/^ExtraValueInfo type mismatch/, 'The second argument of st_setcrs must be a string.'],
];

/** Returns whether an error, or the cause of a problem, makes DuckDB reject every later statement. */
export const isInternalFailure = (thrown: unknown): boolean => {
  const error = parseError(thrown instanceof ProblemError ? thrown.cause : thrown);
  return error !== undefined && ['INTERNAL', 'FATAL'].includes(error.exception_type.toUpperCase());
};

/** Maps an error of DuckDB to a problem about the caller's SQL. An unknown error is `internal`, never the caller's fault. */
export function duckDbProblem(thrown: unknown, context: ErrorContext): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  const error = parseError(thrown);
  const known = ARGUMENT_FAILURES.find(([pattern]) => error !== undefined && pattern.test(error.exception_message));
  if (known !== undefined) return new ProblemError('not_supported', known[1], { cause: thrown });
  const code = error === undefined ? undefined : codeOf(error);
  if (error === undefined || code === undefined) return unexpectedFailure(thrown);
  if (NOT_UTF8.test(error.exception_message) && !DECODE.test(context.sql)) return invalidText(thrown);
  if (NESTED_TOO_DEEPLY.test(error.exception_message)) return nestedTooDeeply(thrown);
  const message = OWN_MESSAGES[code] ?? publicMessage(error, context.hiddenPaths);
  const location =
    error.position === undefined
      ? locateMissingCatalog(error.exception_message, context.sql)
      : locate(Number(error.position), context);
  const engineError = code in OWN_MESSAGES ? undefined : standardErrorOf(error);
  return new ProblemError(code, message, {
    cause: thrown,
    engineError,
    ...(location === undefined ? {} : { location }),
  });
}

/** Distinguishes a failure of the engine's temporary files from one of the data behind a query: DuckDB reports both as `IO`. */
export const withTemporaryFiles = (problem: ProblemError, tempFolder: string | undefined): ProblemError =>
  problem.code === 'engine_unavailable' && tempFolder !== undefined && String(problem.cause).includes(tempFolder)
    ? storageUnavailable(problem.cause)
    : problem;

function parseError(thrown: unknown): DuckDbError | undefined {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const json = text.indexOf('{"exception_type"');
  if (json !== -1) {
    try {
      return JSON.parse(text.slice(json)) as DuckDbError;
    } catch {
      return undefined;
    }
  }
  // Some errors are raised where the setting is not read: `Out of Memory Error: ...`.
  const plain = /^([A-Z][A-Za-z ]*?) Error: ([\s\S]*)$/.exec(text);
  if (plain?.[1] === undefined || plain[2] === undefined) {
    return text.includes('bad allocation') ? { exception_type: 'Out of Memory', exception_message: text } : undefined;
  }
  return { exception_type: plain[1] === 'INTERRUPT' ? 'Interrupt' : plain[1], exception_message: plain[2] };
}

function codeOf(error: DuckDbError): ProblemCode | undefined {
  const subtype = error.error_subtype === undefined ? undefined : SUBTYPES[error.error_subtype];
  if (subtype !== undefined) return subtype;
  if (NO_SUCH_CATALOG.test(error.exception_message)) return 'table_not_found';
  if (TOO_LARGE.test(error.exception_message)) return 'resource_limit';
  if (error.exception_type !== 'Catalog') return CODES[error.exception_type];
  if (error.type?.includes('Function') === true || error.type?.includes('Macro') === true) return 'function_not_found';
  if (error.type === 'Type') return 'type_error';
  return /is not an aggregate function/.test(error.exception_message) ? 'function_not_found' : 'table_not_found';
}

/** Size limit of one list, whatever the memory limit. */
const TOO_LARGE = /^Cannot resize vector to /;
/**
 * Messages of the check that we add around strings, and of DuckDB's own check. A statement that decodes bytes itself gets the
 * engine's own message.
 */
const NOT_UTF8 = /^(?:Failure in decode: could not convert blob to UTF8|Invalid unicode )/;
const DECODE = /decode/i;
const NO_SUCH_CATALOG = /^Catalog "[^"]*" does not exist/;

/** The parser's own stack limit, and the limit on expressions that its message describes as a setting of the caller. */
const NESTED_TOO_DEEPLY = /^(?:Max expression depth limit|memory exhausted at or near)/;

const nestedTooDeeply = (cause: unknown): ProblemError =>
  new ProblemError(
    'resource_limit',
    'The statement is nested too deeply. Write a long chain of operators or subqueries in steps, with WITH.',
    { cause },
  );

/** First words of an engine's sentence that suggests a change of a setting, which no caller can make. */
const HINT_OPENING = /\b(?:Use|Try|Consider|You can|Please|To)\b/;
const HINT_SETTING = /\b(?:SET|PRAGMA|INSTALL|LOAD) [a-z_]+\b/;

/** Errors whose text comes only from the engine. Others may repeat data, or the caller's own `error('...')`. */
const STATEMENT_ERROR_TYPES = new Set([
  'Parser',
  'Syntax',
  'Binder',
  'Catalog',
  'Not implemented',
  'Missing Extension',
]);

function publicMessage(error: DuckDbError, hiddenPaths: readonly string[]): string {
  const message = withoutPaths(error.exception_message, hiddenPaths);
  return STATEMENT_ERROR_TYPES.has(error.exception_type) ? withoutSettingHints(message) : message;
}

/**
 * Cuts each line at the start of such a sentence. Sentences are read one by one, because a single pattern would take quadratic
 * time.
 */
function withoutSettingHints(message: string): string {
  const kept: string[] = [];
  for (const line of message.split('\n')) {
    const hintStart = hintStartOf(line);
    const before = hintStart === undefined ? line : line.slice(0, hintStart).trimEnd();
    if (hintStart === undefined || before !== '') kept.push(before);
  }
  return kept.join('\n');
}

function hintStartOf(line: string): number | undefined {
  let start = 0;
  for (const sentence of line.split(/(?<=[.!?])/)) {
    const opening = HINT_OPENING.exec(sentence);
    if (opening !== null && HINT_SETTING.test(sentence.slice(opening.index + opening[0].length))) {
      return start + opening.index;
    }
    start += sentence.length;
  }
  return undefined;
}

export const withoutPaths = (message: string, paths: readonly string[]): string =>
  paths.reduce((text, path) => (path === '' ? text : text.replaceAll(path, '...')), message);

/** Returns line and column, from 1 and in characters, of a byte position; undefined for a position in the SQL that we added. */
function locate(position: number, context: ErrorContext): SqlLocation | undefined {
  const bytes = Buffer.from(context.sql, 'utf8');
  const offset = position - context.offsetBytes;
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) return undefined;
  const before = bytes.subarray(0, offset).toString('utf8');
  const lines = before.split('\n');
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
