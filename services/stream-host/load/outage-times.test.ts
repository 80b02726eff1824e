import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  assertPromptProbes,
  assertUnavailable,
  assertWithin,
  type Credential,
  idtoken,
  logIn,
  post,
  QUERY_PATHS,
} from '@sluice/testkit/requests';
import { HELD } from '@sluice/testkit/statements';
import pg from 'pg';

// What an outage causes is tested in tests/operations and tests/audit, beside other tests. These times need a quiet machine.
const REJECTED_MS = 5_000;
const RECOVERED_MS = 5_000;
const REPORTED_MS = 5_000;
/** Time of the statement, 5 s in which the outcome is retried, and the rest. */
const ABANDONED_MS = 9_000;
const EXPORTER_MS = 8_000;

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts({ DATABASE_TIMEOUT: '1s' });
  ann = idtoken((await logIn(hosts, hosts.ann)).id_token);
  await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());
afterEach(async () => {
  hosts.proxy.restore();
  await until(async () => ((await send(`${hosts.url}/ready`)).status === 200 ? true : undefined), {
    what: 'recovery',
    withinMs: RECOVERED_MS,
  });
});

describe('without PostgreSQL', () => {
  it.each(['cut', 'hang'] as const)(
    '(%s) requests get 503 within 5 s, and probes respond within 200 ms',
    async (how) => {
      hosts.proxy[how]();
      await assertWithin({ what: `503 while the database is ${how}`, withinMs: REJECTED_MS }, async () => {
        const posted = QUERY_PATHS.map((path) => post(`${hosts.url}${path}`, { sql: 'SELECT 1' }, ann));
        for (const answer of await Promise.all(posted)) assertUnavailable(answer);
      });
      await until(async () => ((await send(`${hosts.url}/health`)).body.status === 'degraded' ? true : undefined), {
        what: 'a degraded health',
        withinMs: REPORTED_MS,
      });
      for (const { url } of [hosts.stream, hosts.api]) await assertPromptProbes(url);
    },
  );
});

it('an audit outcome that cannot be written is abandoned after 5 s', async () => {
  const client = new pg.Client({ connectionString: hosts.testDatabase.superuserUrl });
  await client.connect();
  const { name } = hosts.testDatabase.streamRole;
  const answer = post(`${hosts.url}/query`, { sql: HELD }, ann);
  while (hosts.stream.context.running.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await client.query(`revoke insert on audit_log from ${name}`);
  const begun = performance.now();
  try {
    expect((await answer).text).toContain('RECEIPT_UNAVAILABLE');
    expect(performance.now() - begun).toBeLessThan(ABANDONED_MS);
  } finally {
    await client.query(`grant insert on audit_log to ${name}`);
    await client.end();
  }
});

it('a host drains within 8 s while the collector of traces is down', async () => {
  await using own = await startHosts({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await post(`${own.url}/query`, { sql: 'SELECT 1' }, idtoken((await logIn(own, own.ann)).id_token));
  const begun = performance.now();
  await own.stream.drain();
  expect(performance.now() - begun).toBeLessThan(EXPORTER_MS);
});
