import { expect, it } from '@jest/globals';
import type { ContractFixture } from './contract-fixture.ts';

export function describeErrors(fixture: ContractFixture): void {
  it.each([
    ['SELECT nope FROM (SELECT 1 AS a) AS t', 'column_not_found', { line: 1, column: 8 }],
    ["SELECT 'ü😀', -- ü\n\n  nope\nFROM (SELECT 1 AS a) AS t ; -- x\n ;", 'column_not_found', { line: 3, column: 3 }],
    ['SELECT 1 AS a,\n  "nope_ü" FROM (SELECT 1 AS b) AS t', 'column_not_found', { line: 2, column: 3 }],
    ['SELECT *\n\tFROM no_such_table', 'table_not_found', { line: 2, column: 7 }],
    ['SELECT 1 AS a\nFROM FROM', 'syntax_error', { line: 2, column: 6 }],
    ['/* 😀 */ SELEKT 1', 'syntax_error', { line: 1, column: 9 }],
    ['EXPLAIN\nSELECT nope FROM (SELECT 1 AS a) AS t', 'column_not_found', { line: 2, column: 8 }],
    ['SELECT no_such_function(1)', 'function_not_found', { line: 1, column: 8 }],
  ])('with its position: %j', async (sql, code, location) => {
    const problem = await fixture.problemOf(sql);
    expect([problem.code, problem.location]).toEqual([code, location]);
  });

  it('with the position of a failure at run time, if the engine reports one', async () => {
    const problem = await fixture.problemOf(
      "SELECT 1 AS a,\n  CAST('ä' || x AS INTEGER) AS b\nFROM (SELECT 'z' AS x) AS t",
    );
    expect(problem.code).toBe('data_error');
    if (problem.location !== undefined) expect(problem.location).toEqual({ line: 2, column: 3 });
  });

  it.each(['', ' \n', ';', '-- nothing', '/* nothing */ ;'])('if there is no statement: %j', async (sql) => {
    expect((await fixture.problemOf(sql)).code).toBe('syntax_error');
  });

  it.each([
    'SELECT 7 AS a;',
    'SELECT 7 AS a ; ; -- done;',
    '/* ; */ SELECT 7 AS a -- ;',
    "SELECT 7 AS a -- it's",
    'SELECT 7 AS a /* ) */ ;\n',
  ])('and not if semicolons and comments follow it: %j', async (sql) => {
    expect((await fixture.read(sql)).rowsText).toBe('{"a":7}');
  });
}
