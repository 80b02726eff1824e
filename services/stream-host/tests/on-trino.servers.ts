import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { receiptOf, sha256Of } from './receipts.ts';
import { basicOf, eventsOf, post, queryIdOf } from './requests.ts';
import type { TestHosts } from './start-hosts.ts';
import { startTrinoHosts } from './start-trino-hosts.ts';

let hosts: TestHosts;
beforeAll(async () => {
  hosts = await startTrinoHosts();
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

describe('a stream on Trino', () => {
  it('has its rows, its receipt and its audit record', async () => {
    const ann = basicOf(hosts.ann);
    const answer = await post(
      `${hosts.url}/query`,
      { sql: 'SELECT n_nationkey, n_name FROM nation WHERE n_nationkey < 2 ORDER BY 1' },
      ann,
    );
    expect(await eventsOf(answer)).toEqual([
      expect.objectContaining({ type: 'metadata' }),
      { type: 'row', data: { n_nationkey: 0, n_name: 'ALGERIA' } },
      { type: 'row', data: { n_nationkey: 1, n_name: 'ARGENTINA' } },
      expect.objectContaining({ type: 'complete' }),
    ]);
    const receipt = await receiptOf(hosts.url, queryIdOf(answer), ann);
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 2, sha256: sha256Of(answer.bytes) });
  });
});
