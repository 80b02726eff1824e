import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startStreamHost } from '@sluice/stream-host';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  assertUnavailable,
  type Credential,
  finalReceipt,
  idtoken,
  logIn,
  post,
  receiptOf,
  startQuery,
} from '@sluice/testkit/requests';
import { SILENT } from '@sluice/testkit/statements';

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
  });
  expect((await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, ann)).text).toContain('"complete"');
});

describe('without PostgreSQL', () => {
  it.each(['cut', 'hang'] as const)(
    '(%s) requests get 503 with Retry-After, nothing runs, and probes report it',
    async (how) => {
      hosts.proxy[how]();
      const paths = ['/query', '/query/download/json', '/query/download/csv'];
      const answers = await Promise.all(paths.map((path) => post(`${hosts.url}${path}`, { sql: 'SELECT 1' }, ann)));
      for (const answer of answers) assertUnavailable(answer);
      // Back ends are checked in the background.
      const health = await until(
        async () => {
          const answer = await send(`${hosts.url}/health`);
          return answer.body.status === 'degraded' ? answer : undefined;
        },
        { what: 'a degraded health' },
      );
      expect(health.status).toBe(200);
      expect((await send(`${hosts.url}/live`)).status).toBe(200);
      expect((await send(`${hosts.url}/ready`)).status).toBe(503);
      expect(hosts.stream.context.running.size).toBe(0);
    },
  );

  it('a running stream continues and is complete when its receipt can be written in time', async () => {
    const started = await startQuery(hosts.url, SILENT, ann);
    hosts.proxy.cut();
    setTimeout(() => hosts.proxy.restore(), 1000).unref();
    expect(await started.text).toContain('"complete"');
    expect(await receiptOf(hosts.url, started.queryId, ann)).toMatchObject({ state: 'FINISHED', rows: 1 });
  });

  it('a record whose commit was not confirmed is closed as FAILED, because nothing ran', async () => {
    const sql = `SELECT 'unconfirmed' AS mark`;
    hosts.proxy.muteAtCommitOf(sql);
    const answer = await post(`${hosts.url}/query`, { sql }, ann);
    expect([answer.status, answer.body.error]).toEqual([503, 'audit_unavailable']);
    hosts.proxy.restore();
    const record = `select query_id from audit_log where record_id is null and metadata ->> 'sql' = $1`;
    const [row] = await hosts.rows<{ query_id: string }>(record, [sql]);
    const receipt = await finalReceipt(hosts.url, row?.query_id ?? '', {
      credential: ann,
    });
    expect(receipt).toMatchObject({ state: 'FAILED', rows: 0, sha256: null, error: { code: 'AUDIT_UNAVAILABLE' } });
  });
});

describe('a host whose login PostgreSQL rejects', () => {
  it('does not start and names the cause for the operator', async () => {
    const url = hosts.testDatabase.streamUrl.replace(/:[^:@]+@/, ':wrong@');
    const environment = { ...hosts.environment, DATABASE_URL: url, LOG_LEVEL: 'silent' };
    await expect(startStreamHost({ environment })).rejects.toThrow('rejects the login');
  });
});
