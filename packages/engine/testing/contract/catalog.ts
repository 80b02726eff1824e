import { expect, it } from '@jest/globals';
import type { QueryParameter } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { createFormat } from '@sluice/encoders';
import type { CatalogPage, CatalogPosition, CatalogTable } from '../../src/catalog/catalog-page.ts';
import { CATALOG_FORMAT } from '../../src/catalog/json-rows.ts';
import { compareNames, readCatalog } from '../../src/catalog/read-catalog.ts';
import type { Statement } from '../../src/engine.ts';
import type { ContractFixture } from './contract-fixture.ts';

const never = new AbortController().signal;

const statement = (sql: string): Statement => ({
  sql,
  queryId: '00000000-0000-4000-8000-000000000003',
  user: 'lister@acme.example',
  timeZone: 'UTC',
});

async function pagesOf(fixture: ContractFixture, after?: CatalogPosition): Promise<readonly CatalogPage[]> {
  const format = createFormat(CATALOG_FORMAT);
  const pages: CatalogPage[] = [];
  const queries = {
    run: (sql: string) => fixture.engine.run(statement(sql), (columns) => format.row(columns), never),
    describe: async (sql: string) => {
      await using second = await fixture.engineFixture.open(CATALOG_FORMAT);
      return await second.describe(statement(sql), never);
    },
  };
  for await (const page of readCatalog({ listing: fixture.engineFixture.listing, queries, after, signal: never }))
    pages.push(page);
  return pages;
}

const tablesOf = (pages: readonly CatalogPage[], catalog: string): readonly CatalogTable[] =>
  pages.flatMap((page) => (page.kind === 'tables' && page.catalog === catalog ? page.tables : []));

const keyOf = ({ schema, name }: Pick<CatalogTable, 'schema' | 'name'>): string => `${schema}\0${name}`;

export function describeDescriptions(fixture: ContractFixture): void {
  it('as a run would return them, including types of every kind', async () => {
    const { sql, types } = fixture.sql.everyType;
    const columns = await fixture.engine.describe(statement(sql), never);
    expect(columns.map(({ type }) => type)).toEqual(types);
    expect(columns).toEqual((await fixture.read(sql)).columns);
  });

  it.each([
    'SELECT 1 AS a, 2 AS b, 3 AS a;',
    'WITH t AS (SELECT 1 AS a) SELECT * FROM t ORDER BY a -- done',
    '(SELECT 1 AS a) UNION ALL (SELECT 2)',
    'VALUES (1, 2)',
    'EXPLAIN SELECT 1 AS a',
  ])('of every kind of statement: %j', async (sql) => {
    expect(await fixture.engine.describe(statement(sql), never)).toEqual((await fixture.read(sql)).columns);
  });

  it('and runs nothing, however long that would take', async () => {
    const columns = await fixture.engine.describe(statement(fixture.sql.slow), never);
    expect(columns).toEqual([{ name: 'n', type: 'bigint' }]);
    const failing = await fixture.engine.describe(statement(fixture.sql.failAt(0, 10)), never);
    expect(failing.map(({ name }) => name)).toEqual(['id', 'label']);
    await fixture.expectReady();
  });

  it.each([
    ['SELECT 1 AS a,\n  nope FROM (SELECT 1 AS b) AS t', 'column_not_found', { line: 2, column: 3 }],
    ['SELECT nope FROM (SELECT 1 AS b) AS t', 'column_not_found', { line: 1, column: 8 }],
    ['SELECT *\n\tFROM no_such_table', 'table_not_found', { line: 2, column: 7 }],
    ['SELECT 1 AS a\nFROM FROM', 'syntax_error', { line: 2, column: 6 }],
  ])('and reports errors at the position where the caller wrote them: %j', async (sql, code, location) => {
    const problem = await fixture.engine.describe(statement(sql), never).catch((thrown: unknown) => thrown);
    expect(problem).toBeInstanceOf(ProblemError);
    expect([(problem as ProblemError).code, (problem as ProblemError).location]).toEqual([code, location]);
  });

  it('and accepts no parentheses that would match only its own', async () => {
    for (const sql of ['SELECT 1 AS a) AS t CROSS JOIN (SELECT 2 AS b', 'SELECT 1 AS a)']) {
      await expect(fixture.engine.describe(statement(sql), never)).rejects.toMatchObject({ code: 'syntax_error' });
    }
  });

  it('and rejects EXPLAIN ANALYZE, which would run', async () => {
    for (const sql of ['EXPLAIN ANALYZE SELECT 1', '/* a */ explain\nanalyze SELECT 1']) {
      await expect(fixture.engine.describe(statement(sql), never)).rejects.toMatchObject({ code: 'read_only' });
    }
    expect(await fixture.engine.describe(statement('EXPLAIN SELECT 1'), never)).not.toEqual([]);
  });

  it('with the tables that a query reads, each once and not the names that WITH defines', async () => {
    const { table, listed, instant } = fixture.sql;
    const { schema, name } = listed.tables.find((each) => table.endsWith(each.name)) ?? { schema: '', name: '' };
    const tablesOf = (sql: string, parameters: readonly QueryParameter[] = []) =>
      fixture.engine.tables({ ...statement(sql), parameters }, never);
    const expected = [{ catalog: listed.catalog, schema, name }];
    expect(await tablesOf(`SELECT * FROM ${table} AS a CROSS JOIN (SELECT 1 AS b FROM ${table}) AS c;`)).toEqual(
      expected,
    );
    const hiding = `WITH hidden AS (SELECT 1 AS a) SELECT * FROM hidden WHERE a IN (SELECT answer FROM ${table})`;
    expect(await tablesOf(hiding)).toEqual(expected);
    const answer = { name: 'answer', type: { name: 'bigint' }, value: '42' } as const;
    expect(await tablesOf(`SELECT * FROM ${table} WHERE answer = $answer`, [answer])).toEqual(expected);
    for (const sql of ['SELECT 1 AS a', instant, 'SHOW TABLES', `EXPLAIN SELECT * FROM ${table}`]) {
      expect(await tablesOf(sql)).toEqual([]);
    }
    await expect(tablesOf('SELECT * FROM no_such_table')).rejects.toMatchObject({ code: 'table_not_found' });
    for (const sql of fixture.sql.writes) await expect(tablesOf(sql)).rejects.toBeInstanceOf(ProblemError);
    await fixture.expectReady();
  });

  it('and rejects statements that would write', async () => {
    for (const sql of fixture.sql.writes) {
      await expect(fixture.engine.describe(statement(sql), never)).rejects.toBeInstanceOf(ProblemError);
    }
    await fixture.expectReady();
  });
}

