import { createDatabase, type Database } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { createTestDatabase } from '@sluice/testkit';

/** Tables of the catalog `big`: half of them in the schema `s1`, half in `s2`, named `t000001` and up, with one column each. */
export const LARGE_CATALOG_TABLES = 4_000;

const FILL = [
  `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location)
    select $1, gen_random_uuid(), name, 'duckdb', 'localhost' from unnest(array['big', 'empty']) as c (name)`,
  `insert into catalog_schemas (tenant_id, catalog_name, name) select $1, 'big', 's' || n from generate_series(1, 2) n`,
  `insert into facts (tenant_id, fact_id, type)
    select $1, gen_random_uuid(), 'TABLE' from generate_series(1, ${LARGE_CATALOG_TABLES})`,
  `insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
    select $1, fact_id, 'big', 's' || n % 2 + 1, 't' || lpad(n::text, 6, '0')
    from (select fact_id, row_number() over (order by fact_id) as n from facts where tenant_id = $1) f`,
  `insert into catalog_columns (tenant_id, fact_id, name, position, type)
    select $1, fact_id, 'c', 1, 'varchar' from facts where tenant_id = $1`,
];

export interface LargeCatalog extends AsyncDisposable {
  /** Connection with the role of the API host. */
  readonly database: Database;
  readonly tenantId: string;
  /** Runs statements without row-level security. The first value is the tenant. */
  fill(statements: readonly string[]): Promise<void>;
}

/** Creates a database with a tenant whose catalog has `LARGE_CATALOG_TABLES` tables. */
export async function createLargeCatalog(): Promise<LargeCatalog> {
  const testDatabase = await createTestDatabase();
  const database = createDatabase({ url: testDatabase.apiUrl, poolMax: 2 });
  const superuser = createDatabase({ url: testDatabase.superuserUrl, poolMax: 1, queryTimeoutMs: 60_000 });
  const tenantId = (await createTenantStore(database).create({ name: 'large' })).id;
  const fill = async (statements: readonly string[]): Promise<void> => {
    await superuser.withoutTenant(async (transaction) => {
      for (const statement of statements) await transaction.query(statement, [tenantId]);
    });
    await superuser.withoutTenant((transaction) => transaction.query('analyze'));
  };
  await fill(FILL);
  return {
    database,
    tenantId,
    fill,
    async [Symbol.asyncDispose]() {
      await superuser[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await testDatabase.dispose();
    },
  };
}
