import { describe, expect, it } from '@jest/globals';
import type { ProblemError } from '@sluice/contract';
import type { EngineSpec } from '@sluice/engine';
import { findNonlinearGrowth, repeatedStrings } from '@sluice/testkit';
import { requireParameters } from './require-parameters.ts';

const engineOf = (kind: EngineSpec['kind']) => ({ kind, key: 'k', profile: {} }) as unknown as EngineSpec;
const parameter = (name: string) => ({ name, type: { name: 'bigint' }, value: '1' }) as const;

function detailsOf(kind: EngineSpec['kind'], sql: string, ...names: readonly string[]): readonly string[] {
  try {
    requireParameters(engineOf(kind), { sql, parameters: names.map(parameter) });
    return [];
  } catch (thrown) {
    return ((thrown as ProblemError).details ?? []).map(({ path, message }) => `${path}: ${message.split(':')[0]}`);
  }
}

describe.each(['duckdb', 'trino'] as const)('requireParameters, on %s', (kind) => {
  it.each([
    ["SELECT '$a ? ''$b', \"$c\", $d -- $e ?\n/* $f ? */", ['d']],
    ['SELECT $a, $a+$b1,($_c)', ['a', 'b1', '_c']],
    ['SELECT $select', ['select']],
    ['SELECT 1', []],
  ])('accepts the values of %s', (sql, names) => {
    expect(detailsOf(kind, sql, ...names)).toEqual([]);
  });

  it.each([
    ['SELECT $1', 'body.sql: has $1 at line 1, column 8'],
    ['SELECT\n $12', 'body.sql: has $12 at line 2, column 2'],
    ['SELECT ?', 'body.sql: has ? at line 1, column 8'],
    ['SELECT $A', 'body.sql: has $A at line 1, column 8'],
    ['SELECT $aB', 'body.sql: has $aB at line 1, column 8'],
    ['SELECT $"a"', 'body.sql: has $"a" at line 1, column 8'],
    [`SELECT $${'a'.repeat(129)}`, `body.sql: has $${'a'.repeat(39)} at line 1, column 8`],
    ['SELECT $a', 'body.parameters.a: is missing'],
  ])('rejects %s and says where', (sql, detail) => {
    expect(detailsOf(kind, sql)).toEqual([detail]);
  });

  it('reports at most 100 problems, and how many more there are', () => {
    const sql = `SELECT ${'?,'.repeat(130_000)} 1`;
    const details = detailsOf(kind, sql, 'a');
    expect([details.length, details.at(-1)]).toEqual([101, 'request: has 129901 more violations']);
  });

  it('takes time linear in the SQL', () => {
    const strings = repeatedStrings(20);
    const read = (text: string) => detailsOf(kind, `SELECT ${text}`, 'a');
    expect(strings.map((text) => findNonlinearGrowth(read, text)).find(Boolean)).toBeUndefined();
  });
});

describe('requireParameters', () => {
  it('knows the dollar quotes of DuckDB and the row patterns of Trino', () => {
    expect(detailsOf('duckdb', 'SELECT $$ $a ? $$, $q$ $b $q$, a$c FROM t')).toEqual([]);
    const pattern = 'SELECT * FROM t MATCH_RECOGNIZE (PATTERN (^ A? (B? C)*? $) DEFINE A AS x > $a)';
    expect(detailsOf('trino', pattern, 'a')).toEqual([]);
  });
});
