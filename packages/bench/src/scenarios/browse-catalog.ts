import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@sluice/embedded/postgres';
import { type BrowseStore, createBrowseStore, type NamedEntries } from '@sluice/store/catalog';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { migrate } from '@sluice/store/schema';
import pg from 'pg';
import type { Finding } from '../report.ts';
import { median } from '../statistics.ts';

interface BrowseDatabase extends AsyncDisposable {
  readonly tenantId: string;
  /** The store as the API host's role. */
  readonly browse: BrowseStore;
}

const CATALOG = 'bench';
/** Holds all tables but one in ten. */
const LARGE_SCHEMA = 'large';

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

interface BrowseDatabaseOptions {
  readonly tables: number;
  readonly columns: number;
}

/** Creates a server with a catalog of this size. Everything is removed when it is disposed of. */
async function openBrowseDatabase(options: BrowseDatabaseOptions): Promise<BrowseDatabase> {
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

interface BrowseCatalogOptions extends BrowseDatabaseOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

const PAGE_MAX = 1000;
/** A connection plans a statement for its first five executions; hosts keep their connections. */
const ROUNDS_MIN = 12;
/** Limit of any page of the largest size. */
const PAGE_MS = 20;

type Page = NamedEntries<{ readonly name: string }> | undefined;

/** Returns what is measured, by name: the first, a middle and the last page of lists, and one table. */
function readsOf(
  { browse, tenantId }: BrowseDatabase,
  tables: number,
): Readonly<Record<string, () => Promise<unknown>>> {
  const large = { catalog: CATALOG, schema: LARGE_SCHEMA };
  const inLarge = (after: string | undefined, size: number): Promise<Page> =>
    browse.listTables(tenantId, large, { after, size });
  return {
    catalogs: () => browse.listCatalogs(tenantId, { size: PAGE_MAX }),
    '1,000 schemas': () => browse.listSchemas(tenantId, CATALOG, { size: PAGE_MAX }),
    'the first table of a schema': () => inLarge(undefined, 1),
    'the first 1,000 tables': () => inLarge(undefined, PAGE_MAX),
    '1,000 tables in the middle': () => inLarge('table_5', PAGE_MAX),
    'the last tables': () => inLarge('table_99', PAGE_MAX),
    '1,000 tables by prefix': () => browse.listTables(tenantId, large, { prefix: 'table_2', size: PAGE_MAX }),
    'a table with its columns': () => browse.findTable(tenantId, { ...large, table: `table_${tables - 1}` }),
  };
}

/** Measures the time of pages in the store, over a catalog of this size. */
export async function browseCatalog(options: BrowseCatalogOptions): Promise<readonly Finding[]> {
  const { tables, columns, rounds, print } = options;
  print(`Creating ${tables} tables of ${columns} columns ...`);
  await using database = await openBrowseDatabase({ tables, columns });
  const findings: Finding[] = [];
  for (const [name, read] of Object.entries(readsOf(database, tables))) {
    const times: number[] = [];
    for (let round = 0; round < Math.max(rounds, ROUNDS_MIN); round += 1) {
      const startedMs = performance.now();
      if ((await read()) === undefined) throw new Error(`The catalog has not: ${name}`);
      times.push(performance.now() - startedMs);
    }
    findings.push({
      name: `catalog: ${name}`,
      measured: median(times),
      unit: 'ms',
      floor: PAGE_MS,
      goal: PAGE_MS / 2,
      better: 'lower',
      detail: `at most ${Math.max(...times).toFixed(1)} ms, the first time ${times[0]?.toFixed(1)} ms`,
    });
  }
  return findings;
}
