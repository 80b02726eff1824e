import type { QueryParameter } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { locationAt } from '../parameter-mark.ts';
import { countStatements, endOfFirstStatement, lexSql, stripTrailingSemicolons } from '../statement-lexer.ts';
import type { TableName } from '../table-name.ts';
import { duckDbProblem } from './errors.ts';
import type { AcceptedStatement } from './guard/accepted-statement.ts';
import { checkPatternValues } from './guard/check-patterns.ts';
import type { NameDirectory } from './guard/name-directory.ts';
import { parseTree } from './guard/parse-tree.ts';
import { checkReadOnly, type GuardVerdict, readOnlyProblem } from './guard/read-only-guard.ts';
import { type SplitStatement, splitExplain } from './guard/split-explain.ts';
import { type StatementFacts, statementFacts } from './guard/statement-facts.ts';
import type { DuckDb } from './instance.ts';
import { bindParameters, parameterTypesOf } from './parameters/bind-parameters.ts';
import { AbandonedWork, tooComplex, withTreeLimit } from './planning-limit.ts';
import type { Scope } from './session/scope.ts';
import { KEPT_CHARACTERS_MAX, type PreparedQuery, type Session } from './session/session.ts';
import { standardError } from './standard-error.ts';

/** A caller's statement that passed the guard and was prepared by the engine. */
export interface CheckedStatement {
  readonly prepared: PreparedQuery;
  /** The guarded statement without trailing semicolons. It is safe between parentheses that are on lines of their own. */
  readonly text: string;
  /** EXPLAIN cannot be used in FROM; everything else can. */
  readonly kind: 'query' | 'explain';
  /** Bytes that the prepared statement has more before the guarded text than the caller's. */
  readonly offsetBytes: number;
  readonly facts: StatementFacts;
  /** Statements around this one may be kept prepared. */
  readonly isRepeatable: boolean;
  /** Tables and views that a query names. */
  readonly tables: Iterable<TableName>;
  /** Values of its parameters. They are bound to `prepared` too. */
  readonly parameters: readonly QueryParameter[];
  readonly parameterTypes: readonly string[];
}

interface CheckInput {
  readonly sql: string;
  readonly parameters?: readonly QueryParameter[] | undefined;
}

/** Maximum size of a statement's tree. */
const TREE_CHARACTERS_MAX = 8_000_000;

/**
 * Accepts a statement, or throws the ProblemError that describes its error with positions in the caller's own SQL: first syntax,
 * then rejections by the guard, then names and types. Nothing has run by then.
 */
export async function checkStatement(
  duckDb: DuckDb,
  session: Session,
  { sql, parameters = [] }: CheckInput,
): Promise<CheckedStatement> {
  const { scope } = session;
  const found = scope.accepted.get(sql);
  const accepted = found ?? (await guardStatement(duckDb, scope, sql));
  const { split, verdict, text, facts } = accepted;
  const { prefix, before } = split;
  const offsetBytes = Buffer.byteLength(prefix) - Buffer.byteLength(before);
  checkParameters(verdict, parameters);
  await duckDb.viewFiles.assertFiles(verdict.tables);
  try {
    await duckDb.tune(session.connection, facts);
    const { planningMsMax } = duckDb.profile;
    const kind = prefix === '' ? 'query' : 'explain';
    const isRepeatable = facts.isRepeatable && kind === 'query';
    const parameterTypes = parameterTypesOf(parameters);
    const prepared = await session.prepare(`${prefix}${text}`, { isRepeatable, planningMsMax, parameterTypes });
    bindParameters(prepared.statement, parameters);
    const [rejection] = verdict.rejections;
    if (rejection !== undefined) {
      prepared[Symbol.dispose]();
      throw readOnlyProblem(rejection);
    }
    if (found === undefined && sql.length <= KEPT_CHARACTERS_MAX) scope.accepted.add(sql, accepted);
    const tables = kind === 'query' ? verdict.tables : [];
    return { prepared, text, kind, offsetBytes, facts, isRepeatable, tables, parameters, parameterTypes };
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    throw duckDbProblem(thrown, { sql, offsetBytes, hiddenPaths: hiddenPathsOf(duckDb) });
  }
}

/**
 * Compares the parameters that DuckDB's parser found with those that have values: the host finds them with a lexer of its own. Then
 * checks the values that are patterns.
 */
function checkParameters(verdict: GuardVerdict, parameters: readonly QueryParameter[]): void {
  const given = new Set(parameters.map(({ name }) => name));
  const isSame = given.size === verdict.parameters.size && [...verdict.parameters].every((name) => given.has(name));
  if (!isSame) {
    throw new ProblemError(
      'not_supported',
      'The engine finds other parameters in the SQL than those that have values. Write each as $name, with a space after it.',
    );
  }
  checkPatternValues(verdict.patterns, parameters);
}

