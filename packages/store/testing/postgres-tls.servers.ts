import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase } from '../src/database/database.ts';
import { migrate } from '../src/schema/migrate.ts';
import { type ComponentServer, runStatements, startComponentServer, urlOf } from './component-server.ts';

const role = (name: string) => ({ name, password: `${name}-password` });
const apiRole = role('sluice_api');
let server: ComponentServer;
let apiUrl: URL;
beforeAll(async () => {
  server = await startComponentServer({ major: 18, port: 26_530, tls: 'on' });
  await migrate({ ownerUrl: server.superuserUrl, apiRole, streamRole: role('sluice_stream') });
  apiUrl = new URL(
    urlOf(server.superuserUrl, { role: apiRole.name, password: apiRole.password, database: 'postgres' }),
  );
}, 120_000);
afterAll(async () => await server[Symbol.asyncDispose]());

interface Tls {
  readonly mode: string;
  readonly authority?: 'ca.crt' | 'other-ca.crt';
  readonly host?: string;
  readonly libpq?: 'true';
}

/** Returns `encrypted`, or the message of the error. */
const connect = async ({ mode, authority, host = 'localhost', libpq }: Tls): Promise<string> => {
  const url = new URL(apiUrl);
  url.hostname = host;
  const folder = dirname(url.searchParams.get('sslrootcert') ?? '');
  url.search = '';
  url.searchParams.set('sslmode', mode);
  if (authority !== undefined) url.searchParams.set('sslrootcert', join(folder, authority));
  if (libpq !== undefined) url.searchParams.set('uselibpqcompat', libpq);
  await using database = createDatabase({ url: url.href });
  try {
    await database.ping();
  } catch (thrown) {
    return (thrown as Error).message;
  }
  const [row] = await runStatements<{ ssl: boolean }>(
    url.href,
    'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
  );
  return row?.ssl === true ? 'encrypted' : 'plain';
};

const MODES = ['require', 'verify-ca', 'verify-full'];
const NOT_TRUSTED = /^The database's TLS certificate is not trusted \(\w+\)/;

describe('PostgreSQL behind TLS', () => {
  it.each(MODES)('is accepted with sslmode=%s and its authority', async (mode) => {
    expect(await connect({ mode, authority: 'ca.crt' })).toBe('encrypted');
  });

  it.each(MODES)('is rejected with sslmode=%s and another authority, or none', async (mode) => {
    expect(await connect({ mode, authority: 'other-ca.crt' })).toMatch(NOT_TRUSTED);
    expect(await connect({ mode })).toMatch(NOT_TRUSTED);
  });

  it.each(MODES)('is rejected with sslmode=%s under a name that is not in its certificate', async (mode) => {
    expect(await connect({ mode, authority: 'ca.crt', host: '127.0.0.1' })).toMatch(NOT_TRUSTED);
  });

  it('is checked as libpq does with uselibpqcompat', async () => {
    expect(await connect({ mode: 'require', libpq: 'true' })).toBe('encrypted');
    const otherHost = { authority: 'ca.crt', host: '127.0.0.1', libpq: 'true' } as const;
    expect(await connect({ ...otherHost, mode: 'verify-ca' })).toBe('encrypted');
    expect(await connect({ ...otherHost, mode: 'verify-full' })).toMatch(NOT_TRUSTED);
    expect(await connect({ mode: 'verify-ca', authority: 'other-ca.crt', libpq: 'true' })).toMatch(NOT_TRUSTED);
  });

  it('rejects a connection without TLS, and the error reports it', async () => {
    expect(await connect({ mode: 'disable' })).toContain('a connection without TLS');
  });
});
