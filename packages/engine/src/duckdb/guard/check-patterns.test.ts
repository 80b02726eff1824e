import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEmptyDuckDb } from '../../../testing/open-duckdb.ts';
import { readResult } from '../../../testing/read-result.ts';
import type { DuckDbEngine } from '../duckdb-engine.ts';
import { characterSplitter, PATTERN_FUNCTIONS } from './check-patterns.ts';

let engine: DuckDbEngine;
beforeAll(async () => {
  engine = await openEmptyDuckDb();
});
afterAll(() => engine[Symbol.asyncDispose]());

const rowsOf = async (sql: string): Promise<string> =>
  (await readResult(engine, sql, { format: { name: 'json' } })).rowsText;

const FROM = "FROM (SELECT 'aéb' AS s, '\\C' AS p, 'é' AS \"é\", 'x' AS pg_catalog, 'x' AS system, 'x' AS temp)";

describe('checkPatternArguments', () => {
  it.each([...PATTERN_FUNCTIONS])(
    'rejects patterns of %s that could split a character, and patterns that are not constants',
    async (name) => {
      const rest = name === 'regexp_replace' ? ", 'x'" : '';
      for (const [pattern, reason] of [
        ["'\\C'", '\\C'],
        ["'a|[\\C]'", '\\C'],
        ["'(?i:\\\\\\C)'", '\\C'],
        ["'\\Qa\\E\\C'", '\\C'],
        ["e'\\\\C'", '\\C'],
        ['$$\\C$$', '\\C'],
        ["'\\B'", '\\B'],
        ["'\\' || 'C'", 'literal'],
        ["concat('\\', 'C')", 'literal'],
        ["chr(92) || 'C'", 'literal'],
        ["'\\C'::VARCHAR", 'literal'],
        ["(SELECT '\\C')", 'literal'],
        ["CASE WHEN true THEN '\\C' END", 'literal'],
        ["'\\C' COLLATE NOCASE", 'literal'],
        ['p', 'literal'],
      ] as const) {
        for (const call of [
          `${name}(s, ${pattern}${rest})`,
          `(s).${name}(${pattern}${rest})`,
          `main.${name}(s, ${pattern}${rest})`,
        ]) {
          const rejection = { code: 'not_supported', message: expect.stringContaining(reason) };
          await expect([
            call,
            await rowsOf(`SELECT ${call} AS v ${FROM}`).catch((thrown: unknown) => thrown),
          ]).toMatchObject([call, rejection]);
        }
      }
    },
  );

  it.each([
    ["SELECT s.regexp_extract('\\C') AS v", 'a name before a dot'],
    ["SELECT pg_catalog.regexp_extract('\\C') AS v", 'a column named as a schema'],
    ["SELECT system.main.regexp_extract(s, '\\C') AS v", 'the name of a catalog'],
    ["SELECT s.upper().regexp_extract('\\C') AS v", 'a chain of calls'],
    ["SELECT system.regexp_extract(s, '\\C') AS v", 'a catalog alone'],
    ['SELECT "REGEXP_Extract"(s, \'\\C\') AS v', 'another case'],
    ['SELECT regexp_split_to_table(pattern := \'\\C\', "text" := s) AS v', 'arguments in another order'],
    ['SELECT regexp_split_to_table(pattern := \'a\', "text" := p) AS v', 'named arguments'],
    ["SELECT regexp_extract(*COLUMNS(['s', 'p'])) AS v", 'unpacked columns'],
    ["SELECT regexp_replace(*COLUMNS(['s', 'p']), 'x') AS v", 'unpacked columns before a constant'],
    ["SELECT list_transform(['\\C'], lambda p: regexp_extract('é', p)) AS v", 'a lambda'],
    ["SELECT COLUMNS('(\\C)') AS 'x\\1'", 'names of columns'],
    ["SELECT COLUMNS('(\\' || 'C)') AS 'x\\1'", 'names of columns, computed'],
    ["SELECT min(COLUMNS(['(\\C)'][1])) AS 'x\\1'", 'names of columns, in an aggregate'],
  ])('rejects %s: %s', async (select) => {
    await expect(rowsOf(`${select} ${FROM}`)).rejects.toMatchObject({ code: 'not_supported' });
  });

  it.each([
    ["regexp_extract(s, '\\\\C')", '""'],
    ["regexp_extract(s, '\\Q\\C\\B\\E')", '""'],
    ["regexp_extract(s, '[^a]')", '"é"'],
    ["regexp_extract(s, 'a(.)b', 1)", '"é"'],
    ["regexp_extract(s, 'a(.)b', ['x'])", '{"x":"é"}'],
    ["regexp_extract_all(s, '.')", '["a","é","b"]'],
    ["regexp_replace(s, '\\b', '|', 'g')", '"|a|é|b|"'],
    ["string_split_regex(s, '')", '["a","é","b"]'],
    ['regexp_extract(s, NULL)', 'null'],
    ["s.regexp_replace('é', s)", '"aaébb"'],
    ["regexp_matches(s, '\\C' || p)", 'true'],
    ["s ~ 'a\\C\\Cb'", 'true'],
    ["s SIMILAR TO 'a\\B.\\Bb'", 'false'],
  ])('accepts %s', async (sql, value) => {
    expect(await rowsOf(`SELECT ${sql} AS v ${FROM}`)).toBe(`{"v":${value}}`);
  });

  it('accepts columns chosen by pattern, lambda, list and star', async () => {
    const columns =
      "SELECT COLUMNS('^.$'), COLUMNS(c -> c = 's'), COLUMNS(['p']), COLUMNS(* EXCLUDE (s)), COLUMNS([c FOR c IN (*) IF c = 's'])";
    expect((await readResult(engine, `${columns} ${FROM}`, { format: { name: 'json' } })).rows).toBe(1);
    expect(await rowsOf(`SELECT COLUMNS('^(s)$') AS 'x\\1' ${FROM}`)).toBe('{"xs":"aéb"}');
  });
});

describe('characterSplitter', () => {
  it.each([
    ['\\C', 'C'],
    ['\\\\\\B', 'B'],
    ['\\Q\\C', undefined],
    ['\\Q\\\\E\\C', 'C'],
    ['\\', undefined],
    ['\\\\C\\\\B', undefined],
    ['C\\c', undefined],
  ])('finds in %s: %s', (pattern, found) => {
    expect(characterSplitter(pattern)).toBe(found);
  });
});
