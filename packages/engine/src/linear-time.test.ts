import { expect, it } from '@jest/globals';
import { findNonlinearGrowth, repeatedStrings, shortOrLong } from '@sluice/testkit';
import { createShop } from '../testing/corpus/shop.ts';
import { duckDbProblem } from './duckdb/errors.ts';
import { checkReadOnly } from './duckdb/guard/read-only-guard.ts';
import { splitExplain } from './duckdb/guard/split-explain.ts';
import { statementFacts } from './duckdb/guard/statement-facts.ts';
import { hideFileNames } from './duckdb/hide-file-names.ts';
import { DuckDb } from './duckdb/instance.ts';
import { duckDbParameterMarks } from './duckdb/parameters/parameter-marks.ts';
import { countStatements, lexSql, stripTrailingSemicolons } from './statement-lexer.ts';
import { trinoProblem } from './trino/errors.ts';
import { describableStatement } from './trino/guard/describable-statement.ts';
import { checkStatement } from './trino/guard/read-only-guard.ts';
import { lexTrinoSql } from './trino/guard/sql-lexer.ts';
import { bindStatement } from './trino/parameters/bound-statement.ts';
import { trinoParameterMarks } from './trino/parameters/parameter-marks.ts';
import { ResultPage } from './trino/protocol/result-page.ts';

const profile = { catalogs: ['shop'] };
const nowhere = { offsetBytes: 0, hiddenPaths: ['/data/shop', '/data'] };
const binderError = (message: string) =>
  new Error(JSON.stringify({ exception_type: 'Binder', exception_message: message, position: '9' }));

/** Functions that read a caller's SQL, or an engine's text that may repeat it, before an engine or a client does. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the lexer of DuckDB’s SQL': (text) => [...lexSql(text)].length,
  'the end of a statement': stripTrailingSemicolons,
  'the number of statements': countStatements,
  'the options of EXPLAIN': (text) => splitExplain(`EXPLAIN (${text}`),
  'the lexer of Trino’s SQL': (text) => [...lexTrinoSql(text)].length,
  'the parameters of DuckDB’s SQL': duckDbParameterMarks,
  'the parameters of Trino’s SQL': trinoParameterMarks,
  'values of Trino’s parameters': (text) =>
    bindStatement(`SELECT $a, 1`, [{ name: 'a', type: { name: 'varchar' }, value: text }]).executable('SELECT ? , 1'),
  'the guard of Trino': (text) => checkStatement(`SELECT ${text}`, profile),
  'the guard of Trino, in a list of tables': (text) => checkStatement(`SELECT 1 FROM t, ${text}`, profile),
  'the guard of Trino, of SHOW': (text) => checkStatement(`SHOW TABLES FROM ${text}`, profile),
  'the guard of Trino, of EXPLAIN': (text) => checkStatement(`EXPLAIN (${text}`, profile),
  'what Trino describes': (text) => describableStatement(`SELECT ${text}`),
  'an error of DuckDB about the statement': (text) => duckDbProblem(binderError(text), { ...nowhere, sql: text }),
  'an error of DuckDB without its form': (text) => duckDbProblem(new Error(text), { ...nowhere, sql: text }),
  'an error of Trino': (text) => trinoProblem({ errorName: 'SYNTAX_ERROR', errorType: 'USER_ERROR', message: text }),
  'a plan of DuckDB': (text) => hideFileNames(`Filename(s):${text}`),
  'a page of Trino': (text) => new ResultPage(Buffer.from(`{"id":"a",${text}`)),
};

const STRINGS = repeatedStrings(shortOrLong(3, 10, 400));

it.each(Object.entries(READERS))('%s takes time linear in its text, whatever the text repeats', (_name, read) => {
  expect(STRINGS.map((text) => findNonlinearGrowth(read, text)).find(Boolean)).toBeUndefined();
});

/** Statements that repeat a numbered part. */
const STATEMENTS: Readonly<Record<string, (part: string) => string>> = {
  '%, ': (list) => `SELECT ${list}1`,
  "lower('%'), ": (list) => `SELECT ${list}1`,
  'CASE WHEN % = 1 THEN 2 END, ': (list) => `SELECT ${list}1`,
  '(SELECT %), ': (list) => `SELECT ${list}1`,
  'w% AS (SELECT % AS a), ': (list) => `WITH ${list}last AS (SELECT 1 AS a) SELECT a FROM last`,
  'x% AS a%, ': (list) => `SELECT ${list}1 FROM t`,
  "'a%', ": (list) => `SELECT 1 WHERE 'x' IN (${list}'b')`,
};

it('the guard of DuckDB takes time linear in its statement', async () => {
  await using shop = await createShop();
  using duckDb = await DuckDb.open(shop.profile);
  const treeOf = async (part: string, wrap: (list: string) => string, count: number) => {
    const list = Array.from({ length: count }, (_, index) => part.replaceAll('%', String(index))).join('');
    const tree = JSON.parse(await duckDb.parse(wrap(list))) as { statements?: { node: Record<string, unknown> }[] };
    return tree.statements?.[0]?.node;
  };
  for (const [part, wrap] of Object.entries(STATEMENTS)) {
    const [short, long] = [await treeOf(part, wrap, 500), await treeOf(part, wrap, 4000)];
    if (short === undefined || long === undefined) throw new Error(`DuckDB has no tree for ${part}`);
    const check = (tree: Record<string, unknown>) => [
      checkReadOnly(tree, duckDb.names),
      statementFacts(tree, duckDb.names),
    ];
    expect(check(short)).toBeDefined();
    expect(findNonlinearGrowth(check, { description: part, short, long })).toBeUndefined();
  }
});
