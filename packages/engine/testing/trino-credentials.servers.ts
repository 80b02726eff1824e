import { execFile } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import type { TrinoCredentials, TrinoProfile } from '../src/trino/protocol/profile.ts';
import { TrinoEngine } from '../src/trino/trino-engine.ts';

// A separate Trino, because this one requires authentication.
const [PORT, HTTPS_PORT] = ['28093', '28443'];
const SCRIPT = fileURLToPath(new URL('../../../deploy/components/trino.mjs', import.meta.url));
const SECURITY = join(homedir(), '.cache', 'sluice-components', 'run', `trino-${PORT}`, 'security');
const START_MS = 300_000;

const trino = (command: string) =>
  promisify(execFile)(process.execPath, [SCRIPT, command, '--port', PORT, '--https-port', HTTPS_PORT]);
const pem = (name: string): string => readFileSync(join(SECURITY, name), 'utf8');

/** RFC 7515 section 3.1; written here, because only packages/auth has a library for it. */
function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), createPrivateKey(pem('jwt.key'))).toString('base64url')}`;
}
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const PASSWORD = { kind: 'password', user: 'sluice-acme', password: 'sluice-at-trino' } as const;
const certificateOf = (name: string): TrinoCredentials => ({
  kind: 'certificate',
  certificate: pem(`${name}.crt`),
  key: pem(`${name}.key`),
});

type RunOptions = Partial<TrinoProfile> & { readonly user?: string; readonly sql?: string };
const NATION = 'SELECT current_user AS person, n_name FROM tpch.tiny.nation WHERE n_nationkey = 0';

async function run(credentials: TrinoCredentials, options: RunOptions = {}) {
  const { user = 'ann@acme.example', sql = NATION, ...profile } = options;
  await using engine = new TrinoEngine({
    baseUrl: `https://localhost:${HTTPS_PORT}`,
    authority: pem('ca.crt'),
    catalogs: ['tpch'],
    defaultCatalog: 'tpch',
    credentials,
    userTemplate: 'acme/{user}',
    ...profile,
  });
  const format = createFormat({ name: 'csv', bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });
  const statement = {
    sql,
    user,
    queryId: 'q',
    timeZone: 'UTC',
  };
  let text = '';
  for await (const event of engine.run(statement, (columns) => format.row(columns), new AbortController().signal)) {
    if (event.kind === 'rows') text += Buffer.from(event.bytes).toString();
  }
  return text.trim();
}

describe('a Trino that requires authentication, over TLS', () => {
  beforeAll(() => trino('start'), START_MS);
  afterAll(() => trino('stop'), START_MS);

  it.each<[string, () => TrinoCredentials]>([
    ['a password', () => PASSWORD],
    ['a JWT', () => ({ kind: 'jwt', token: jwt({ sub: 'sluice-acme', exp: secondsFromNow(60) }) })],
    ['a client certificate', () => certificateOf('client')],
  ])('lets this service act for a user with %s', async (_, credentials) => {
    expect(await run(credentials())).toBe('acme/ann@acme.example,ALGERIA');
  });

  it.each<[string, () => TrinoCredentials, string]>([
    ['nothing', () => ({ kind: 'none' }), 'does not accept the credentials'],
    ['another password', () => ({ ...PASSWORD, password: 'guessed' }), 'does not accept the credentials'],
    [
      'a JWT that is over',
      () => ({ kind: 'jwt', token: jwt({ sub: 'sluice-acme', exp: secondsFromNow(-60) }) }),
      'does not accept the credentials',
    ],
    ['a certificate of an authority that it does not know', () => certificateOf('untrusted'), 'cannot agree on TLS'],
  ])('rejects it with %s, and the user gets the reason', async (_, credentials, sentence) => {
    await expect(run(credentials())).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining(sentence),
    });
  });

  it.each([
    ['another tenant', 'globex/{user}', 'ann@acme.example'],
    ['a tenant whose name begins alike', 'acme-2/{user}', 'ann@acme.example'],
    ['a user without a tenant', '{user}', 'trino'],
    ['this service itself', '{user}', 'sluice-globex'],
  ])('lets the account of a tenant act for no user of %s', async (_, userTemplate, user) => {
    await expect(run(PASSWORD, { userTemplate, user })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it.each(['boss@globex.example', 'globex/boss', 'trino', 'sluice-globex'])(
    'has a user of the tenant alone for an account called %s',
    async (user) => {
      expect(await run(PASSWORD, { user })).toBe(`acme/${user},ALGERIA`);
    },
  );

  it('shows each tenant its own catalog and no other, whatever this service accepts', async () => {
    const globex = { ...PASSWORD, user: 'sluice-globex' };
    const [own, catalogs] = ['SELECT count(*) FROM tpcds.tiny.reason', ['tpch', 'tpcds']];
    expect(await run(globex, { userTemplate: 'globex/{user}', catalogs, sql: own })).toBe('1');
    await expect(run(PASSWORD, { catalogs, sql: own })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it.each<[string, () => Partial<TrinoProfile>]>([
    ['another authority signed its certificate', () => ({ authority: pem('other-ca.crt') })],
    ['its certificate is for another host', () => ({ baseUrl: `https://127.0.0.1:${HTTPS_PORT}` })],
  ])('is not used if %s', async (_, profile) => {
    await expect(run(PASSWORD, profile())).rejects.toMatchObject({
      code: 'engine_unavailable',
      message: expect.stringContaining('certificate of Trino is not trusted'),
    });
  });
});
