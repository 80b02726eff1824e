import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditProgram, tenantProgram } from '@sluice/api-host';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { runProgramInTest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, eventsOf, idtoken, logIn, post } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

const TENANT_MAIN = fileURLToPath(new URL('../../../api-host/dist/commands/tenant-main.js', import.meta.url));
const AUDIT_MAIN = fileURLToPath(new URL('../../../api-host/dist/commands/audit-main.js', import.meta.url));

let hosts: TestHosts;
let folder: string;
let admin: BuiltUser;
beforeAll(async () => {
  hosts = await startHosts();
  folder = await mkdtemp(join(tmpdir(), 'sluice-operate-'));
  admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
}, 120_000);
afterAll(async () => {
  await hosts[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment of the API host with the URL of the owner. */
const operatorEnvironment = (): Record<string, string> => ({
  ...hosts.apiEnvironment,
  DATABASE_OWNER_URL: hosts.testDatabase.ownerUrl,
});

/** Runs a command as an operator does: in a process of its own, which ends by itself. Each command does so once. */
const runMain = (main: string, argv: readonly string[], environment: Record<string, string> = {}): Promise<Ended> =>
  promisify(execFile)(process.execPath, [main, ...argv], { env: { ...operatorEnvironment(), ...environment } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (thrown: Ended) => thrown,
  );
const tenantProcess = (...argv: string[]): Promise<Ended> => runMain(TENANT_MAIN, argv);
const tenant = (...argv: string[]): Promise<Ended> => runProgramInTest(tenantProgram, argv, operatorEnvironment());

/** Numbers of rows of a tenant by table, for every table of the database that has a column for the tenant. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const tables = await hosts.rows<{ name: string }>(
    `select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and not c.relispartition and a.attname in ('tenant_id', 'tenant') and not a.attisdropped`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [found] = await hosts.rows<{ count: string }>(`select count(*) from ${name} where tenant_id::text = $1`, [
      tenantId,
    ]);
    if (Number(found?.count) > 0) counts[name] = Number(found?.count);
  }
  return counts;
}

/** Waits for the harvest that a host begins soon after its start, which adds rows of a tenant by itself. */
const untilHarvested = (tenantId: string): Promise<true> =>
  until(
    async () => {
      const ended = "select 1 from harvest_runs where tenant_id = $1 and state in ('FINISHED', 'FAILED')";
      return (await hosts.rows(ended, [tenantId])).length > 0 || undefined;
    },
    { what: 'the first harvest' },
  );

describe('a suspended tenant', () => {
  it('has its queries ended and its requests rejected, keeps its data and its log, and works after it is resumed', async () => {
    const { id_token: token } = await logIn(hosts, admin);
    const running = post(`${hosts.url}/query`, { sql: ENDLESS }, idtoken(token));
    await until(
      async () => {
        const [found] = await hosts.rows<{ state: string }>(`select state from queries where state = 'RUNNING'`);
        return found;
      },
      { what: 'a running query', withinMs: 30_000 },
    );
    expect(await tenantProcess('suspend', 'acme')).toMatchObject({ code: 0, stdout: 'acme is suspended.\n' });
    const events = await eventsOf(await running);
    expect(events.at(-1)).toMatchObject({ type: 'error' });
    const rejected = await until(
      async () => {
        const response = await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, basicOf(hosts.ann));
        return response.status === 403 ? response : undefined;
      },
      { what: 'the rejection', withinMs: 20_000 },
    );
    expect(rejected.body).toMatchObject({ error: 'access_denied', message: 'This tenant is suspended.' });
    const byLogin = await post(`${hosts.api.url}/auth/login/acme`, { email: admin.email, password: admin.password });
    expect([byLogin.status, byLogin.body.message]).toEqual([403, 'This tenant is suspended.']);
    const users = await hosts.rows(`select 1 from users where tenant_id = $1`, [hosts.acme.id]);
    expect(users.length).toBeGreaterThan(1);
    const records = await hosts.rows<{ action: string }>(
      `select action from audit_log where tenant_id = $1 and occurred >= (select max(occurred) from audit_log where action = 'SUSPEND_TENANT')`,
      [hosts.acme.id],
    );
    expect(records.map(({ action }) => action)).toEqual(expect.arrayContaining(['SUSPEND_TENANT', 'ACCESS_DENIED']));
    expect(await tenant('resume', 'acme')).toMatchObject({ code: 0, stdout: 'acme is active.\n' });
    const again = await until(
      async () => {
        const response = await post(`${hosts.url}/query`, { sql: 'SELECT 1 AS n' }, basicOf(hosts.ann));
        return response.status === 200 ? response : undefined;
      },
      { what: 'a query after the resumption', withinMs: 20_000 },
    );
    expect(again.text).toContain('"type":"complete"');
  });
});

describe('an off-boarded tenant', () => {
  const exportOf = (name: string): string => join(folder, name);

  it('is exported with all its rows, no secret, and a log that verifies', async () => {
    const { id_token: token } = await logIn(hosts, admin);
    const domain = await post(`${hosts.api.url}/domains`, { name: 'Transport' }, idtoken(token));
    expect(domain.status).toBe(201);
    expect(await tenant('export', 'acme', '--to', exportOf('early'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Suspend the tenant and export it again'),
    });
    const early = await tenantProcess('remove', 'acme', '--export', exportOf('early'));
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('must be suspended') });
    await tenant('suspend', 'acme');
    const exported = await tenant('export', 'acme', '--to', exportOf('acme'));
    expect(exported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Exported acme to .* audit records\.\n$/),
    });
    const files = await readdir(exportOf('acme'));
    const counts = await rowsOf(hosts.acme.id);
    for (const [name, count] of Object.entries(counts)) {
      const table = name.replace(/^\w+\./, '');
      if (table.startsWith('audit_')) continue;
      const lines = (await readFile(join(exportOf('acme'), `${table}.ndjson`), 'utf8')).split('\n').filter(Boolean);
      expect([table, lines.length]).toEqual([table, count]);
    }
    const texts = await Promise.all(files.map((name) => readFile(join(exportOf('acme'), name), 'latin1')));
    expect(texts.join('')).toContain('Transport');
    expect(texts.join('')).not.toMatch(/argon2|password_hash/);
    const [key] = await hosts.rows<{ key: string }>(`select encode(public_key, 'base64') as key from audit_keys`);
    const log = ['verify', '--export', join(exportOf('acme'), 'audit.ndjson')];
    const environment = { ...operatorEnvironment(), AUDIT_PUBLIC_KEYS: key?.key ?? '' };
    expect(await runProgramInTest(auditProgram, log, environment)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('are verified'),
    });
  });

  it.each([
    ['without an export', ['remove', 'acme'], 'Name the folder of an export in --export'],
    ['with a folder that has none', ['remove', 'acme', '--export', tmpdir()], 'has no export of a tenant'],
    [
      'with the export of another tenant',
      ['remove', 'globex', '--export', 'FOLDER'],
      'is of another tenant than globex',
    ],
  ])('is not removed %s', async (_what, argv, sentence) => {
    const named = argv.map((word) => (word === 'FOLDER' ? exportOf('acme') : word));
    const { code, stdout, stderr } = await tenant(...named);
    expect([code, stdout, stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(stderr).toContain(sentence);
  });

  it('is not removed with a changed file, or with an export from before it was resumed', async () => {
    const users = join(exportOf('acme'), 'users.ndjson');
    const before = await readFile(users);
    await appendFile(users, '{}\n');
    const changed = await tenant('remove', 'acme', '--export', exportOf('acme'));
    expect(changed.stderr).toContain('The file users.ndjson is missing or was changed.');
    await writeFile(users, before);
    await tenant('resume', 'acme');
    await tenant('suspend', 'acme');
    const resumed = await tenant('remove', 'acme', '--export', exportOf('acme'));
    expect(resumed.stderr).toContain('acme was resumed after its export.');
  });

  it('leaves no row in any table, except its checkpoints', async () => {
    await untilHarvested(hosts.globex.id);
    const globex = await rowsOf(hosts.globex.id);
    expect(await tenantProcess('export', 'acme', '--to', exportOf('last'))).toMatchObject({ code: 0 });
    expect(await tenantProcess('remove', 'acme', '--export', exportOf('last'))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Removed acme.'),
    });
    expect(Object.keys(await rowsOf(hosts.acme.id))).toEqual(['public.audit_checkpoints']);
    expect(await rowsOf(hosts.globex.id)).toEqual(globex);
    expect((await send(`${hosts.api.url}/auth/login/acme`)).status).toBe(404);
    const verified = await runMain(AUDIT_MAIN, ['verify'], { DATABASE_URL: hosts.testDatabase.ownerUrl });
    expect(verified).toMatchObject({ code: 0 });
  });
});
