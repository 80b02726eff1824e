import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Client, createClient } from '@sluice/client';
import type { BuiltUser } from '@sluice/testkit';
import { type ConsoleHosts, startConsoleHosts } from './console-hosts.ts';
import { harvestCatalog } from './harvest-catalog.ts';

/** Names that an address must carry whole. A name that is only dots cannot be in one. */
export const ODD_NAMES = ['a.b', 'say "hi"', 'a/b', '100%', '%2F', '?q=1#x', 'größe 😀', '..'] as const;
export const ODD_SCHEMA = 'odd.schema';
const LARGE_ROWS = 100_000;

export interface FindDataHosts extends AsyncDisposable {
  readonly console: ConsoleHosts;
  /** Client of a steward, who describes and saves. */
  readonly steward: Client;
  readonly stewardUser: BuiltUser;
  /** Id of the published datamap "Cheap items", which reads `items` and takes the parameter `max`. */
  readonly datamapId: string;
  readonly domainId: string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function createDatabaseFile(folder: string): Promise<string> {
  const path = join(folder, 'shop.duckdb');
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of [
    `CREATE TABLE items AS SELECT * FROM (VALUES (1, 'nut', 0.10), (2, 'bolt', 250.00), (3, NULL, NULL)) t (id, name, price)`,
    `CREATE TABLE numbers AS SELECT range AS n FROM range(${LARGE_ROWS})`,
    'CREATE SCHEMA bare',
    'CREATE VIEW cheap AS SELECT * FROM items WHERE price < 1',
    `CREATE TABLE wide AS SELECT ${Array.from({ length: 1500 }, (_, at) => `${at} AS column_${at}`).join(', ')}`,
    `CREATE SCHEMA ${quoted(ODD_SCHEMA)}`,
    ...ODD_NAMES.map((name) => `CREATE TABLE ${quoted(ODD_SCHEMA)}.${quoted(name)} AS SELECT 7 AS answer`),
    'CHECKPOINT',
  ])
    await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
  return path;
}

/** Starts both hosts with described tables and a datamap to find. */
export async function startFindDataHosts(settings: Readonly<Record<string, string>> = {}): Promise<FindDataHosts> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-find-'));
  const console = await startConsoleHosts({
    DUCKDB_CATALOGS: `shop=${await createDatabaseFile(folder)}`,
    ...settings,
  });
  const { hosts } = console;
  const stewardUser = await hosts.build.user(hosts.acme, { email: 'sam@acme.example', roles: ['steward', 'admin'] });
  const { email, password } = stewardUser;
  const urls = { tenant: 'acme', apiUrl: hosts.api.url, streamUrl: hosts.url };
  const steward = createClient({ ...urls, auth: { email, password } });
  await harvestCatalog(steward);
  const { id: domainId } = await steward.api.createDomain({ body: { name: 'Warehouse' } });
  await steward.api.importMetadata({
    body: {
      metadata_objects: [
        {
          id: 'shop.main.items',
          type: 'TABLE',
          description: 'Everything on the shelves, with its price.',
          tags: ['stock', 'time series'],
          domains: [domainId],
          fields: [{ name: 'price', description: 'In euros, without *tax*.', tags: ['money'] }],
        },
      ],
    },
  });
  const { id: datamapId } = await steward.api.createDatamap({
    body: {
      name: 'cheap_items',
      display_name: 'Cheap items',
      description: 'Items below a price that you choose.',
      tags: ['stock'],
      sql: 'SELECT name, price FROM items WHERE price < $max ORDER BY name',
      parameters: [{ name: 'max', type: 'decimal(10,2)', required: true }],
    },
  });
  await steward.api.publishDatamap({ params: { id: datamapId } });
  return {
    ...{ console, steward, stewardUser, datamapId, domainId },
    async [Symbol.asyncDispose]() {
      await console[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Adds tables `t00001`, `t00002` and further ones without columns to `shop.main`, as the harvest of a large engine does. */
export async function addTables({ console }: FindDataHosts, count: number): Promise<void> {
  const { rows, acme } = console.hosts;
  await rows(
    `with made as (
      insert into facts (tenant_id, fact_id, type) select $1, gen_random_uuid(), 'TABLE' from generate_series(1, $2::int) returning fact_id
    ), numbered as (select fact_id, row_number() over () as n from made),
    tables as (
      insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name)
      select $1, fact_id, 'shop', 'main', 't' || lpad(n::text, 5, '0') from numbered returning fact_id
    )
    insert into search_entries (tenant_id, fact_id, type, is_public, sort_name, updated, query_count, words)
    select e.tenant_id, t.fact_id, e.type, e.is_public, e.sort_name, e.updated, e.query_count, e.words
    from tables t cross join (
      select s.* from search_entries s join catalog_tables k using (tenant_id, fact_id) where tenant_id = $1 and k.name = 'numbers'
    ) e`,
    [acme.id, count],
  );
  await rows('analyze');
}
