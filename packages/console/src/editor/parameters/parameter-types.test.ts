import { describe, expect, it } from '@jest/globals';
import type { CatalogName, CompletionCatalog } from '../completion/completion-catalog.ts';
import { guessTypes } from './guess-types.ts';

const COLUMNS: readonly CatalogName[] = [
  ['day', 'date'],
  ['miles', 'decimal(9,2)'],
  ['origin', 'varchar'],
  ['landed at', 'timestamp(6)'],
].map(([name = '', detail = '']) => ({
  name,
  kind: 'column',
  detail,
  description: null,
  path: ['demo', 'vega', 'flights'],
}));

const catalog: CompletionCatalog = {
  below: async (path) => {
    const names = path.join('.') === 'demo.vega.flights' ? COLUMNS : [];
    return { find: (prefix) => names.filter(({ name }) => name.toLowerCase().startsWith(prefix.toLowerCase())) };
  },
  searchTables: async () => [
    { name: 'flights', kind: 'table', detail: null, description: null, path: ['demo', 'vega'] },
  ],
};
const guess = (sql: string, dialect: 'duckdb' | 'trino' = 'duckdb') =>
  guessTypes(sql, dialect, catalog, new AbortController().signal);

describe('the type of a parameter is guessed', () => {
  it.each([
    ['SELECT $d::date', { d: 'date' }],
    ['SELECT $n::decimal(5, 2), $s::varchar', { n: 'number', s: 'varchar' }],
    ['SELECT CAST($t AS timestamp with time zone)', { t: 'timestamp with time zone' }],
    ['SELECT * FROM flights WHERE day = $d', { d: 'date' }],
    [
      'SELECT * FROM flights f WHERE f.day BETWEEN $from AND $to AND $most >= f.miles',
      {
        from: 'date',
        to: 'date',
        most: 'number',
      },
    ],
    ['SELECT * FROM demo.vega.flights WHERE "landed at" < $t AND origin LIKE $o', { t: 'timestamp', o: 'varchar' }],
  ] as const)('from %s', async (sql, types) => {
    expect(await guess(sql)).toEqual(types);
  });

  it.each(["SELECT '$d::date'", 'SELECT $x', 'SELECT * FROM flights WHERE nowhere = $x', 'SELECT $a = upper($b)'])(
    'not from %s',
    async (sql) => {
      expect(await guess(sql)).toEqual({});
    },
  );
});