export const hiddenPathsOf = (duckDb: DuckDb): readonly string[] => [
  ...duckDb.profile.readableFolders,
  ...duckDb.profile.catalogs.map((catalog) => catalog.path),
];

/** Returns the problem of several statements, which Trino reports as a syntax error at the end of the first. */
const severalStatements = ({ before, text }: SplitStatement): ProblemError =>
  readOnlyProblem('several statements in one request are not allowed', {
    location: locationAt(`${before}${text}`, before.length + endOfFirstStatement(text)),
    engineError: standardError('SYNTAX_ERROR'),
  });

interface SerializedSql {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly position?: string;
  readonly statements?: readonly { readonly node: Record<string, unknown> }[];
}

/**
 * Returns what the guard found in a statement that it did not reject. Nothing is planned or run. Throws the ProblemError of a syntax error
 * or a rejection.
 */
export async function guardStatement(duckDb: DuckDb, scope: Scope, sql: string): Promise<AcceptedStatement> {
  const known = scope.accepted.get(sql) ?? (scope.guarded?.sql === sql ? scope.guarded.accepted : undefined);
  if (known !== undefined) return known;
  const accepted = await guard(duckDb, scope.names, splitExplain(sql));
  scope.guarded = { sql, accepted };
  return accepted;
}

async function guard(duckDb: DuckDb, names: NameDirectory, split: SplitStatement): Promise<AcceptedStatement> {
  const tree = await serialize(duckDb, split.text);
  const serialized = parseTree(tree) as SerializedSql;
  if (serialized.error) throw rejectionProblem(split, serialized);
  const statements = serialized.statements ?? [];
  if (statements.length === 0)
    throw new ProblemError('syntax_error', 'There is no statement: the SQL contains only comments or semicolons.');
  if (statements.length > 1) throw severalStatements(split);
  const node = statements[0]?.node ?? {};
  const verdict = checkReadOnly(node, names);
  const text = await withoutSemicolons(duckDb, split.text, tree);
  return { split, verdict, text, facts: statementFacts(node, names) };
}

/** Our lexer finds where the semicolons begin. DuckDB's parser must see the same statement without them, otherwise nothing runs. */
async function withoutSemicolons(duckDb: DuckDb, text: string, tree: string): Promise<string> {
  const stripped = stripTrailingSemicolons(text);
  if (stripped !== text && (await serialize(duckDb, stripped)) !== tree) {
    throw new ProblemError(
      'syntax_error',
      'The end of the statement is ambiguous. Remove the semicolon after it and everything that follows.',
    );
  }
  return stripped;
}

async function serialize(duckDb: DuckDb, text: string): Promise<string> {
  const tree = await withTreeLimit(duckDb.parse(text));
  if (tree.length > TREE_CHARACTERS_MAX) throw tooComplex();
  return tree;
}

/**
 * Returns the error for SQL that DuckDB does not serialize: a syntax error, or a statement other than SELECT. The engine must not
 * describe such a statement: even to extract it, DuckDB evaluates the arguments of a PRAGMA.
 */
function rejectionProblem(split: SplitStatement, serialized: SerializedSql): ProblemError {
  if (serialized.error_type === 'parser') {
    const position = String(bytesOfCharacters(split.text, Number(serialized.position)));
    const located = { exception_type: 'Parser', exception_message: serialized.error_message, position };
    return duckDbProblem(new Error(JSON.stringify(located)), {
      sql: `${split.before}${split.text}`,
      offsetBytes: -Buffer.byteLength(split.before),
      hiddenPaths: [],
    });
  }
  if (serialized.error_type === 'serialization') {
    return new ProblemError(
      'not_supported',
      'The guard cannot read this statement, so it was not run. For example, replace a cast to a nested ENUM by a cast to VARCHAR.',
    );
  }
  if (countStatements(split.text) > 1) return severalStatements(split);
  const word = rejectedWord(split.text);
  if (word === 'PIVOT') return readOnlyProblem('PIVOT without a list of its values (ON ... IN (...)) is not allowed');
  return readOnlyProblem(`${word} is not allowed`);
}

/** The parser counts characters, while everything after it counts bytes. */
const bytesOfCharacters = (text: string, characters: number): number =>
  Buffer.byteLength([...text].slice(0, characters).join(''));

/** Words for which a statement is rejected that does not begin with its own kind. */
const HIDDEN_WORDS: ReadonlySet<string> = new Set(['PIVOT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const READ_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE']);

function rejectedWord(sql: string): string {
  const words = [...lexSql(sql)].filter((token) => token.kind === 'word').map((token) => token.text);
  const [first = 'this statement'] = words;
  return READ_WORDS.has(first) ? (words.find((word) => HIDDEN_WORDS.has(word)) ?? first) : first;
}
