import type { QueryParameter } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { lowerAscii } from '../sql-text.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * Functions that cut strings by a regular expression, their second argument. RE2 counts bytes in two places, `\C` and `\B`, and can
 * therefore cut a character into pieces, which are not text any more: to_json writes nothing for them, and other functions read
 * past their end in native code. Functions that only return a boolean (regexp_matches, `~`, SIMILAR TO) are left out.
 */
export const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set([
  'regexp_extract',
  'regexp_extract_all',
  'regexp_replace',
  'regexp_split_to_array',
  'regexp_split_to_table',
  'str_split_regex',
  'string_split_regex',
]);

/** A parameter whose value is used as a pattern, so the value decides. */
export interface PatternParameter {
  readonly functionName: string;
  readonly parameter: string;
}

/**
 * Throws `not_supported` if a call has a pattern that is neither a constant nor a parameter, or that could split a character. Returns
 * the parameters that are patterns, for `checkPatternValues`.
 */
export function checkPatternArguments(name: string, call: Tree): readonly PatternParameter[] {
  const children = (call['children'] ?? []) as readonly Tree[];
  if (children.some(({ type }) => type === 'OPERATOR_UNPACK'))
    throw patternProblem(name, 'cannot be unpacked from *COLUMNS(...): write each argument');
  if (children.some(({ alias }) => text(alias) !== ''))
    throw patternProblem(name, 'cannot be given by name: write the string first and the pattern second');
  return patternIndexes(call).flatMap((index) => checkPattern(name, children[index]));
}

/**
 * Checks calls whose patterns name columns. A list, a lambda and a star have no pattern, and the names that they select are
 * complete.
 */
export function checkColumnsPattern(pattern: Tree | null): readonly PatternParameter[] {
  if (pattern === null || ['LAMBDA', 'STAR'].includes(text(pattern['class']))) return [];
  if (LIST_FUNCTIONS.has(lowerAscii(text(pattern['function_name'])))) return [];
  return checkPattern('COLUMNS', pattern);
}

/** Throws `not_supported` if the value of a parameter is a pattern that could split a character, or a list. */
export function checkPatternValues(
  patterns: readonly PatternParameter[],
  parameters: readonly Pick<QueryParameter, 'name' | 'value'>[],
): void {
  const values = new Map(parameters.map(({ name, value }) => [name, value]));
  for (const { functionName, parameter } of patterns) {
    const pattern = values.get(parameter) ?? '';
    if (typeof pattern !== 'string') throw patternProblem(functionName, 'must be one string, not a list');
    checkPatternText(functionName, pattern);
  }
}

/** Functions that represent a list of names, and a list comprehension over the columns, in the tree. */
const LIST_FUNCTIONS: ReadonlySet<string> = new Set(['list_value', 'list_apply', 'list_filter', 'list_transform']);

/** Names that DuckDB may read as its own catalog or schema, or otherwise as a column before a dot. */
const OWN_SCHEMAS: ReadonlySet<string> = new Set(['main', 'system', 'pg_catalog', 'information_schema', 'temp']);

/**
 * Returns the possible indexes of the pattern: after the string, which is the name before the dot in
 * `column.regexp_extract(pattern)`.
 */
function patternIndexes(call: Tree): readonly number[] {
  const catalog = lowerAscii(text(call['catalog']));
  const schema = lowerAscii(text(call['schema']));
  if (schema === '' || (schema === 'main' && ['', 'system'].includes(catalog))) return [1];
  return OWN_SCHEMAS.has(schema) || OWN_SCHEMAS.has(catalog) ? [0, 1] : [0];
}

interface Constant {
  readonly type: { readonly id: string };
  readonly is_null: boolean;
  readonly value: unknown;
}

function checkPattern(name: string, argument: Tree | undefined): readonly PatternParameter[] {
  if (argument === undefined) return []; // the engine reports that it is missing
  if (argument['class'] === 'PARAMETER') return [{ functionName: name, parameter: text(argument['identifier']) }];
  const pattern = argument['class'] === 'CONSTANT' ? patternOf(argument['value'] as Constant) : undefined;
  if (pattern === undefined) {
    throw patternProblem(name, 'must be one string literal or parameter, because it is checked before the query runs');
  }
  checkPatternText(name, pattern);
  return [];
}

function checkPatternText(name: string, pattern: string): void {
  const splitter = characterSplitter(pattern);
  if (splitter !== undefined) throw patternProblem(name, SPLITTERS[splitter]);
}

function patternOf({ is_null, type, value }: Constant): string | undefined {
  if (is_null) return '';
  return type.id === 'VARCHAR' && typeof value === 'string' ? value : undefined;
}

const SPLITTERS = {
  C: String.raw`must not have \C, which matches one byte and can split a character: write . for a character`,
  B: String.raw`must not have \B, which matches between the bytes of a character and can split it: write what is there as a group`,
};

/**
 * Returns which of `\C` and `\B` a pattern of RE2 contains, if any. A backslash escapes the next character, and text between `\Q`
 * and `\E` is literal. RE2 rejects both in brackets; they are reported all the same.
 */
export function characterSplitter(pattern: string): keyof typeof SPLITTERS | undefined {
  for (let at = pattern.indexOf('\\'); at !== -1; at = pattern.indexOf('\\', at)) {
    const escaped = pattern[at + 1];
    if (escaped === 'C' || escaped === 'B') return escaped;
    if (escaped === 'Q') {
      const end = pattern.indexOf('\\E', at + 2);
      if (end === -1) return undefined;
      at = end;
    }
    at += 2;
  }
  return undefined;
}

const patternProblem = (name: string, reason: string): ProblemError =>
  new ProblemError('not_supported', `The pattern of ${name} ${reason}.`);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
