import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { parseMarkdownTables, shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { ALLOWED_STATEMENTS } from '../../../testing/corpus/allowed-statements.ts';
import { mutants } from '../../../testing/corpus/mutants.ts';
import { rejectedStatements } from '../../../testing/corpus/rejected-statements.ts';
import { createShop, type Shop } from '../../../testing/corpus/shop.ts';
import { TPCH_STATEMENTS } from '../../../testing/corpus/tpch-statements.ts';
import { unknownStatements } from '../../../testing/corpus/unknown-statements.ts';
import { readResult, type TextResult } from '../../../testing/read-result.ts';
import { DuckDbEngine } from '../duckdb-engine.ts';

const [refused = [], failing = []] = parseMarkdownTables(
  await readFile(new URL('../../../../../docs/sql.md', import.meta.url), 'utf8'),
);

let shop: Shop;
let engine: DuckDbEngine;
beforeAll(async () => {
  shop = await createShop();
  engine = await DuckDbEngine.open(shop.profile);
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});

const read = (sql: string): Promise<TextResult> => readResult(engine, sql, { format: { name: 'json' } });

/** Returns what happened, in one line: the result, or the code of the rejection. */
async function outcome(sql: string): Promise<string> {
  try {
    return `${sql} => returned ${(await read(sql)).body.slice(0, 200)}`;
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    if (thrown.code === 'internal') throw thrown;
    expect(thrown.message).not.toMatch(NEVER_REVEALED);
    return `${sql} => ${thrown.code}`;
  }
}

/** Our wrapping, names of settings, a stack, or the machine: callers must not see any of it. */
const NEVER_REVEALED =
  /XYZZY|combination|result\(c0|end of result|AS result|enable_external_access|lock_configuration|max_expression|allowed_directories|v1\.5|\bat .*\.(?:ts|cpp):/;

describe('the read-only guard', () => {
  it('accepts every harmless statement', async () => {
    const failures: string[] = [];
    for (const sql of ALLOWED_STATEMENTS) {
      const result = await outcome(sql);
      if (!result.includes('=> returned ')) failures.push(result);
    }
    expect(failures).toEqual([]);
  });

  it('accepts all of TPC-H, with rows', async () => {
    expect(TPCH_STATEMENTS).toHaveLength(22);
    const counts = await Promise.all(TPCH_STATEMENTS.slice(0, 1).map(async (sql) => (await read(sql)).rows));
    expect(counts).toEqual([6]);
    expect(ALLOWED_STATEMENTS.length).toBeGreaterThanOrEqual(222);
  });

  it('rejects everything else as READ_ONLY, wherever it is nested', async () => {
    const wrong: string[] = [];
    for (const sql of rejectedStatements(shop.secretFile)) {
      const result = await outcome(sql);
      if (!result.endsWith('=> read_only')) wrong.push(result.replaceAll(shop.folder, ''));
    }
    expect(wrong).toEqual([]);
  });

  it('rejects it in every place, spelling and combination that a grammar generates', async () => {
    await fc.assert(
      fc.asyncProperty(mutants(shop.secretFile), async (sql) => {
        expect(await outcome(sql)).toMatch(/=> (?:read_only|not_supported|\w+_not_found|semantic_error|syntax_error)$/);
      }),
      { numRuns: shortOrLong(300, 1_000) },
    );
  }, 120_000);

  it('leaves unknown names to the engine, which returns nothing', async () => {
    const wrong: string[] = [];
    for (const sql of unknownStatements(shop.secretFile)) {
      const result = await outcome(sql);
      if (result.includes('=> returned ')) wrong.push(result);
    }
    expect(wrong).toEqual([]);
  });

  it('has read nothing of a private file, and the data are unchanged', async () => {
    expect((await read('SELECT count(*) AS n FROM events')).rowsText).toBe('{"n":100}');
    expect((await read('SHOW ALL TABLES')).rowsText).not.toContain('secret');
  });

  it.each([
    ['SELECT foo(1)', 'function_not_found'],
    ['SELECT * FROM foo(1)', 'function_not_found'],
    ['SELECT foo FROM events', 'column_not_found'],
    ['SELECT * FROM evnts', 'table_not_found'],
    ['SELECT * FROM nope.events', 'table_not_found'],
    ['SELECT 1::NOPE', 'type_error'],
    ["SELECT upper('a', 'b')", 'type_error'],
    ['SELECT id, count(*) FROM events', 'semantic_error'],
  ])('leaves the message for an error to the engine: %s', async (sql, code) => {
    expect(await outcome(sql)).toBe(`${sql} => ${code}`);
  });
});

describe('docs/sql.md', () => {
  it('lists statements that are refused, with their codes', async () => {
    expect(refused.length).toBeGreaterThan(15);
    for (const { Statement = '', Code = '' } of refused) {
      const sql = Statement.slice(1, -1);
      expect(await outcome(sql)).toBe(`${sql} => ${Code.toLowerCase()}`);
    }
  });

  it('lists functions in which DuckDB fails, and what a caller gets', async () => {
    expect(failing.length).toBeGreaterThan(7);
    for (const { Example = '', 'In Sluice': result = '' } of failing) {
      if (Example === 'none') continue;
      await using fresh = await DuckDbEngine.open(shop.profile);
      const sql = Example.slice(1, -1);
      const code = await readResult(fresh, sql, { format: { name: 'json' } }).catch(({ code }: ProblemError) => code);
      expect([sql, code]).toEqual([sql, result.split(/[ ,]/)[0]?.toLowerCase()]);
    }
  });

  it.each([
    'SELECT list_sort(v) FROM variants',
    'SELECT array_sort(v) FROM (SELECT * FROM shop.variants)',
    "SELECT list_grade_up(from_json('[1]', '\"VARIANT\"'))",
    "SELECT grade_up(json_transform('[1]', '\"vari' || 'ant\"'))",
    "SELECT list_resize(({'a': 1}::STRUCT(a VARIANT)).a, 2)",
    'SELECT list_sort([1]::loose)',
  ])('refuses list functions where a VARIANT may occur: %s', async (sql) => {
    expect(await outcome(sql)).toBe(`${sql} => not_supported`);
  });

  it('allows them elsewhere', async () => {
    const sql = "SELECT list_sort([2, 1]), 1::VARIANT IS NULL FROM (SELECT 'variant' AS variant)";
    expect(await outcome(sql)).toBe(`${sql} => not_supported`);
    expect((await read('SELECT list_sort([2, 1]) AS v FROM (SELECT 1 AS variant)')).rowsText).toBe('{"v":[1,2]}');
  });

  it('names allowed statements instead', async () => {
    expect(await outcome('PIVOT (SELECT 1 AS a) ON a IN (1, 2) USING count(*)')).toContain('=> returned');
    expect(await outcome("SELECT regexp_matches(a, p) FROM (VALUES ('a1', '[0-9]')) AS t(a, p)")).toContain(
      '=> returned',
    );
  });
});

describe('the result', () => {
  const expectNoPath = (text: string): void => expect(text).not.toContain(shop.folder.split('/').at(-1));

  it('of a view over files is its rows', async () => {
    expect((await read('SELECT * FROM sales')).rowsText).toBe('{"id":1,"amount":2.50},\n{"id":2,"amount":3.75}');
    expect(await outcome('SELECT filename FROM sales')).toMatch(/column_not_found$/);
  });

  it.each(['text', 'json', 'html', 'graphviz', 'mermaid'])('of EXPLAIN ANALYZE as %s names no file', async (format) => {
    const { body } = await read(`EXPLAIN (ANALYZE, FORMAT ${format}) SELECT * FROM sales JOIN events USING (id)`);
    expect(body.replaceAll(/[\s│]+|\\n/g, '')).not.toMatch(/ratherlong|anotherone|sales\.csv/);
    expectNoPath(body);
  });

  it('of a view whose file has been replaced by a pipe is an error, without a wait', async () => {
    const path = shop.secretFile.replace('secret.csv', "pipe's [1].csv");
    execFileSync('mkfifo', [path]);
    await expect(read('SELECT count(*) FROM piped')).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('The file of the view shop.piped has been replaced'),
    });
  });

  it('of a broken file does not contain its path', async () => {
    try {
      await read('SELECT * FROM broken');
      throw new Error('It was read');
    } catch (thrown) {
      expectNoPath(String((thrown as Error).message));
      expect(thrown).toMatchObject({ code: 'data_error' });
    }
  });
});