/** Time limit that a cold server with many schemas keeps on a busy machine. */
const LISTING_MS = 120_000;

export function describeCatalog(fixture: ContractFixture): void {
  let listed: Promise<readonly CatalogPage[]> | undefined;
  const allPages = (): Promise<readonly CatalogPage[]> => {
    listed ??= pagesOf(fixture);
    return listed;
  };

  it(
    'every catalog that the tenant has, each with its schemas before its tables and an end',
    async () => {
      const pages = await allPages();
      const { catalogs } = fixture.engineFixture.listing;
      expect(pages[0]).toEqual({ kind: 'catalogs', names: catalogs });
      for (const catalog of catalogs) {
        const kinds = pages
          .filter((page) => page.kind !== 'catalogs' && page.catalog === catalog)
          .map(({ kind }) => kind);
        expect([kinds[0], kinds.at(-1)]).toEqual(['schemas', 'end']);
        const schemas = pages.find((page) => page.kind === 'schemas' && page.catalog === catalog);
        const names = schemas?.kind === 'schemas' ? schemas.names : [];
        for (const { schema } of tablesOf(pages, catalog)) expect(names).toContain(schema);
        expect(names).not.toContain('information_schema');
      }
    },
    LISTING_MS,
  );

  it(
    'tables and views with their columns in order, with types named as in results',
    async () => {
      const { catalog, tables } = fixture.sql.listed;
      const found = tablesOf(await allPages(), catalog);
      for (const table of tables) expect(found).toContainEqual(table);
      const [first] = tables;
      const name = [catalog, first?.schema, first?.name].join('.');
      expect(first?.columns).toEqual(await fixture.engine.describe(statement(`SELECT * FROM ${name}`), never));
    },
    LISTING_MS,
  );

  it(
    'each once, ascending by schema and name',
    async () => {
      for (const catalog of fixture.engineFixture.listing.catalogs) {
        const keys = tablesOf(await allPages(), catalog).map(keyOf);
        expect(keys).toEqual([...new Set(keys)].sort(compareNames));
      }
    },
    LISTING_MS,
  );

  it(
    'and continues where it was interrupted',
    async () => {
      const { catalog, tables } = fixture.sql.listed;
      // Other files add and drop tables on the same server meanwhile, so only this file's schema is compared whole.
      const schema = tables[0]?.schema ?? '';
      const own = (pages: readonly CatalogPage[]): readonly CatalogTable[] =>
        tablesOf(pages, catalog).filter((table) => table.schema === schema);
      const all = own(await allPages());
      const middle = Math.floor((all.length - 1) / 2);
      const name = all[middle]?.name ?? '';
      const after = { catalog, schema, name };
      const rest = await pagesOf(fixture, after);
      expect(own(rest)).toEqual(all.slice(middle + 1));
      const keys = tablesOf(rest, catalog).map(keyOf);
      expect(keys.filter((key) => compareNames(key, keyOf({ schema, name })) <= 0)).toEqual([]);
      const before = fixture.engineFixture.listing.catalogs.filter((name) => compareNames(name, catalog) < 0);
      for (const name of before) expect(rest).not.toContainEqual({ kind: 'end', catalog: name });
    },
    LISTING_MS,
  );
}
