import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CLIENT_ID, CLIENT_SECRET, type OpenIdProvider, startOpenIdProvider } from '@sluice/testkit';
import { logInBySso, NEW_PASSWORD } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postJson } from '@sluice/testkit/requests';
import { runTenantCommand } from '../../../api-host/src/commands/run-tenant-command.ts';

const ENGINE_PASSWORD = 'the-password-of-trino';

let test: TestHost;
let provider: OpenIdProvider;
let folder: string;
beforeAll(async () => {
  test = await startTestHost({ SSO_PRIVATE_HOSTS: '127.0.0.1:*' });
  provider = await startOpenIdProvider();
  folder = await mkdtemp(join(tmpdir(), 'sluice-on-board-'));
  await writeFile(join(folder, 'trino-password'), `${ENGINE_PASSWORD}\n`);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const enginesFile = () => join(folder, 'tenants.json');

/** Runs the command, as `npm run tenant` does. */
async function apply(text: string, ...options: string[]): Promise<string> {
  const path = join(folder, 'initech.yaml');
  await writeFile(path, text);
  const lines: string[] = [];
  const printed = await runTenantCommand({
    argv: ['apply', path, '--engine-tenants', enginesFile(), ...options],
    environment: { ...test.environment, INITECH_SSO_SECRET: CLIENT_SECRET },
    say: (line) => lines.push(line),
  }).then(
    () => lines.join('\n'),
    (thrown: Error) => `failed: ${thrown.message}`,
  );
  for (const secret of [CLIENT_SECRET, ENGINE_PASSWORD]) expect(printed).not.toContain(secret);
  return printed;
}

const file = (changes: { readonly catalogs?: string } = {}) => `
tenant: initech
admin: root@initech.example
url: ${test.url}
email_domains: [initech.example]
engine:
  catalogs: [${changes.catalogs ?? 'sales'}]
  url: https://trino.example.com
  user: sluice-initech
  password: { file: ${join(folder, 'trino-password')} }
identity_provider:
  issuer: ${provider.issuer}
  client_id: ${CLIENT_ID}
  client_secret: { env: INITECH_SSO_SECRET }
  create_users: true
`;

describe('npm run tenant -- apply', () => {
  it('shows what it would do, and changes nothing, with --dry-run', async () => {
    const stdout = await apply(file(), '--dry-run');
    expect(stdout).toContain('Dry run, nothing is changed: initech');
    expect(stdout).toContain('tenant: created');
    expect(stdout).not.toContain('token=');
    expect(await test.rows(`select 1 from tenants where name = 'initech'`)).toEqual([]);
    await expect(readFile(enginesFile())).rejects.toThrow('ENOENT');
  });

  it('creates the tenant, its first admin, its engine and its identity provider from one file', async () => {
    const stdout = await apply(file());
    const token = new URL(stdout.split('\n').at(-1) ?? '').searchParams.get('token');
    const accepted = await postJson(`${test.url}/auth/invitation/initech`, { token, password: NEW_PASSWORD });
    expect(accepted.status).toBe(200);
    const account = { email: 'root@initech.example', password: NEW_PASSWORD };
    expect((await postJson(`${test.url}/auth/login/initech`, account)).status).toBe(200);
    provider.person = { sub: 'ann', email: 'ann@initech.example', email_verified: true };
    expect((await logInBySso(test, { tenant: 'initech' })).status).toBe(200);
    expect(JSON.parse(await readFile(enginesFile(), 'utf8'))).toEqual({
      initech: {
        catalogs: ['sales'],
        url: 'https://trino.example.com',
        user: 'sluice-initech',
        password: ENGINE_PASSWORD,
      },
    });
  });

  it('changes nothing when it is applied again, and only what differs otherwise', async () => {
    const again = await apply(file());
    expect(again.match(/unchanged/g)).toHaveLength(4);
    const changed = await apply(file({ catalogs: 'sales, hr' }));
    expect(changed).toContain('engine: updated. Roll out the hosts');
    const records = await test.rows<{ action: string }>(
      `select action from audit_log where user_name = 'operator' and tenant_id = (select id from tenants where name = 'initech') order by occurred`,
    );
    expect(records.map(({ action }) => action)).toEqual(['CREATE_TENANT', 'UPDATE_IDENTITY_PROVIDER']);
  });

  it.each([
    [
      'text that is not YAML',
      (text: string) => `${text}engine: [`,
      /initech\.yaml is not valid YAML \(line 16, column/,
    ],
    ['an unknown key', (text: string) => `${text}colour: blue\n`, /initech\.yaml: the file has the unknown key colour/],
    [
      'a secret in the file',
      (text: string) => text.replace('{ env: INITECH_SSO_SECRET }', 'hush'),
      /client_secret must be \{ env: NAME \}/,
    ],
    [
      'a missing secret',
      (text: string) => text.replace('INITECH_SSO_SECRET', 'NOWHERE'),
      /client_secret names NOWHERE, which is not set/,
    ],
    [
      'a wrong e-mail',
      (text: string) => text.replace('root@initech.example', 'root'),
      /initech\.yaml: admin must be an e-mail/,
    ],
    ['a wrong catalog', (text: string) => text.replace('[sales]', '["no name"]'), /initech\.catalogs\.0 is invalid/],
    ['a wrong scope', (text: string) => `${text}  scopes: [email]\n`, /identity_provider\.scopes must hold openid/],
  ])('rejects %s with one sentence that names the place', async (_what, change, sentence) => {
    const printed = await apply(change(file()));
    expect(printed).toMatch(/^failed: One setting is wrong: [^\n]*$/);
    expect(printed).toMatch(sentence);
    expect(printed).not.toContain('hush');
  });
});
