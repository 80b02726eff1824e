import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post, queryIdOf, receiptOf } from '@sluice/testkit/requests';
import { HELD } from '@sluice/testkit/statements';
import pg from 'pg';

let hosts: TestHosts;
let ann: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const recordsOf = (queryId: string): Promise<object[]> =>
  hosts.rows('select 1 from audit_log where query_id = $1', [queryId]);

describe('without an audit outcome', () => {
  it('a transfer does not end as complete', async () => {
    const client = new pg.Client({ connectionString: hosts.testDatabase.superuserUrl });
    await client.connect();
    const { name } = hosts.testDatabase.streamRole;
    // The statement delays its result until the privilege to write the outcome is revoked.
    const run = () =>
      ['', '/download/json', '/download/csv'].map((path) => post(`${hosts.url}/query${path}`, { sql: HELD }, ann));
    const [streamed, json, csv] = await (async () => {
      const answers = run();
      while (hosts.stream.context.running.size < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      await client.query(`revoke insert on audit_log from ${name}`);
      try {
        return await Promise.all(answers);
      } finally {
        await client.query(`grant insert on audit_log to ${name}`);
        await client.end();
      }
    })();
    expect(streamed?.text).toMatch(
      /"type":"error","error":"All rows were sent[^"]+","code":"RECEIPT_UNAVAILABLE","query_id":"[^"]+"\}\n\n$/,
    );
    expect(streamed?.text).not.toContain('"complete"');
    expect(json?.body).toMatchObject({
      code: 'RECEIPT_UNAVAILABLE',
      error: expect.stringContaining('All rows were sent'),
    });
    expect(csv?.isWhole).toBe(false);
    // The reported failure is recorded as soon as the store is writable.
    for (const answer of [streamed, json, csv]) {
      if (answer === undefined) throw new Error('a response is missing');
      for (let receipt = await receiptOf(hosts.url, queryIdOf(answer), ann); ; ) {
        if (receipt.ended_ts !== null) {
          expect(receipt).toMatchObject({ state: 'FAILED', sha256: null, error: { code: 'RECEIPT_UNAVAILABLE' } });
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
        receipt = await receiptOf(hosts.url, queryIdOf(answer), ann);
      }
      expect(await recordsOf(queryIdOf(answer))).toHaveLength(2);
    }
  });
});