describe('statements that are huge or deeply nested', () => {
  it.each([
    ['operators', `SELECT 1${'+1'.repeat(100_000)}`],
    ['parentheses', `SELECT ${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['functions', `SELECT ${'abs('.repeat(40_000)}1${')'.repeat(40_000)}`],
    ['subqueries', `${'SELECT * FROM ('.repeat(10_000)}SELECT 1${')'.repeat(10_000)}`],
    ['cases', `SELECT ${'CASE WHEN true THEN '.repeat(5_000)}1${' END'.repeat(5_000)}`],
    ['joins', `SELECT 1 FROM (SELECT 1)${' JOIN (SELECT 1) ON true'.repeat(5_000)}`],
    ['minuses', `SELECT ${'- '.repeat(100_000)}1`],
    ['lists', `SELECT ${'['.repeat(3_000)}1${']'.repeat(3_000)}`],
  ])('are rejected after little work, with our own message: %s', async (_, sql) => {
    const start = process.cpuUsage();
    await expect(read(sql)).rejects.toMatchObject({
      code: 'resource_limit',
      message: expect.stringContaining('deeply'),
    });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  it('run if they are only long', async () => {
    const sql = `SELECT count(*) AS n FROM events WHERE id IN (${Array.from({ length: 10_000 }, (_, id) => id).join(', ')})`;
    expect((await read(sql)).rowsText).toBe('{"n":100}');
  });
});
