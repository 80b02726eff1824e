import { describe, expect, it } from '@jest/globals';
import type { SqlDialect } from '@sluice/contract/sql';
import { formatSql } from './format-sql.ts';
import { haveSameTokens } from './token-sequence.ts';

describe('haveSameTokens', () => {
  it.each([
    ['SELECT a,b FROM t', 'SELECT\n  a,\n  b\nFROM\n  t'],
    ['SELECT a=-1', 'SELECT a = -1'],
    ['/* a\n   b */ SELECT 1', '/* a\n b */\nSELECT\n  1'],
    ["SELECT 'a  b'", "SELECT\n  'a  b'"],
  ])('accepts white space: %j', (before, after) => {
    expect(haveSameTokens(before, after, 'duckdb')).toBe(true);
  });

  it.each([
    ["SELECT 'a  b'", "SELECT 'a b'"],
    ['SELECT a>=b', 'SELECT a > = b'],
    ['SELECT - -1', 'SELECT --1'],
    ['SELECT 1 .5', 'SELECT 1.5'],
    ['SELECT a b', 'SELECT ab'],
    ['SELECT a -- b\n, c', 'SELECT a -- b, c'],
    ['SELECT a', 'SELECT A'],
    ['SELECT a', 'SELECT a;'],
    ['SELECT "a"', 'SELECT a'],
    ['SELECT $a', 'SELECT $ a'],
    ["SELECT 'a'\n'b'", "SELECT 'a' 'b'"],
    ['SELECT $$a  b$$', 'SELECT $$a b$$'],
    ['SELECT a ->> b', 'SELECT a - >> b'],
  ])('rejects a change of meaning: %j to %j', (before, after) => {
    expect(haveSameTokens(before, after, 'duckdb')).toBe(false);
  });
});

describe('formatSql', () => {
  it.each<[SqlDialect, string]>([
    [
      'duckdb',
      "select origin,count(*) as n from demo.vega.flights where distance>$miles and carrier<>'x;y' group by all -- end",
    ],
    ['duckdb', "select {'a': 1, 'b': [1,2,3]}, x::int, list_transform([1,2], lambda x: x+1) from t"],
    [
      'trino',
      'with a as (select "x y", try_cast(b as varchar) from c.d.e) select * from a cross join unnest(b) as t(x)',
    ],
  ])('formats on %s without a change of meaning: %s', async (dialect, sql) => {
    const formatted = await formatSql(sql, dialect);
    expect(formatted).toEqual({ sql: expect.stringMatching(/\n/) });
    if ('sql' in formatted) expect(haveSameTokens(sql, formatted.sql, dialect)).toBe(true);
  });

  it('formats what it has formatted to the same text', async () => {
    const once = await formatSql('select a,b from t where x=$p', 'duckdb');
    expect('sql' in once && (await formatSql(once.sql, 'duckdb'))).toEqual(once);
  });

  it('rejects what it does not understand, and what is too long', async () => {
    expect(await formatSql('SELECT (((', 'trino')).toEqual({ problem: 'not-understood' });
    expect(await formatSql(`SELECT ${'1,'.repeat(40_000)}1`, 'trino')).toEqual({ problem: 'too-long' });
  });
});
