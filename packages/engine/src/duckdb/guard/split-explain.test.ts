import { describe, expect, it } from '@jest/globals';
import { splitExplain } from './split-explain.ts';

describe('splitExplain', () => {
  it.each([
    ['SELECT 1', '', 'SELECT 1'],
    ['EXPLAIN SELECT 1', 'EXPLAIN ', 'SELECT 1'],
    ['explain analyze select 1', 'EXPLAIN (ANALYZE) ', 'select 1'],
    ['/* a */ EXPLAIN -- b\n ANALYZE /* c */ FROM t', 'EXPLAIN (ANALYZE) ', 'FROM t'],
    ['EXPLAIN (FORMAT json) SELECT 1', 'EXPLAIN (FORMAT JSON) ', 'SELECT 1'],
    ['EXPLAIN (ANALYZE, FORMAT text) SELECT 1', 'EXPLAIN (ANALYZE, FORMAT TEXT) ', 'SELECT 1'],
    ['EXPLAIN (ANALYZE true) SELECT 1', 'EXPLAIN (ANALYZE) ', 'SELECT 1'],
    ["EXPLAIN (FORMAT 'json', ANALYZE 'true') SELECT 1", 'EXPLAIN (FORMAT JSON, ANALYZE) ', 'SELECT 1'],
    ['EXPLAIN (FORMAT "Graphviz") SELECT 1', 'EXPLAIN (FORMAT GRAPHVIZ) ', 'SELECT 1'],
    ['EXPLAIN (SELECT 1)', 'EXPLAIN ', '(SELECT 1)'],
    ['EXPLAIN ANALYZE ANALYZE', 'EXPLAIN (ANALYZE) ', 'ANALYZE'],
    ['EXPLAIN', 'EXPLAIN ', ''],
    ["SELECT 'EXPLAIN'", '', "SELECT 'EXPLAIN'"],
    ['explained', '', 'explained'],
  ])('splits %j', (sql, prefix, text) => {
    const split = splitExplain(sql);
    expect([split.prefix, split.text]).toEqual([prefix, text]);
    expect(split.before + split.text).toBe(sql);
  });

  it.each([
    'EXPLAIN (FORMAT nope) SELECT 1',
    'EXPLAIN (ANALYZE false) SELECT 1',
    'EXPLAIN (ANALYZE SELECT 1',
    'EXPLAIN (FORMAT) SELECT 1',
    "EXPLAIN (FORMAT ''json'') SELECT 1",
    "EXPLAIN (FORMAT 'json) SELECT 1",
    "EXPLAIN (FORMAT 'json', 'ANALYZE') SELECT 1",
  ])('rejects options that it cannot rebuild: %s', (sql) => {
    expect(() => splitExplain(sql)).toThrow(expect.objectContaining({ code: 'read_only' }));
  });
});
