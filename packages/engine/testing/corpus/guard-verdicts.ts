import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import type { NameDirectory } from '../../src/duckdb/guard/name-directory.ts';
import { checkReadOnly } from '../../src/duckdb/guard/read-only-guard.ts';
import { splitExplain } from '../../src/duckdb/guard/split-explain.ts';

/**
 * The guard's decision about a statement: `rejected` by the guard; `left` to the engine, because of doubts or because the parser
 * has no tree for it; `passed`, which may run.
 */
type CorpusVerdict = 'rejected' | 'left' | 'passed';

interface Trees {
  readonly error: boolean;
  readonly statements?: readonly { readonly node: Record<string, unknown> }[];
}

/** Asks the guard about many statements with one call of the parser, which is fifteen times cheaper than one after the other. */
export async function guardVerdicts(
  statements: readonly string[],
  { connection, names }: { readonly connection: DuckDBConnection; readonly names: NameDirectory },
): Promise<readonly CorpusVerdict[]> {
  const parser = await connection.prepare('SELECT json_serialize_sql(sql) FROM unnest($1::VARCHAR[]) AS corpus(sql)');
  try {
    parser.bindList(
      1,
      statements.map((sql) => splitExplain(sql).text),
    );
    const rows = (await parser.runAndReadAll()).getRows();
    return rows.map(([trees]) => verdictOf(JSON.parse(String(trees)) as Trees, names));
  } finally {
    parser.destroySync();
  }
}

function verdictOf({ error, statements = [] }: Trees, names: NameDirectory): CorpusVerdict {
  const [statement] = statements;
  if (error || statement === undefined) return 'left';
  if (statements.length > 1) return 'rejected';
  try {
    return checkReadOnly(statement.node, names).rejections.length > 0 ? 'left' : 'passed';
  } catch (thrown) {
    if (thrown instanceof ProblemError && ['read_only', 'not_supported'].includes(thrown.code)) return 'rejected';
    throw thrown;
  }
}
