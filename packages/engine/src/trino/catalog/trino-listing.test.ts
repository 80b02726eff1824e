import { describe, expect, it } from '@jest/globals';
import { type Column, ProblemError } from '@sluice/contract';
import { createFormat } from '@sluice/encoders';
import { answerCatalog, type FakeCatalog, type FakeCatalogRow } from '../../../testing/fake-catalog.ts';
import type { FakeFault, FakeRequest } from '../../../testing/fake-request.ts';
import { type FakeResult, rowSignature, signature } from '../../../testing/fake-result.ts';
import { FakeTrinoEngine } from '../../../testing/fake-trino-engine.ts';
import type { CatalogPage, CatalogPosition } from '../../catalog/catalog-page.ts';
import { CATALOG_FORMAT } from '../../catalog/json-rows.ts';
import { readCatalog } from '../../catalog/read-catalog.ts';
import type { Statement } from '../../engine.ts';
import { trinoListing } from './trino-listing.ts';

const never = new AbortController().signal;
const statement = (sql: string): Statement => ({ sql, queryId: 'q', user: 'lister', timeZone: 'UTC' });

const SCHEMAS: readonly string[] = ['main', 'sales'];
const TABLES: readonly FakeCatalogRow[] = [
  ['main', 'items', 'TABLE', 'id', 'bigint'],
  ['main', 'items', 'TABLE', 'part', 'row("B c" varchar(3), n decimal(12,2))'],
  ['main', 'items_by_day', 'VIEW', 'day', 'timestamp(3) with time zone'],
  ['sales', 'empty', 'TABLE', null, null],
  ['sales', "o'clock", 'TABLE', 'at', 'decimal(38, 0)'],
];

/** Columns with the only type whose listed text is not enough to name it. */
const DESCRIBED_PART: FakeResult = {
  columns: [
    {
      name: 'part',
      typeSignature: rowSignature({ 'B c': signature('varchar', 3), n: signature('decimal', 12, 2) }),
    },
  ],
  pages: [{}],
};

interface Shop {
  readonly fault?: (request: FakeRequest) => FakeFault | undefined;
  readonly failure?: FakeCatalog['failure'];
}

/** Starts a Trino with one catalog, `shop`, which responds to the statements of the listing as a server would. */
const startShop = ({ fault, failure }: Shop = {}): Promise<FakeTrinoEngine> =>
  FakeTrinoEngine.start({
    result: (sql) =>
      answerCatalog(sql, {
        schemas: SCHEMAS,
        rows: TABLES,
        otherwise: DESCRIBED_PART,
        ...(failure === undefined ? {} : { failure }),
      }),
    ...(fault === undefined ? {} : { fault }),
  });

async function list({ engine }: FakeTrinoEngine, after?: CatalogPosition): Promise<readonly CatalogPage[]> {
  const format = createFormat(CATALOG_FORMAT);
  const queries = {
    run: (sql: string) => engine.run(statement(sql), (columns: readonly Column[]) => format.row(columns), never),
    describe: (sql: string) => engine.describe(statement(sql), never),
  };
  const pages: CatalogPage[] = [];
  const reading = { listing: trinoListing({ catalogs: ['shop'] }), queries, after, signal: never };
  for await (const page of readCatalog(reading)) pages.push(page);
  return pages;
}

const WHOLE: readonly CatalogPage[] = [
  { kind: 'catalogs', names: ['shop'] },
  { kind: 'schemas', catalog: 'shop', names: SCHEMAS },
  {
    kind: 'tables',
    catalog: 'shop',
    tables: [
      {
        schema: 'main',
        name: 'items',
        type: 'TABLE',
        columns: [
          { name: 'id', type: 'bigint' },
          { name: 'part', type: 'row("B c" varchar(3),n decimal(12,2))' },
        ],
      },
      {
        schema: 'main',
        name: 'items_by_day',
        type: 'VIEW',
        columns: [{ name: 'day', type: 'timestamp(3) with time zone' }],
      },
      { schema: 'sales', name: 'empty', type: 'TABLE', columns: [] },
      { schema: 'sales', name: "o'clock", type: 'TABLE', columns: [{ name: 'at', type: 'decimal(38,0)' }] },
    ],
  },
  { kind: 'end', catalog: 'shop' },
];

const submitted = ({ fake }: FakeTrinoEngine): readonly string[] =>
  fake.requests.filter(({ kind, attempt }) => kind === 'submit' && attempt > 0).map(({ body }) => body);

