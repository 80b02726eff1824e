import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, type DatabaseProxy, send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login } from '@sluice/testkit/requests';
import { startApiHost } from '../../src/index.ts';
import { createOwner, logInFrom } from '../identity/guesses.ts';
import { requestEverything } from './request-everything.ts';

let test: TestHost;
let proxy: DatabaseProxy;

beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  proxy = await createDatabaseProxy(testDatabase.apiUrl);
  test = await startTestHost({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT: '1s' }, {}, testDatabase);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
afterEach(() => proxy.restore());

const recovers = async () => {
  proxy.restore();
  await until(async () => ((await login(test.url)).status === 200 ? true : undefined), { what: 'recovery' });
};

/** Returns the health response once the background checks report `degraded`. */
const degraded = async () => {
  const answer = await send(`${test.url}/health`);
  return answer.body.status === 'degraded' ? answer : undefined;
};

describe.each(['cut', 'hang'] as const)('while the database is %s', (how) => {
  it("every operation returns 503 with Retry-After, without the database's error", async () => {
    const { body } = await login(test.url);
    proxy[how]();
    for (const { status, headers, text } of await requestEverything(test.url, body)) {
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(text).not.toMatch(/ECONN|postgres:|pg_|127\.0\.0\.1|timeout/i);
    }
    await recovers();
  });

  it('the host reports live, degraded and not ready, and still publishes its keys', async () => {
    proxy[how]();
    const health = await until(() => degraded(), { what: 'a degraded health' });
    expect(health.status).toBe(200);
    const ready = await send(`${test.url}/ready`);
    expect([ready.status, ready.body.checks, ready.headers['retry-after']]).toEqual([503, { postgres: 'down' }, '1']);
    expect((await send(`${test.url}/live`)).body).toEqual({ status: 'ok', service: 'sluice-api' });
    expect((await send(`${test.url}/.well-known/jwks.json`)).body.keys).toHaveLength(2);
    await recovers();
  });
});

describe('logins during a database outage', () => {
  it('are not counted: a right password is accepted after eight of them', async () => {
    const email = await createOwner(test);
    const logIn = () => logInFrom(test, { email, from: { localAddress: '127.0.0.1' } });
    for (let attempt = 0; attempt < 8; attempt += 1) {
      // The statement that counts the attempt completes, and its response is lost.
      proxy.muteAtCommitOf('hold_login');
      expect((await logIn()).status).toBe(503);
      proxy.restore();
    }
    expect((await logIn()).status).toBe(200);
    expect(await test.rows('select 1 from login_failures where failures > 0')).toEqual([]);
  });
});

describe('connections that the server ends', () => {
  it('never end the host', async () => {
    for (let round = 0; round < 50; round += 1) {
      await test.rows(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'sluice-api' and datname = current_database()`);
      await login(test.url);
    }
    expect((await login(test.url)).status).toBe(200);
  });
});

describe('a host that starts', () => {
  const start = (settings: Record<string, string>) =>
    startApiHost({ environment: { ...test.environment, LOG_LEVEL: 'silent', ...settings } });

  it('retries while the database does not respond', async () => {
    proxy.hang();
    const starting = start({ DATABASE_URL: proxy.url });
    setTimeout(() => proxy.restore(), 2500).unref(); // behind the first try, which waits 2 s for a connection
    await using host = await starting;
    expect((await send(`${host.url}/health`)).status).toBe(200);
  });

  it('fails with a sentence for operators when the database password is wrong; callers never see it', async () => {
    const url = test.testDatabase.apiUrl.replace(/:[^:@]+@/, ':wrong@');
    await expect(start({ DATABASE_URL: url })).rejects.toThrow('rejects the login');
  });
});
