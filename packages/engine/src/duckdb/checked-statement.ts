import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract';
import { lexSql } from '../statement-lexer.ts';
import { duckDbProblem } from './errors.ts';
import type { DuckDb } from './instance.ts';
import { checkReadOnly, type GuardVerdict, refused } from './read-only-guard.ts';

/** A caller's statement after the guard and the engine's own look at it. */
export interface CheckedStatement {
  readonly prepared: DuckDBPreparedStatement;
  /** EXPLAIN cannot stand in FROM; everything else can. */
  readonly kind: 'query' | 'explain';
}

/** How long DuckDB may take to turn a statement into a tree, and how large that tree may be (210 KB of `1=1 or` took 6.9 s, measured). */
const TREE_TIMEOUT_MS = 2_000;
const TREE_CHARACTERS_MAX = 8_000_000;

/**
 * Lets a statement pass, or throws the ProblemError that says what is wrong with it, in the terms of the caller's own text:
 * syntax first, then what the guard refuses, then names and types. Nothing of it has run by then.
 */
export async function checkStatement(
  duckDb: DuckDb,
  connection: DuckDBConnection,
  sql: string,
): Promise<CheckedStatement> {
  const explained = explainedStatement(sql);
  const verdict = await guard(duckDb, connection, explained ?? { text: sql, offset: 0 });
  const hiddenPaths = hiddenPathsOf(duckDb);
  try {
    const prepared = await connection.prepare(sql);
    const [unknown] = verdict.unknownTables;
    if (unknown !== undefined) {
      prepared.destroySync();
      throw refused(
        `${[unknown.catalog, unknown.schema, unknown.name].filter((part) => part !== '').join('.')} is not one of the tables and views that can be read`,
      );
    }
    return { prepared, kind: explained === undefined ? 'query' : 'explain' };
  } catch (thrown) {
    throw duckDbProblem(thrown, { sql, offsetBytes: 0, hiddenPaths });
  }
}

export const hiddenPathsOf = (duckDb: DuckDb): readonly string[] => [
  ...duckDb.profile.readableFolders,
  ...duckDb.profile.catalogs.map((catalog) => catalog.path),
];

interface SqlPart {
  readonly text: string;
  /** Characters before it in the caller's SQL. */
  readonly offset: number;
}

/** What follows EXPLAIN, EXPLAIN ANALYZE and their options in parentheses; undefined for any other statement. */
function explainedStatement(sql: string): SqlPart | undefined {
  const tokens = lexSql(sql);
  const first = tokens.next().value;
  if (first === undefined || first.text !== 'EXPLAIN') return undefined;
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '(' && (depth > 0 || startsOptions(sql, token.end))) depth += 1;
    else if (token.text === ')' && depth > 0) depth -= 1;
    else if (depth === 0 && token.text !== 'ANALYZE') return { text: sql.slice(token.start), offset: token.start };
  }
  return { text: '', offset: sql.length };
}

/** `EXPLAIN (FORMAT json) ...` has options, `EXPLAIN (SELECT 1)` has a statement. */
const startsOptions = (sql: string, position: number): boolean =>
  /^\s*(FORMAT|ANALYZE)\b/i.test(sql.slice(position, position + 64));

interface SerializedSql {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  readonly position?: string;
  readonly statements?: readonly { readonly node: Record<string, unknown> }[];
}

async function guard(duckDb: DuckDb, connection: DuckDBConnection, part: SqlPart): Promise<GuardVerdict> {
  const serialized = await serialize(connection, part);
  if (serialized.error) throw await explainRefusal(connection, part, serialized);
  const statements = serialized.statements ?? [];
  if (statements.length === 0)
    throw new ProblemError('syntax_error', 'There is no statement: the SQL holds only comments or semicolons.');
  if (statements.length > 1) throw refused('several statements in one request are not allowed');
  return checkReadOnly(statements[0]?.node ?? {}, duckDb.tables);
}

async function serialize(connection: DuckDBConnection, part: SqlPart): Promise<SerializedSql> {
  const reader = await withDeadline(connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [part.text]));
  const tree = String(reader.getRows()[0]?.[0]);
  if (tree.length > TREE_CHARACTERS_MAX) throw tooComplex();
  return JSON.parse(tree) as SerializedSql;
}

/** An engine thread still works on something that nobody waits for any more, so its connection cannot be closed. */
export class AbandonedWork extends Error {
  readonly problem = tooComplex();
}

const tooComplex = (): ProblemError =>
  new ProblemError(
    'resource_limit',
    'The statement is too complex to be checked. Put long lists of values into a table or a shorter condition.',
  );

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AbandonedWork()), TREE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** DuckDB refuses to serialize both what does not parse and what is no SELECT; the two are told apart here. */
async function explainRefusal(
  connection: DuckDBConnection,
  part: SqlPart,
  serialized: SerializedSql,
): Promise<ProblemError> {
  if (serialized.error_type === 'parser') {
    const position = Number(serialized.position);
    const located = {
      exception_type: 'Parser',
      exception_message: serialized.error_message,
      position: String(position),
    };
    const context = { sql: part.text, offsetBytes: 0, hiddenPaths: [] };
    const problem = duckDbProblem(new Error(JSON.stringify(located)), context);
    return part.offset === 0 ? problem : new ProblemError(problem.code, problem.message);
  }
  const statements = await connection.extractStatements(part.text).then(
    (extracted) => extracted.count,
    () => 1,
  );
  if (statements > 1 && !/^PIVOT$/.test(firstWord(part.text)))
    return refused('several statements in one request are not allowed');
  return refused(`${firstWord(part.text) || 'this statement'} is not allowed`);
}

const firstWord = (sql: string): string => {
  const first = lexSql(sql).next().value;
  return first?.kind === 'word' ? first.text : '';
};
