import { randomUUID } from 'node:crypto';
import type { TestAccounts, TestHost } from '../hosts/start-test-host.ts';
import { seedTable } from './catalog-seed.ts';

/** Creates tables `demo.vega.t0`, `demo.vega.t1`, ... with a column each. */
export async function seedTables(test: TestHost, tenant: TestAccounts, count: number): Promise<void> {
  await seedTable(test, tenant, { name: `first_${randomUUID()}` });
  await test.rows(
    `with made as (
      insert into facts (tenant_id, fact_id, type) select $1, gen_random_uuid(), 'TABLE' from generate_series(1, $2) returning fact_id
    ), numbered as (select fact_id, row_number() over () - 1 as number from made),
    tables as (
      insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
      select $1, fact_id, 'demo', 'vega', 't' || number from numbered returning fact_id
    )
    insert into catalog_columns (tenant_id, fact_id, name, position, type) select $1, fact_id, 'c', 0, 'varchar' from tables`,
    [tenant.tenantId, count],
  );
  await test.rows('analyze');
}
