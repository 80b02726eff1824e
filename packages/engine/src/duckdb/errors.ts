import { type ProblemCode, ProblemError, type SqlLocation } from '@sluice/contract';
import { invalidText } from './rows/valid-text.ts';

/** What DuckDB says of an error under `SET errors_as_json = true`; positions count bytes of the statement that was sent. */
interface DuckDbError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly error_subtype?: string;
  /** What was missing, of a missing catalog entry: `Table`, `Scalar Function`. */
  readonly type?: string;
  readonly position?: string;
}

/** Where the caller's SQL stands in the text that was sent, and what must not be repeated to a caller. */
export interface ErrorContext {
  readonly sql: string;
  /** Bytes of ours before the caller's SQL; 0 when it was sent as it is. */
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

/** Sentences of ours where the engine's would speak of its own settings, files or threads. */
const OWN_SENTENCES: Partial<Record<ProblemCode, string>> = {
  resource_limit:
    'The query needs more memory than a query may use. Select fewer columns or rows, or aggregate in steps.',
  query_cancelled: 'The query was stopped.',
  read_only: 'The statement asks for something outside the data, which is not allowed.',
  engine_unavailable: 'The engine could not read the data behind this query.',
};

/** Maps what DuckDB threw to a problem about the caller's SQL. What is not known is `internal`, never the caller's fault. */
export function duckDbProblem(thrown: unknown, context: ErrorContext): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  const error = parseError(thrown);
  const code = error === undefined ? undefined : codeOf(error);
  if (error === undefined || code === undefined) {
    return new ProblemError('internal', 'The engine failed in a way that it should not. The log has the details.', {
      cause: thrown,
    });
  }
  if (NOT_UTF8.test(error.exception_message) && !DECODE.test(context.sql)) return invalidText(thrown);
  if (NESTED_TOO_DEEPLY.test(error.exception_message)) return nestedTooDeeply(thrown);
  const message = OWN_SENTENCES[code] ?? publicMessage(error, context.hiddenPaths);
  const location = error.position === undefined ? undefined : locate(Number(error.position), context);
  return new ProblemError(code, message, { cause: thrown, ...(location === undefined ? {} : { location }) });
}

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
  // Some errors are raised where the setting is not looked at: `Out of Memory Error: ...`.
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

/** What one list of many may not grow to, whatever the memory. */
const TOO_LARGE = /^Cannot resize vector to /;
/** Messages of the check that we put around texts, and of DuckDB's own; a statement that decodes bytes by itself gets the engine's own words. */
const NOT_UTF8 = /^(?:Failure in decode: could not convert blob to UTF8|Invalid unicode )/;
const DECODE = /decode/i;
const NO_SUCH_CATALOG = /^Catalog "[^"]*" does not exist/;

/** The parser's own stack, and the limit on expressions that its message calls a setting of the caller's. */
const NESTED_TOO_DEEPLY = /^(?:Max expression depth limit|memory exhausted at or near)/;

const nestedTooDeeply = (cause: unknown): ProblemError =>
  new ProblemError(
    'resource_limit',
    'The statement is nested too deeply. Write a long chain of operators or subqueries in steps, with WITH.',
    { cause },
  );

/** First words of a sentence of the engine that suggests a change of a setting, which no caller can make. */
const HINT_OPENING = /\b(?:Use|Try|Consider|You can|Please|To)\b/;
const HINT_SETTING = /\b(?:SET|PRAGMA|INSTALL|LOAD) [a-z_]+\b/;

/** Errors whose words are the engine's alone; the others may repeat data, or the caller's own `error('...')`. */
const ABOUT_THE_STATEMENT = new Set(['Parser', 'Syntax', 'Binder', 'Catalog', 'Not implemented', 'Missing Extension']);

function publicMessage(error: DuckDbError, hiddenPaths: readonly string[]): string {
  const message = withoutPaths(error.exception_message, hiddenPaths);
  return ABOUT_THE_STATEMENT.has(error.exception_type) ? withoutSettingHints(message) : message;
}

/** Cuts each line where such a sentence begins. Sentences are read one by one: a single pattern would take quadratic time. */
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

/** Line and column, from 1 and in characters, of a byte position; undefined when it points into what we wrapped around. */
function locate(position: number, context: ErrorContext): SqlLocation | undefined {
  const bytes = Buffer.from(context.sql, 'utf8');
  const offset = position - context.offsetBytes;
  if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length) return undefined;
  const before = bytes.subarray(0, offset).toString('utf8');
  const lines = before.split('\n');
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