describe('the catalog listing of Trino', () => {
  it('has schemas, tables and views with their columns, and queries each schema separately', async () => {
    await using trino = await startShop();
    expect(await list(trino)).toEqual(WHOLE);
    const asked = submitted(trino).filter((sql) => sql.includes('.information_schema.tables'));
    expect(asked.map((sql) => /table_schema = '(\w+)'/.exec(sql)?.[1])).toEqual(SCHEMAS);
  });

  it('asks once for a type that its text does not name, without reading a row', async () => {
    await using trino = await startShop();
    await list(trino);
    const asked = submitted(trino).filter((sql) => !sql.includes('information_schema'));
    expect(asked).toEqual(['SELECT * FROM (\nSELECT "part" FROM "shop"."main"."items"\n) LIMIT 0']);
  });

  it('continues after a table, whatever its name contains', async () => {
    await using trino = await startShop();
    const behind = async (schema: string, name: string): Promise<readonly string[]> =>
      (await list(trino, { catalog: 'shop', schema, name })).flatMap((page) =>
        page.kind === 'tables' ? page.tables.map((table) => table.name) : [],
      );
    expect(await behind('main', 'items')).toEqual(['items_by_day', 'empty', "o'clock"]);
    expect(await behind('sales', 'empty')).toEqual(["o'clock"]);
    expect(await behind('sales', "o'clock")).toEqual([]);
  });

  it.each<readonly [string, FakeFault]>([
    ['503', { kind: 'status', status: 503 }],
    ['reset', { kind: 'reset' }],
    ['cut', { kind: 'cut', bytes: 200 }],
  ])('is complete if requests fail once and then succeed: %s', async (_name, fault) => {
    await using trino = await startShop({
      fault: ({ kind, path, page }) => {
        const isFirst = kind === 'page' && page === 1 && !seen.has(path);
        if (isFirst) seen.add(path);
        return isFirst ? fault : undefined;
      },
    });
    const seen = new Set<string>();
    expect(await list(trino)).toEqual(WHOLE);
  });

  it.each<readonly [string, FakeFault]>([
    ['503 for ever', { kind: 'status', status: 503 }],
    ['reset for ever', { kind: 'reset' }],
    ['401', { kind: 'status', status: 401 }],
    ['not Trino', { kind: 'answer', contentType: 'text/html', body: '<html>' }],
  ])('is unreadable, and never complete, if Trino fails: %s', async (_name, fault) => {
    await using trino = await startShop({ fault: ({ kind }) => (kind === 'page' ? fault : undefined) });
    const pages = await list(trino);
    expect(pages.map(({ kind }) => kind)).toEqual(['catalogs', 'unreadable']);
    expect(pages[1]).toMatchObject({ catalog: 'shop', problem: { code: 'engine_unavailable' } });
  });

  it('ends as unreadable if a connector fails half-way, and keeps what was listed before', async () => {
    const error = { message: 'the metastore is away', errorName: 'HIVE_METASTORE_ERROR', errorType: 'EXTERNAL' };
    await using trino = await startShop({ failure: (schema) => (schema === 'sales' ? error : undefined) });
    const pages = await list(trino);
    expect(pages.map(({ kind }) => kind)).not.toContain('end');
    expect(pages.at(-1)).toMatchObject({ kind: 'unreadable', catalog: 'shop' });
  });
});

describe('a description by Trino', () => {
  const describeSql = ({ engine }: FakeTrinoEngine, sql: string) => engine.describe(statement(sql), never);

  it('has the columns of the statement, and requests no row', async () => {
    await using trino = await startShop();
    expect(await describeSql(trino, 'SELECT part FROM shop.main.items')).toEqual([
      { name: 'part', type: 'row("B c" varchar(3),n decimal(12,2))' },
    ]);
    expect(submitted(trino)).toEqual(['SELECT * FROM (\nSELECT part FROM shop.main.items\n) LIMIT 0']);
  });

  it('reports errors with positions in the caller’s own text', async () => {
    const errorLocation = { lineNumber: 2, columnNumber: 8 };
    const error = {
      message: "line 2:8: Column 'nope' cannot be resolved",
      errorName: 'COLUMN_NOT_FOUND',
      errorType: 'USER_ERROR',
      errorLocation,
    };
    await using trino = await FakeTrinoEngine.start({
      result: { columns: [], pages: [{ error, isWithoutColumns: true }] },
    });
    await expect(describeSql(trino, 'SELECT nope FROM shop.main.items')).rejects.toMatchObject({
      code: 'column_not_found',
      location: { line: 1, column: 8 },
    });
  });

  it.each<readonly [string, FakeFault]>([
    ['503 for ever', { kind: 'status', status: 503 }],
    ['reset for ever', { kind: 'reset' }],
    ['401', { kind: 'status', status: 401 }],
  ])('is engine_unavailable and not an empty list of columns if Trino fails: %s', async (_name, fault) => {
    await using trino = await startShop({ fault: ({ kind }) => (kind === 'page' ? fault : undefined) });
    const failure = await describeSql(trino, 'SELECT 1').catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(ProblemError);
    expect(failure).toMatchObject({ code: 'engine_unavailable' });
  });

  it('does not reach Trino for a statement that writes', async () => {
    await using trino = await startShop();
    await expect(describeSql(trino, 'DROP TABLE shop.main.items')).rejects.toMatchObject({ code: 'read_only' });
    expect(trino.fake.count('submit')).toBe(0);
  });
});
