import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import { migrate } from '@sluice/store/schema';

export interface HarvestFixture extends AsyncDisposable {
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
const MAKE_CATALOG = fileURLToPath(new URL('../make-catalog-main.js', import.meta.url));

/** Creates a PostgreSQL and a DuckDB file with this many tables of this many columns. Both are removed when it is disposed of. */
export async function openHarvestFixture(tables: number, columns: number): Promise<HarvestFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-harvest-'));
  await chmod(folder, 0o755); // when root runs this, the server has another user, who needs access
  const catalogPath = join(folder, 'wide.duckdb');
  // A separate process: memory that this process once used would hide the memory of the harvest.
  await promisify(execFile)(process.execPath, [MAKE_CATALOG, catalogPath, String(tables), String(columns)]);
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
