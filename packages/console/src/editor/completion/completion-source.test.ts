import { describe, expect, it } from '@jest/globals';
import { completionContext, sqlName } from '@sluice/contract/sql';
import type { CatalogName, CompletionCatalog } from './completion-catalog.ts';
import { completeSql } from './completion-source.ts';

/** Splits SQL at `|`. */
function atMark(marked: string): { readonly text: string; readonly cursor: number } {
  const cursor = marked.indexOf('|');
  return { text: marked.slice(0, cursor) + marked.slice(cursor + 1), cursor };
}

const context = (marked: string) => {
  const { text, cursor } = atMark(marked);
  return completionContext(text, cursor, 'duckdb');
};

const NAMES: readonly CatalogName[] = [
  { name: 'demo', kind: 'catalog', detail: null, description: null, path: [] },
  { name: 'vega', kind: 'schema', detail: null, description: null, path: ['demo'] },
  { name: 'flights', kind: 'table', detail: null, description: 'All flights', path: ['demo', 'vega'] },
  { name: 'My table', kind: 'view', detail: null, description: null, path: ['demo', 'vega'] },
  { name: 'origin', kind: 'column', detail: 'varchar', description: 'Airport', path: ['demo', 'vega', 'flights'] },
  { name: 'order', kind: 'column', detail: 'bigint', description: null, path: ['demo', 'vega', 'flights'] },
];

const catalog: CompletionCatalog = {
  below: async (path) => {
    const names = NAMES.filter((each) => each.path.join('.') === path.join('.').toLowerCase());
    return { find: (prefix) => names.filter(({ name }) => name.toLowerCase().includes(prefix.toLowerCase())) };
  },
  searchTables: async (text) =>
    NAMES.filter(({ kind, name }) => /table|view/.test(kind) && name.toLowerCase().includes(text.toLowerCase())),
};

async function complete(marked: string, isExplicit = false): Promise<readonly string[] | undefined> {
  const request = { ...atMark(marked), dialect: 'duckdb', isExplicit } as const;
  const list = await completeSql(request, catalog, new AbortController().signal);
  return list?.options.map(({ insert }) => insert);
}

describe('completionContext', () => {
  it.each([
    ['SELECT * FROM fli|', { qualifier: [], prefix: 'fli', position: 'table' }],
    ['SELECT * FROM demo.vega.fl|', { qualifier: ['demo', 'vega'], prefix: 'fl', position: 'table' }],
    ['SELECT * FROM demo."a.b".|', { qualifier: ['demo', 'a.b'], prefix: '', position: 'table' }],
    ['SELECT * FROM a, |', { qualifier: [], prefix: '', position: 'table' }],
    ['SELECT * FROM a JOIN b|', { qualifier: [], prefix: 'b', position: 'table' }],
    ['SELECT or| FROM flights', { qualifier: [], prefix: 'or', position: 'expression' }],
    ['SELECT a, | FROM flights', { qualifier: [], prefix: '', position: 'expression' }],
    ['SELECT * FROM a WHERE f(x, y|)', { qualifier: [], prefix: 'y', position: 'expression' }],
    ['SELECT "My|" FROM a', { qualifier: [], prefix: 'My', isQuoted: true }],
    ['SELECT * FROM demo."My|', { qualifier: ['demo'], prefix: 'My', isQuoted: true }],
    ['SELECT count(*) AS n|', { prefix: 'n', position: 'new-name' }],
    ['SELECT * FROM f(a) AS t|', { prefix: 't', position: 'new-name' }],
    ['SELECT CAST(f(a) AS var|)', { prefix: 'var', position: 'expression' }],
    ['SELECT 1; SELECT * FROM b|', { qualifier: [], prefix: 'b', position: 'table', tables: [] }],
  ])('reads %j', (marked, expected) => {
    expect(context(marked)).toMatchObject(expected);
  });

  it.each(["SELECT 'a|'", 'SELECT 1|', '-- a|', '/* a| */', 'SELECT $a|', '$$ a|'])(
    'completes nothing in %j',
    (marked) => {
      expect(context(marked)).toBeUndefined();
    },
  );

  it.each([
    ['SELECT | FROM demo.vega.flights AS f', [{ path: ['demo', 'vega', 'flights'], alias: 'f' }]],
    [
      'SELECT | FROM a x JOIN b ON x.i = b.i',
      [
        { path: ['a'], alias: 'x' },
        { path: ['b'], alias: 'b' },
      ],
    ],
    [
      'SELECT | FROM a, "B c" WHERE 1',
      [
        { path: ['a'], alias: 'a' },
        { path: ['B c'], alias: 'B c' },
      ],
    ],
    [
      'WITH t AS (SELECT 1) SELECT | FROM t',
      [
        { path: [], alias: 't' },
        { path: ['t'], alias: 't' },
      ],
    ],
    ['SELECT | FROM (SELECT * FROM b) c', [{ path: ['b'], alias: 'b' }]],
  ])('finds the tables of %j', (marked, tables) => {
    expect(context(marked)?.tables).toEqual(tables);
  });
});

describe('completeSql', () => {
  it('completes each level', async () => {
    expect(await complete('SELECT * FROM de|')).toEqual(['demo']);
    expect(await complete('SELECT * FROM demo.|')).toEqual(['vega']);
    expect(await complete('SELECT * FROM demo.vega.|')).toEqual(['flights', '"My table"']);
    expect(await complete('SELECT * FROM demo.vega.flights.|')).toEqual(['origin', '"order"']);
  });

  it('finds a table by its name alone and inserts its whole name', async () => {
    expect(await complete('SELECT * FROM fli|')).toEqual(['demo.vega.flights']);
    expect(await complete('SELECT * FROM "my|')).toEqual(['demo.vega."My table"']);
  });

  it('completes columns of the tables of the statement, by alias too', async () => {
    expect(await complete('SELECT ori| FROM demo.vega.flights')).toEqual(['origin']);
    expect(await complete('SELECT f.| FROM flights f')).toEqual(['origin', '"order"']);
    expect(await complete('SELECT "or|" FROM flights')).toEqual(['"origin"', '"order"']);
  });

  it('completes keywords and functions in the case that is typed', async () => {
    expect(await complete('SEL|')).toEqual(['SELECT']);
    expect(await complete('sel|')).toEqual(['select']);
    expect(await complete('SELECT approx_c|')).toEqual(['approx_count_distinct']);
  });

  it('opens by itself only where a name or a table is expected', async () => {
    expect(await complete('SELECT | FROM flights')).toBeUndefined();
    expect(await complete('SELECT | FROM flights', true)).toEqual(['origin', '"order"', 'flights']);
  });

  it('does not open by itself over a name that the user makes up, whose Enter it would take', async () => {
    expect(await complete('SELECT count(*) AS o| FROM flights')).toBeUndefined();
    expect(await complete('SELECT count(*) AS ori| FROM flights', true)).toEqual(['origin']);
  });

  it('drops a list that is not needed any more', async () => {
    const request = { ...atMark('SELECT * FROM de|'), dialect: 'trino', isExplicit: false } as const;
    expect(await completeSql(request, catalog, AbortSignal.abort())).toBeUndefined();
  });
});

describe('sqlName', () => {
  it.each([
    ['flights', 'flights'],
    ['Order', '"Order"'],
    ['a b', '"a b"'],
    ['a"b', '"a""b"'],
    ['1a', '"1a"'],
    ['é', '"é"'],
  ])('writes %j as %s', (name, written) => {
    expect(sqlName(name)).toBe(written);
  });
});
