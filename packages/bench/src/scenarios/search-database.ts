import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@sluice/embedded/postgres';
import { createDatabase } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { migrate } from '@sluice/store/schema';
import { createSearchStore, type SearchStore } from '@sluice/store/search';
import pg from 'pg';
import { catalogStatements } from './search-catalog.ts';

export interface SearchBenchOptions {
  readonly entries: number;
  readonly rounds: number;
  /** Folder of the database, which is kept, because creating a million entries takes minutes. */
  readonly folder?: string;
  readonly print: (line: string) => void;
}

/** Processor time and result of one search. */
export interface Spent {
  readonly cpuMs: number;
  readonly ids: readonly string[];
}

export interface SearchDatabase extends AsyncDisposable {
  readonly tenantId: string;
  /** The search as the API host's role, without audit records. */
  readonly searches: SearchStore;
  /** Runs a statement that returns one fact_id per row, as the owner, without row-level security. Returns undefined after the timeout. */
  bare(statement: readonly string[], timeoutMs: number): Promise<Spent | undefined>;
  measure(search: () => Promise<readonly string[]>): Promise<Spent>;
}

const FOLDER = join(tmpdir(), 'sluice-bench-search');
/** Passwords of a server on loopback with generated rows only. */
const SECRETS = { superuserPassword: 'bench', ownerPassword: 'bench' };
const ROLES = {
  apiRole: { name: 'sluice_api', password: 'bench' },
  streamRole: { name: 'sluice_stream', password: 'bench' },
};
const OWNER_ID = '00000000-0000-4000-8000-000000000001';
const NOTHING = { label: 'bench', columns: 'null as nothing', joins: '' };
const STATEMENT_MS = 600_000;
/** `query_canceled`, also sent for the server's own time limit. */
const CANCELLED = '57014';

/** Returns the processor time of a process, which other processes affect less than wall time. */
const cpuMsOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

async function ensureEntries(
  owner: pg.Client,
  options: { readonly tenantId: string } & SearchBenchOptions,
): Promise<void> {
  const { tenantId, entries, print } = options;
  const found = await owner.query<{ n: string }>('select count(*) as n from search_entries where words_version > 0');
  if (Number(found.rows[0]?.n) === entries) return;
  print(`Creating ${entries} datamaps ...`);
  // The generated rows are consistent, so foreign keys and triggers are not needed.
  await owner.query("set session_replication_role = 'replica'");
  await owner.query('truncate facts, search_words, search_counts, search_changes cascade');
  for (const statement of catalogStatements({ tenantId, ownerId: OWNER_ID, entries })) {
    const start = performance.now();
    await owner.query(statement);
    const seconds = (performance.now() - start) / 1000;
    if (seconds > 5) print(`  ${seconds.toFixed(0)} s: ${statement.trim().slice(0, 50).replaceAll('\n', ' ')}`);
  }
  await owner.query("set session_replication_role = 'origin'");
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};

const pidOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

/** Opens a server with a tenant of this many datamaps. */
export async function openSearchDatabase(options: SearchBenchOptions): Promise<SearchDatabase> {
  if (!existsSync('/proc/self/schedstat'))
    throw new Error('The search bench reads /proc/<pid>/schedstat, which only Linux has.');
  const server = await startPostgres({
    folder: options.folder ?? FOLDER,
    secrets: SECRETS,
    durability: 'none',
    announce: options.print,
  });
  await migrate({ ownerUrl: server.ownerUrl, ...ROLES });
  const owner = await connect(server.superuserUrl);
  const apiUrl = server.urlOf({ role: ROLES.apiRole.name, password: ROLES.apiRole.password });
  // One connection, so that a single server process runs a search.
  const database = createDatabase({ url: apiUrl, poolMax: 1, queryTimeoutMs: STATEMENT_MS });
  const tenants = createTenantStore(database);
  const { id: tenantId } = (await tenants.findByName('bench')) ?? (await tenants.create({ name: 'bench' }));
  await ensureEntries(owner, { ...options, tenantId });
  await owner.query('truncate search_counts'); // so that the first search counts, as after a change
  const ownerPid = await pidOf(owner);
  const servingPid = async (): Promise<number> => {
    const [served] = await database.withTenant(tenantId, (transaction) =>
      transaction.query<{ pid: number }>('select pg_backend_pid() as pid'),
    );
    return served?.pid ?? 0;
  };
  let lastPid = await servingPid();
  return {
    tenantId,
    searches: createSearchStore({ database, counting: database }, { DATAMAP: NOTHING, TABLE: NOTHING, VIEW: NOTHING }),
    async bare([statement = '', ...settings], timeoutMs) {
      for (const setting of [
        ...settings.map((name) => `${name} = off`),
        `statement_timeout = ${Math.ceil(timeoutMs)}`,
      ]) {
        await owner.query(`set ${setting}`);
      }
      try {
        const before = cpuMsOf(ownerPid);
        const { rows } = await owner.query<{ fact_id: string }>(statement);
        return { cpuMs: cpuMsOf(ownerPid) - before, ids: rows.map(({ fact_id }) => fact_id) };
      } catch (thrown) {
        if ((thrown as { code?: string }).code === CANCELLED) return undefined;
        throw thrown;
      } finally {
        for (const name of [...settings, 'statement_timeout']) await owner.query(`reset ${name}`);
      }
    },
    async measure(search) {
      const pid = await servingPid();
      // An idle connection is closed after a while, and a new one has no cached plans.
      if (pid !== lastPid) await search();
      lastPid = pid;
      const before = cpuMsOf(pid);
      const ids = await search();
      return { cpuMs: cpuMsOf(pid) - before, ids };
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await owner.end();
      await server[Symbol.asyncDispose]();
    },
  };
}
