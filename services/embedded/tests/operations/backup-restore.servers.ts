import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HarvestRunBody } from '@sluice/contract';
import { createResourceStack, type RunningHost } from '@sluice/host-runtime';
import { startStreamHost } from '@sluice/stream-host';
import { type BuiltUser, createAccountBuilders, SuperuserRows, send, until } from '@sluice/testkit';
import {
  createShopDatabase,
  createTestLog,
  type SmallLoad,
  startSmallLoad,
  startTestApi,
  streamEnvironment,
} from '@sluice/testkit/hosts';
import {
  basicOf,
  type Credential,
  finalReceipt,
  idtoken,
  logIn,
  post,
  queryIdOf,
  receiptOf,
  type StartedQuery,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import { SEALER_LOCK } from '../../../../packages/store/src/audit/audit-seal-statements.ts';
import { runStatements, startComponentServer, urlOf } from '../../../../packages/store/testing/component-server.ts';

// Run by `npm run test:backup`, which installs pg_dump and the other client programs of PostgreSQL.
const ROOT = join(import.meta.dirname, '../../../..');
const PORT = 26460;
const LONG_MS = 240_000;
const OUTCOME_MS = 90_000;
const password = (): string => randomBytes(12).toString('hex');
const SERVING = [
  { name: 'API_DATABASE_URL', role: 'sluice_api', password: password() },
  { name: 'STREAM_DATABASE_URL', role: 'sluice_stream', password: password() },
];
const OWNER = { role: 'sluice_owner', password: password() };
const KEYS = {
  SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
  AUDIT_NAME_KEY: randomBytes(32).toString('base64'),
};

/** Shell commands of a section of docs/operations.md, in order. */
async function documentedCommands(heading: string): Promise<readonly string[]> {
  const page = await readFile(join(ROOT, 'docs/operations.md'), 'utf8');
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return [...(section.split('\n## ')[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
}

const resources = createResourceStack();
let folder: string;
let superuserUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'));
  resources.add({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  // The client programs dump servers of their own version, which the system chooses.
  const major = Number(/\d+/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[0]);
  const server = resources.add(await startComponentServer({ major: Math.min(major, 18), port: PORT }));
  superuserUrl = server.superuserUrl;
  await runStatements(superuserUrl, `create role ${OWNER.role} login createrole password '${OWNER.password}'`);
  await runStatements(superuserUrl, `create database sluice owner ${OWNER.role}`);
  await runStatements(onDatabase('sluice'), `alter schema public owner to ${OWNER.role}`);
}, LONG_MS);
afterAll(async () => await resources[Symbol.asyncDispose](), LONG_MS);

const onDatabase = (database: string): string => {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  return url.href;
};

/** Environment of an operator who works on a database. */
const operatorOf = (database: string): Record<string, string> => ({
  // biome-ignore lint/style/noProcessEnv: the shell finds its programs by it
  PATH: process.env['PATH'] ?? '',
  SUPERUSER_URL: onDatabase('sluice'),
  RESTORED_URL: onDatabase('sluice_restored'),
  DATABASE_URL: urlOf(superuserUrl, { ...OWNER, database }),
  DATABASE_OWNER_URL: urlOf(superuserUrl, { ...OWNER, database }),
  ...Object.fromEntries(SERVING.map(({ name, ...login }) => [name, urlOf(superuserUrl, { ...login, database })])),
});

/** Runs shell commands as an operator does, and returns what they print. Backups are in the folder of the test. */
async function run(commands: string, database: string): Promise<string> {
  const text = commands
    .replaceAll('sluice.dump', join(folder, 'sluice.dump'))
    .replaceAll('checkpoints.json', join(folder, 'checkpoints.json'));
  const { stdout } = await promisify(execFile)('sh', ['-euc', text], { cwd: ROOT, env: operatorOf(database) });
  return stdout;
}

interface StartedHosts extends AsyncDisposable {
  readonly api: RunningHost;
  readonly url: string;
}

/** Starts a host of each kind on a database. */
async function startHosts(database: string): Promise<StartedHosts> {
  const started = createResourceStack();
  const { log } = createTestLog();
  const operator = operatorOf(database);
  const tables = {
    DUCKDB_CATALOGS: `shop=${join(folder, 'shop.duckdb')}`,
    DUCKDB_DEFAULT_SCHEMA: 'shop.main',
    WORKER_THREADS: '1',
  };
  const { host } = await startTestApi({ apiUrl: operator['API_DATABASE_URL'] ?? '' }, { ...tables, ...KEYS }, { log });
  const api = started.add(host);
  const environment = streamEnvironment(operator['STREAM_DATABASE_URL'] ?? '', api.url, {
    ...tables,
    AUDIT_NAME_KEY: KEYS.AUDIT_NAME_KEY,
    WORKERS_MAX: '4',
  });
  const stream = started.add(await startStreamHost({ environment, overrides: { log } }));
  return { api, url: stream.url, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}

const tokenOf = async ({ api }: StartedHosts, user: BuiltUser): Promise<Credential> =>
  idtoken((await logIn({ api }, user)).id_token);

const read = async (url: string, headers: Credential) => {
  const { status, text, body } = await send(url, { headers: { ...headers } });
  if (status !== 200) throw new Error(`${url} returned ${status}: ${text}`);
  return body;
};

/** Mirrors the tables of the engine. Returns at the end: the catalogs are listed before their tables. */
async function harvest({ api }: StartedHosts, headers: Credential): Promise<void> {
  const url = `${api.url}/admin/harvest`;
  const { body } = await send(url, { method: 'POST', headers: { ...headers } });
  const runs = async (): Promise<readonly HarvestRunBody[]> => (await read(url, headers)).data;
  const isDone = ({ run_id, state }: HarvestRunBody): boolean => run_id === body.run_id && state === 'FINISHED';
  await until(async () => (await runs()).find(isDone), { what: 'the end of the harvest', withinMs: OUTCOME_MS });
}

/** Returns a table of the catalog, a datamap and a receipt as a user reads them. */
const seenBy = async ({ api, url }: StartedHosts, headers: Credential, ids: { datamap: string; query: string }) => ({
  catalog: await read(`${api.url}/catalog/shop/main/items`, headers),
  datamap: (({ name, sql, state }) => ({ name, sql, state }))(await read(`${api.url}/datamap/${ids.datamap}`, headers)),
  receipt: await receiptOf(url, ids.query, headers),
});

const countOf = async (database: string, from: string): Promise<number> => {
  const [found] = await runStatements<{ count: string }>(onDatabase(database), `select count(*) from ${from}`);
  return Number(found?.count);
};
const UNSEALED = `audit_log l where not exists
  (select from audit_chain c where (c.tenant_id, c.occurred, c.record_id) = (l.tenant_id, l.occurred, l.id))`;
const untilSealed = (database: string) =>
  until(async () => ((await countOf(database, UNSEALED)) === 0 ? true : undefined), {
    what: 'the sealing of every record',
    withinMs: OUTCOME_MS,
  });

const untilMore = (load: SmallLoad): Promise<true> => {
  const before = load.count();
  return until(() => (load.count() > before + 5 ? true : undefined), { what: 'more load', withinMs: OUTCOME_MS });
};

/** Makes a backup when the load has written records that are not sealed yet. */
async function backUpUnsealed(backUp: () => Promise<unknown>, load: SmallLoad): Promise<void> {
  await using sealer = new SuperuserRows(onDatabase('sluice'));
  await sealer.rows('select pg_advisory_lock($1)', [SEALER_LOCK]);
  await untilMore(load);
  await backUp();
}

const whatFailed = (thrown: { code: number; stdout: string }) => ({ code: thrown.code, stdout: thrown.stdout });

describe('a backup that pg_dump makes while hosts serve', () => {
  let users: { admin: BuiltUser; ann: BuiltUser };
  let datamap: string;
  let seen: Awaited<ReturnType<typeof seenBy>>;
  let query: string;
  let running: StartedQuery;
  /** A query after the backup. */
  let lost: string;

  it(
    'delays and fails no request',
    async () => {
      const [back, restore] = await documentedCommands('Back up and restore');
      expect([back, restore]).toEqual([expect.stringContaining('pg_dump'), expect.stringContaining('pg_restore')]);
      await createShopDatabase(folder);
      await run('npm run --silent migrate', 'sluice');
      await using hosts = await startHosts('sluice');
      await using build = createAccountBuilders(operatorOf('sluice')['API_DATABASE_URL'] ?? '');
      const acme = await build.tenant({ name: 'acme' });
      users = { admin: await build.user(acme, { roles: ['admin'] }), ann: await build.user(acme) };
      const { admin, ann } = users;
      const headers = await tokenOf(hosts, admin);
      await harvest(hosts, headers);
      const body = { name: 'prices', sql: 'SELECT name, price FROM items' };
      const made = await post(`${hosts.api.url}/datamap`, body, headers);
      expect([made.status, made.text]).toEqual([201, expect.any(String)]);
      datamap = made.body.id;
      query = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT * FROM items' }, headers));
      seen = await seenBy(hosts, headers, { datamap, query });
      running = await startQuery(hosts.url, ENDLESS, basicOf(ann));
      const load = startSmallLoad({ apiUrl: hosts.api.url, streamUrl: hosts.url, user: ann });
      try {
        await backUpUnsealed(() => run(back ?? '', 'sluice'), load);
        await untilMore(load);
      } finally {
        expect(await load.stop()).toEqual([]);
      }
      lost = queryIdOf(await post(`${hosts.url}/query`, { sql: 'SELECT 7 AS n' }, basicOf(ann)));
      running.disconnect();
      await finalReceipt(hosts.url, running.queryId, { credential: basicOf(ann), withinMs: OUTCOME_MS });
      await untilSealed('sluice');
      const kept = await read(`${hosts.api.url}/audits/checkpoints?size=1000`, headers);
      await writeFile(join(folder, 'checkpoints.json'), JSON.stringify(kept));
    },
    LONG_MS,
  );

  it(
    'is restored into an empty database, and the checkpoints that were stored elsewhere show what it lacks',
    async () => {
      const [, restore = '', compare = ''] = await documentedCommands('Back up and restore');
      await run(restore, 'sluice_restored');
      expect(await countOf('sluice_restored', UNSEALED)).toBeGreaterThan(0);
      const missing = await run(compare, 'sluice_restored').catch(whatFailed);
      expect(missing).toMatchObject({ code: 1, stdout: expect.stringMatching(/: missing: checkpoint \d+\./) });
    },
    LONG_MS,
  );

  it(
    'lets hosts serve what was there, and its audit log is verified when they have sealed it',
    async () => {
      await using hosts = await startHosts('sluice_restored');
      const headers = await tokenOf(hosts, users.admin);
      expect(await seenBy(hosts, headers, { datamap, query })).toEqual(seen);
      const answer = await post(`${hosts.url}/query`, { sql: 'SELECT 8 AS n' }, basicOf(users.ann));
      expect(answer.text).toContain('{"n":8}');
      const search = { advance_options: { query_id: query, action: 'RUN_QUERY' } };
      const logged = await post(`${hosts.api.url}/audits/logs/search`, search, headers);
      expect(logged.body.data).toEqual([expect.objectContaining({ query_id: query })]);
      // What ran at the time of the backup ended with its host. What came later is not there.
      const receipt = await finalReceipt(hosts.url, running.queryId, {
        credential: basicOf(users.ann),
        withinMs: OUTCOME_MS,
      });
      expect(receipt.state).toBe('UNKNOWN');
      expect((await send(`${hosts.url}/query/${lost}`, { headers: { ...headers } })).status).toBe(404);
      await untilSealed('sluice_restored');
      const [, , , verify = ''] = await documentedCommands('Back up and restore');
      expect(await run(verify, 'sluice_restored')).toContain('are verified.');
    },
    LONG_MS,
  );
});

it('docs/audit.md shows the statements that follow a restore', async () => {
  const page = await readFile(join(ROOT, 'docs/audit.md'), 'utf8');
  const file = await readFile(join(ROOT, 'deploy/postgres/after-restore.sql'), 'utf8');
  expect(page).toContain(file.replaceAll(/^--.*\n/gm, ''));
});
