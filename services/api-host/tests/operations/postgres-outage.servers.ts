import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPasswords } from '@sluice/auth';
import { createAccountStore } from '@sluice/store/identity';
import { migrateOwnServer, send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, passwordOf } from '@sluice/testkit/requests';
import {
  type ComponentServer,
  runStatements,
  startComponentServer,
} from '../../../../packages/store/testing/component-server.ts';

/** The default time limit, unlike that of other tests. */
const DEFAULTS = { DATABASE_TIMEOUT: '3s' };

let server: ComponentServer;
let test: TestHost;

beforeAll(async () => {
  server = await startComponentServer({ major: 14, port: 26_540 });
  test = await startTestHost(DEFAULTS, {}, await migrateOwnServer(server.superuserUrl));
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const recoversWithin5s = async (): Promise<void> => {
  const deadline = performance.now() + 5000;
  for (;;) {
    const isBack = (await login(test.url)).status === 200 && (await send(`${test.url}/ready`)).status === 200;
    if (performance.now() > deadline) throw new Error('no recovery within 5 s');
    if (isBack) return;
  }
};

describe('a host before a PostgreSQL server', () => {
  it.each([
    ['stopped', () => server.stop(), () => server.start()],
    ['hung', () => server.hang(), () => server.resume()],
  ] as const)(
    'that is %s causes 503 within 3 s, and requests succeed within 5 s of its return',
    async (_how, lose, restore) => {
      expect((await login(test.url)).status).toBe(200);
      lose();
      try {
        const started = performance.now();
        const answer = await login(test.url);
        expect(performance.now() - started).toBeLessThan(3000);
        expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
        const lost = async () => ((await send(`${test.url}/health`)).body.status === 'degraded' ? true : undefined);
        await until(lost, { what: 'a degraded health', withinMs: 5_000 });
        expect((await send(`${test.url}/ready`)).body.checks).toEqual({ postgres: 'down' });
      } finally {
        restore();
      }
      await recoversWithin5s();
    },
  );

  it('locks no account when it hangs eight times while a password is checked', async () => {
    // Slow enough that the server hangs before the password is verified.
    const slow = createPasswords({ memoryKib: 64 * 1024, passes: 20 });
    await createAccountStore(test.database).putUser({
      tenantId: test.acme.tenantId,
      email: 'ann@example.com',
      passwordHash: await slow.hash(passwordOf('acme')),
      roles: ['analyst'],
    });
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const pending = login(test.url);
      const holds = `select 1 from login_failures where cardinality(holds) > 0`;
      const isHeld = async () => ((await runStatements(server.superuserUrl, holds)).length > 0 ? true : undefined);
      await Promise.race([until(isHeld, { what: 'the count of the attempt', withinMs: 3000 }), pending]);
      server.hang();
      const { status } = await pending;
      server.resume();
      expect([200, 503]).toContain(status);
    }
    const started = performance.now();
    expect((await login(test.url)).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(await runStatements(server.superuserUrl, 'select 1 from login_failures where failures > 0')).toEqual([]);
  });

  it('keeps serving when the server ends its connections repeatedly', async () => {
    for (let round = 0; round < 20; round += 1) {
      const pending = login(test.url);
      await runStatements(
        server.superuserUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'sluice_api'`,
      );
      expect([200, 503]).toContain((await pending).status);
    }
    await recoversWithin5s();
  });
});
