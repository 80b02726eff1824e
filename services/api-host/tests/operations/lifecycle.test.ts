import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort, send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login } from '@sluice/testkit/requests';
import { startApiHost } from '../../src/index.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const failure = async (environment: Record<string, string>): Promise<string> => {
  try {
    await using _host = await startApiHost({ environment: { LOG_LEVEL: 'silent', ...environment } });
    return 'it started';
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
};

describe('the host fails to start', () => {
  it('with wrong settings, naming all of them and no secret', async () => {
    const message = await failure({ API_PORT: 'x', DATABASE_URL: 'mysql://u:hush@h/d', SLUICE_MASTER_KEY: 'hush' });
    for (const name of ['API_PORT', 'DATABASE_URL', 'SLUICE_MASTER_KEY', 'ISSUER_TEMPLATE']) {
      expect(message).toContain(name);
    }
    expect(message).not.toContain('hush');
  });

  it('with a master key that does not have 32 bytes', async () => {
    const SLUICE_MASTER_KEY = randomBytes(40).toString('base64');
    const message = await failure({ ...test.environment, SLUICE_MASTER_KEY });
    expect(message).toContain('SLUICE_MASTER_KEY must be 32 random bytes in base64');
    expect(message).not.toContain(SLUICE_MASTER_KEY);
  });

  it('with a master key that did not encrypt its signing keys', async () => {
    const SLUICE_MASTER_KEY = randomBytes(32).toString('base64');
    expect(await failure({ ...test.environment, SLUICE_MASTER_KEY })).toContain(
      'SLUICE_MASTER_KEY cannot decrypt the signing keys',
    );
  });

  it('while its database or its port is not available', async () => {
    const DATABASE_URL = 'postgres://u:p@127.0.0.1:1/d';
    expect(await failure({ ...test.environment, DATABASE_URL })).toBe(
      'The database does not respond. Try again in a moment.',
    );
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    expect(await failure({ ...test.environment, API_PORT: String(port) })).toContain(`Port ${port}`);
    taken.close();
  });
});

describe('metrics', () => {
  /** Whether they are reachable at a second loopback address, where 127.0.0.1 does not listen. */
  const reached = async (settings: Record<string, string>): Promise<readonly boolean[]> => {
    const port = await reservePort();
    const environment = { ...test.environment, LOG_LEVEL: 'silent', METRICS_PORT: String(port), ...settings };
    await using _host = await startApiHost({ environment });
    const asked = ['127.0.0.1', '127.0.0.2'].map((address) => fetch(`http://${address}:${port}/metrics`));
    return (await Promise.allSettled(asked)).map(({ status }) => status === 'fulfilled');
  };

  it('listen on loopback unless METRICS_HOST is set', async () => {
    expect(await reached({ LISTEN_HOST: '0.0.0.0' })).toEqual([true, false]);
    expect(await reached({ METRICS_HOST: '0.0.0.0' })).toEqual([true, true]);
  });
});

describe('several hosts on one database', () => {
  it('accept each other’s tokens, from one key set', async () => {
    await using other = await startApiHost({ environment: { ...test.environment, LOG_LEVEL: 'silent' } });
    const keysOf = async (url: string) => (await send(`${url}/.well-known/jwks.json`)).body.keys;
    expect(await keysOf(other.url)).toEqual(await keysOf(test.url));
    const { body } = await login(other.url).catch(() => login(test.url));
    expect((await send(`${test.url}/test/api`, { headers: { idtoken: body.id_token } })).status).toBe(200);
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('has only public members, of the signing key and its successor', async () => {
    const { status, body, headers } = await send(`${test.url}/.well-known/jwks.json`);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60']);
    expect(body.keys).toHaveLength(2);
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      expect(key).toMatchObject({ alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
    }
  });
});

describe('probes and documents', () => {
  it('respond without a credential', async () => {
    expect((await send(`${test.url}/`)).body).toEqual({ status: 'ok', service: 'sluice-api' });
    expect((await send(`${test.url}/health`)).body).toEqual({ status: 'ok', service: 'sluice-api' });
    expect((await send(`${test.url}/ready`)).body).toEqual({
      status: 'ready',
      service: 'sluice-api',
      checks: { postgres: 'ok' },
    });
    const { body } = await send(`${test.url}/openapi.json`);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/auth/login/{tenant}', '/auth/{tenant}/oauth2/token', '/.well-known/jwks.json']),
    );
  });
});

describe('the host stops', () => {
  it('removes its heartbeat row and frees its port', async () => {
    const host = await startApiHost({ environment: { ...test.environment, LOG_LEVEL: 'silent', DRAIN_GRACE: '1s' } });
    const count = async () => (await test.rows<{ id: string }>('select id from hosts')).length;
    const deadline = Date.now() + 60_000;
    while ((await count()) < 2 && Date.now() < deadline);
    await host.drain();
    expect(await count()).toBe(1);
    await expect(send(`${host.url}/health`)).rejects.toThrow('ECONNREFUSED');
  });
});
