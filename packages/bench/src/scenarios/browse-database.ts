import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@sluice/embedded/postgres';
import { type BrowseStore, createBrowseStore } from '@sluice/store/catalog';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { migrate } from '@sluice/store/schema';
import pg from 'pg';

export interface BrowseDatabase extends AsyncDisposable {
  readonly tenantId: string;
  /** The store as the API host's role. */
  readonly browse: BrowseStore;
}

export const CATALOG = 'bench';
/** Holds all tables but one in ten. */
export const LARGE_SCHEMA = 'large';

/** Passwords of a server on loopback with generated rows only. */
const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
const ROLES = {
  apiRole: { name: 'sluice_api', password: 'bench' },
  streamRole: { name: 'sluice_stream', password: 'bench' },
};
const STATEMENT_MS = 60_000;

/** Statements that create the catalog, each with its parameters. */
const statementsOf = (tenantId: string, { tables, columns }: BrowseDatabaseOptions): [string, unknown[]][] => [
  [
    `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location) values ($1, gen_random_uuid(), $2, 'bench', 'localhost')`,
    [tenantId, CATALOG],
  ],
  [
    `insert into catalog_schemas (tenant_id, catalog_name, name)
      select $1, $2, case when n = 0 then '${LARGE_SCHEMA}' else 'small' || n end from generate_series(0, 999) n`,
    [tenantId, CATALOG],
  ],
  [
    `insert into facts (tenant_id, fact_id, type, description, tags)
      select $1, gen_random_uuid(), 'TABLE', repeat('Description ' || n || '. ', 8), array['tag' || n % 50, 'all']
      from generate_series(1, $2::integer) n`,
    [tenantId, tables],
  ],
  [
    `insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
      select $1, fact_id, $2, case when n % 10 > 0 then '${LARGE_SCHEMA}' else 'small' || n / 10 % 999 + 1 end, 'table_' || n
      from (select fact_id, row_number() over () as n from facts where tenant_id = $1) f`,
    [tenantId, CATALOG],
  ],
  [
    `insert into catalog_columns (tenant_id, fact_id, name, position, type)
      select $1, fact_id, 'column_' || n, n, 'varchar' from catalog_tables cross join generate_series(1, $2::integer) n
      where tenant_id = $1`,
    [tenantId, columns],
  ],
  ['analyze', []],
];

export interface BrowseDatabaseOptions {
  readonly tables: number;
  readonly columns: number;
}

/** Creates a server with a catalog of this size. Everything is removed when it is disposed of. */
export async function openBrowseDatabase(options: BrowseDatabaseOptions): Promise<BrowseDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-browse-'));
  await chmod(folder, 0o755); // when root runs this, the server has another user, who needs access
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    secrets: SECRETS,
    durability: 'none',
    announce: () => undefined,
  });
  await migrate({ ownerUrl: server.ownerUrl, ...ROLES });
  const apiUrl = server.urlOf({ role: ROLES.apiRole.name, password: ROLES.apiRole.password });
  const database = createDatabase({ url: apiUrl, poolMax: 1, queryTimeoutMs: STATEMENT_MS });
  const { id: tenantId } = await createTenantStore(database).create({ name: 'bench' });
  const owner = new pg.Client({ connectionString: server.superuserUrl });
  await owner.connect();
  for (const [statement, values] of statementsOf(tenantId, options)) await owner.query(statement, values);
  await owner.end();
  return {
    tenantId,
    browse: createBrowseStore(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
