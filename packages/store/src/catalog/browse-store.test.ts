import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import type { PreparedStatement } from '../database/transaction.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { FIND_TABLE, LIST_CATALOGS, LIST_SCHEMAS, LIST_TABLES } from './browse-statements.ts';
import { createBrowseStore } from './browse-store.ts';

const TABLES = 4_000;
/** Rows that a page of one entry may read: itself, the next one, and rows at the edges of index pages. */
const ROWS_MAX = 6;

let testDatabase: TestDatabase;
let database: Database;
let superuser: Database;
let tenantId: string;

/** Two schemas with the same number of tables, of one column each. */
const FILL = [
  `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location)
    select $1, gen_random_uuid(), name, 'duckdb', 'localhost' from unnest(array['big', 'empty']) as c (name)`,
  `insert into catalog_schemas (tenant_id, catalog_name, name) select $1, 'big', 's' || n from generate_series(1, 2) n`,
  `insert into facts (tenant_id, fact_id, type) select $1, gen_random_uuid(), 'TABLE' from generate_series(1, ${TABLES})`,
  `insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
    select $1, fact_id, 'big', 's' || n % 2 + 1, 't' || lpad(n::text, 6, '0')
    from (select fact_id, row_number() over (order by fact_id) as n from facts where tenant_id = $1) f`,
  `insert into catalog_columns (tenant_id, fact_id, name, position, type)
    select $1, fact_id, 'c', 1, 'varchar' from facts where tenant_id = $1`,
];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.apiUrl, poolMax: 2 });
  superuser = createDatabase({ url: testDatabase.superuserUrl, poolMax: 1, queryTimeoutMs: 60_000 });
  tenantId = (await createTenantStore(database).create({ name: 'browsed' })).id;
  await superuser.withoutTenant(async (transaction) => {
    for (const statement of FILL) await transaction.query(statement, [tenantId]);
  });
  await superuser.withoutTenant((transaction) => transaction.query('analyze catalog_tables, catalog_columns, facts'));
}, 60_000);
afterAll(async () => {
  await superuser?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
  await testDatabase?.dispose();
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows of tables that a plan read, whether it used them or not. */
const rowsRead = (node: PlanNode): number => {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const isScan = node['Relation Name'] !== undefined;
  return (isScan ? own : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
};

/** Runs a statement as the API host does, under row-level security, and returns the number of rows that it read. */
async function explain({ text }: PreparedStatement, values: readonly unknown[]): Promise<number> {
  const statement = { name: '', text: `explain (analyze, format json) ${text}` };
  const rows = await database.run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    { tenantId, plan: 'in-order' },
    statement,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('the statement has no plan');
  return rowsRead(plan);
}

describe('createBrowseStore', () => {
  it.each<[string, PreparedStatement, () => unknown[]]>([
    ['the first table of a schema', LIST_TABLES, () => [tenantId, '', '', 1, 'big', 's2']],
    ['a table in the middle of a schema', LIST_TABLES, () => [tenantId, 't002000', '', 1, 'big', 's2']],
    ['a table by the prefix of its name', LIST_TABLES, () => [tenantId, '', 't00399', 1, 'big', 's1']],
    ['no table by a prefix that none has', LIST_TABLES, () => [tenantId, '', 'x', 1000, 'big', 's1']],
    ['the schemas of a catalog', LIST_SCHEMAS, () => [tenantId, '', '', 3, 'big']],
    ['the catalogs', LIST_CATALOGS, () => [tenantId, '', '', 3]],
    ['a table with its columns', FIND_TABLE, () => [tenantId, 'big', 's2', 't000001']],
  ])('finds %s without reading other tables', async (_what, statement, values) => {
    expect(await explain(statement, values())).toBeLessThanOrEqual(ROWS_MAX);
  });

  it('returns counts, pages and tables of the tenant only', async () => {
    const browse = createBrowseStore(database);
    expect(await browse.listCatalogs(tenantId, { size: 1 })).toEqual({
      entries: [expect.objectContaining({ name: 'big', schema_count: 2, table_count: TABLES, harvested_ts: null })],
      next: 'big',
    });
    expect(await browse.listSchemas(tenantId, 'empty', { size: 5 })).toEqual({ entries: [], next: undefined });
    expect(await browse.listSchemas(tenantId, 'none', { size: 5 })).toBeUndefined();
    const page = await browse.listTables(tenantId, { catalog: 'big', schema: 's1' }, { after: 't003996', size: 1 });
    expect(page).toMatchObject({ entries: [{ name: 't003998', type: 'TABLE', tags: [] }], next: 't003998' });
    expect(await browse.listTables(tenantId, { catalog: 'big', schema: 's3' }, { size: 1 })).toBeUndefined();
    const other = await createTenantStore(database).create({ name: 'other' });
    expect(await browse.listCatalogs(other.id, { size: 5 })).toEqual({ entries: [], next: undefined });
    expect(await browse.findTable(other.id, { catalog: 'big', schema: 's2', table: 't000001' })).toBeUndefined();
  });
});
