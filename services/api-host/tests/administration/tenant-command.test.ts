import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { logInWith, NEW_PASSWORD } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postJson } from '@sluice/testkit/requests';
import pg from 'pg';
import { runTenantCommand } from '../../src/commands/run-tenant-command.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const run = async (...argv: string[]): Promise<string[]> => {
  const lines: string[] = [];
  const environment = { ...test.environment, DATABASE_OWNER_URL: test.testDatabase.ownerUrl };
  await runTenantCommand({ argv, environment, say: (line) => lines.push(line) });
  return lines;
};

const tokenIn = (lines: readonly string[]): string => new URL(lines.at(-1) ?? '').searchParams.get('token') ?? '';

describe('npm run tenant', () => {
  it('creates a tenant and prints the invitation for its first admin', async () => {
    const lines = await run('create', 'shell', '--admin', 'Root@shell.example', '--url', `${test.url}/`);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe('shell is created.');
    expect(lines[1]).toContain('root@shell.example');
    const page = await send(lines[2] ?? '');
    expect([page.status, page.text.includes('root@shell.example')]).toEqual([200, true]);
    const body = { token: tokenIn(lines), password: NEW_PASSWORD };
    expect((await postJson(`${test.url}/auth/invitation/shell`, body)).status).toBe(200);
    const account = { email: 'root@shell.example', password: NEW_PASSWORD };
    expect((await logInWith(test, account, 'shell')).status).toBe(200);
    const records = await test.rows(`select action, user_name from audit_log where target = 'shell' order by occurred`);
    expect(records).toEqual([{ action: 'CREATE_TENANT', user_name: 'operator' }]);
  });

  it('prints an invitation URL at the issuer by default, also without a named admin', async () => {
    const lines = await run('create', 'origin');
    expect(lines.at(-1)).toMatch(/^https:\/\/origin\.issuer\.test\/auth\/invitation\/origin\?token=[\w-]{43}$/);
    const email = 'first@origin.example';
    const body = { token: tokenIn(lines), password: NEW_PASSWORD, email };
    expect((await postJson(`${test.url}/auth/invitation/origin`, body)).status).toBe(200);
    const again = await run('invite', 'origin', '--admin', 'second@origin.example');
    expect(again[0]).toBe('An admin of origin is invited.');
    const second = { token: tokenIn(again), password: NEW_PASSWORD };
    expect((await postJson(`${test.url}/auth/invitation/origin`, second)).body.email).toBe('second@origin.example');
  });

  it('prints an invitation URL at the given address, including its path prefix', async () => {
    const lines = await run('create', 'prefixed', '--url', 'https://gate.example/sluice/api/');
    expect(lines.at(-1)).toMatch(/^https:\/\/gate\.example\/sluice\/api\/auth\/invitation\/prefixed\?token=[\w-]{43}$/);
  });

  it('restricts the e-mail domains of a tenant at creation and later', async () => {
    await expect(run('create', 'domains', '--admin', 'root@b.example', '--email-domain', 'a.example')).rejects.toThrow(
      'The e-mail domain b.example is not allowed in this tenant.',
    );
    await run(
      'create',
      'domains',
      '--admin',
      'root@b.example',
      '--email-domain',
      'a.example',
      '--email-domain',
      'B.example',
    );
    expect(await run('list')).toContain('domains: active, for e-mails of a.example, b.example');
    expect(await run('email-domains', 'domains', '--email-domain', 'c.example')).toEqual([
      'domains is active, for e-mails of c.example.',
    ]);
    await expect(run('invite', 'domains', '--admin', 'boss@a.example')).rejects.toThrow('is not allowed');
    await expect(run('email-domains', 'domains', '--email-domain', 'no name')).rejects.toThrow('must be a host name');
    const either = 'Give either --email-domain, once for each domain, or --any. See `tenant email-domains --help`.';
    await expect(run('email-domains', 'domains')).rejects.toThrow(either);
    await expect(run('email-domains', 'domains', '--any', '--email-domain', 'a.example')).rejects.toThrow(either);
    expect(await run('email-domains', 'domains', '--any')).toEqual(['domains is active.']);
  });

  it('lists, suspends, resumes and removes', async () => {
    await run('create', 'life');
    expect(await run('suspend', 'life')).toEqual(['life is suspended.']);
    expect(await run('list')).toEqual(expect.arrayContaining(['acme: active', 'life: suspended']));
    expect(await run('resume', 'life')).toEqual(['life is active.']);
    expect(await run('remove', '--requested', '--without-export')).toEqual(['No removal is requested.']);
    await test.rows(`update tenants set removal_requested = now() where name = 'life'`);
    expect((await run('list')).find((line) => line.startsWith('life'))).toContain('to be removed, requested at');
    expect(await run('remove', '--requested', '--without-export')).toEqual([
      'Removed life. Its checkpoints remain, the last one is a signed tombstone.',
    ]);
    await run('create', 'life');
    expect(await run('remove', 'life', '--without-export')).toHaveLength(1);
    expect(await test.rows(`select 1 from tenants where name = 'life'`)).toEqual([]);
    const tombstones = await test.rows(`select 1 from audit_checkpoints where payload like '%tombstone%'`);
    expect(tombstones).toHaveLength(2);
  });

  it('does not remove a tenant whose removal is cancelled in time', async () => {
    await run('create', 'kept');
    await test.rows(`update tenants set removal_requested = now() where name = 'kept'`);
    const operator = new pg.Client({ connectionString: test.testDatabase.ownerUrl });
    await operator.connect();
    await operator.query(`begin; update tenants set removal_requested = null where name = 'kept'`);
    const removing = run('remove', '--requested', '--without-export').then(
      () => 'removed',
      (thrown: Error) => thrown.message,
    );
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await test.rows(waiting)).length === 0) await wait(10);
    await operator.query('commit');
    await operator.end();
    expect(await removing).toBe('The removal of kept was withdrawn.');
    expect(await test.rows(`select 1 from tenants where name = 'kept'`)).toHaveLength(1);
  });

  it.each([
    [['create', 'acme'], 'The tenant acme already exists.'],
    [['create', 'Upper'], 'A tenant name has 1 to 63'],
    [['create', 'x', '--admin', 'nobody'], '--admin must be an e-mail address'],
    [['create', 'x', '--url', 'api.example.com'], '--url must be the address of the API host'],
    [['create', 'x', '--url', 'https://api.example.com/?tenant=x'], '--url must be the address of the API host'],
    [['create', 'x', '--url', 'https://root:pass@api.example.com'], '--url must be the address of the API host'],
    [['suspend', 'nobody'], 'There is no such tenant.'],
    [['remove', 'nobody', '--without-export'], 'There is no tenant nobody.'],
    [['remove', 'acme'], 'Name the folder of an export in --export'],
    [['remove', 'acme', '--export', 'x', '--without-export'], 'Name the folder of an export in --export'],
    [['export', 'acme'], "Required option '--to <FOLDER>' not specified. See `tenant export --help`."],
    [['remove'], 'Give either the name of a tenant or --requested. See `tenant remove --help`.'],
    [['remove', 'acme', '--requested'], 'Give either the name of a tenant or --requested.'],
    [['create'], "Missing required argument 'NAME'. See `tenant create --help`."],
    [['suspend', 'acme', '--requested'], "Unknown option '--requested'. See `tenant suspend --help`."],
    [['suspnd', 'acme'], "Unknown command 'suspnd' (Did you mean suspend?) See `tenant --help`."],
    [[], '`tenant` needs the name of a command. See `tenant --help`.'],
  ])('rejects %j with one sentence', async (argv, sentence) => {
    await expect(run(...argv)).rejects.toThrow(sentence);
  });

  it('shows its help, and that of each command', async () => {
    const help = (await run('--help')).join('\n');
    const names = ['create', 'invite', 'list', 'email-domains', 'suspend', 'resume', 'apply', 'export', 'remove'];
    for (const name of names) {
      expect(help).toMatch(new RegExp(`^  ${name} .*[A-Z][a-z]+`, 'm'));
      expect((await run(name, '--help')).join('\n')).toMatch(new RegExp(`^Usage: tenant ${name} `));
    }
  });
});

describe('the command that docs/operations.md uses to create the first account', () => {
  /** Path in the folder of the host, as in its image. */
  const main = 'dist/commands/tenant-main.js';
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const start = (...argv: string[]) =>
    promisify(execFile)(process.execPath, [main, ...argv], {
      cwd: `${root}/services/api-host`,
      env: { ...test.environment },
    });

  it('prints the invitation last, and one sentence on failure', async () => {
    expect(await readFile(`${root}/docs/operations.md`, 'utf8')).toContain(`node ${main} create acme --admin`);
    const { stdout, stderr } = await start('create', 'process', '--admin', 'root@process.example', '--url', test.url);
    expect(stderr).toBe('');
    const body = { token: tokenIn(stdout.trimEnd().split('\n')), password: NEW_PASSWORD };
    expect((await postJson(`${test.url}/auth/invitation/process`, body)).status).toBe(200);
    await expect(start('create', 'process')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The tenant process already exists.\n',
    });
  });
});
