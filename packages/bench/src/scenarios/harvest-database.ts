import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import { migrate } from '@sluice/store';

export interface HarvestStage extends AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly apiUrl: string;
  /** A DuckDB file of generated tables. */
  readonly catalogPath: string;
}

const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
const ROLES = {
  apiRole: { name: 'sluice_api', password: 'bench' },
  streamRole: { name: 'sluice_stream', password: 'bench' },
};
const TABLES_PER_SCHEMA = 1_000;
const STATEMENTS_AT_ONCE = 500;
const TYPES = ['BIGINT', 'VARCHAR', 'DECIMAL(12,2)', 'TIMESTAMP', 'DOUBLE', 'DATE', 'BOOLEAN', 'VARCHAR[]'];

/** A PostgreSQL of its own and a DuckDB file with so many tables of so many columns; both go in the end. */
export async function openHarvestStage(tables: number, columns: number): Promise<HarvestStage> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-harvest-'));
  await chmod(folder, 0o755); // as root the server is another user, to whom it would be closed
  const catalogPath = join(folder, 'wide.duckdb');
  await makeCatalog(catalogPath, tables, columns);
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    secrets: SECRETS,
    durability: 'none',
    announce: () => undefined,
  });
  await migrate({ ownerUrl: postgres.ownerUrl, ...ROLES });
  await migrateJobs({ ownerUrl: postgres.ownerUrl, apiRole: ROLES.apiRole.name });
  return {
    postgres,
    apiUrl: postgres.urlOf({ role: ROLES.apiRole.name, password: ROLES.apiRole.password }),
    catalogPath,
    async [Symbol.asyncDispose]() {
      await postgres[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function makeCatalog(path: string, tables: number, columns: number): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const list = Array.from({ length: columns }, (_, index) => `column_${index} ${TYPES[index % TYPES.length]}`).join(
    ', ',
  );
  for (let start = 0; start < tables; start += STATEMENTS_AT_ONCE) {
    const statements: string[] = [];
    for (let index = start; index < Math.min(start + STATEMENTS_AT_ONCE, tables); index += 1) {
      const schema = `schema_${String(Math.floor(index / TABLES_PER_SCHEMA)).padStart(3, '0')}`;
      if (index % TABLES_PER_SCHEMA === 0) statements.push(`CREATE SCHEMA ${schema}`);
      statements.push(`CREATE TABLE ${schema}.table_${String(index).padStart(6, '0')} (${list})`);
    }
    await connection.run(`BEGIN; ${statements.join('; ')}; COMMIT`);
  }
  connection.closeSync();
  instance.closeSync();
}
