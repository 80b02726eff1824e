import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCOUNT_REQUESTS_WAITING_MAX } from '@sluice/contract';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';

/** An account may use one of them at once. */
const CONNECTIONS = 2;
const REFUSED = 5;

let hosts: TestHosts;
let greedy: Credential;
let colleague: Credential;
beforeAll(async () => {
  hosts = await startHosts({ DATABASE_CONNECTIONS: String(CONNECTIONS) });
  greedy = basicOf(hosts.ann);
  colleague = basicOf(await hosts.build.user(hosts.acme));
  // The first login with a password takes long.
  for (const credential of [greedy, colleague]) await get('/me', credential);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const get = (path: string, credential: Credential = {}) => send(`${hosts.url}${path}`, { headers: { ...credential } });

/** Sends requests at once. `ended` has their responses so far. */
function sendMany(count: number): { readonly ended: ReceivedResponse[]; readonly all: Promise<unknown> } {
  const ended: ReceivedResponse[] = [];
  const one = async () => void ended.push(await get('/query/history', greedy));
  return { ended, all: Promise.all(Array.from({ length: count }, one)) };
}

describe('an account whose requests use its whole share of a host', () => {
  it('gets 429 above the queue, while another account of its tenant is served although all of them hang', async () => {
    await hosts.rows('begin; lock table query_history in access exclusive mode');
    const { ended, all } = sendMany(CONNECTIONS / 2 + ACCOUNT_REQUESTS_WAITING_MAX + REFUSED);
    try {
      await until(() => (ended.length === REFUSED ? true : undefined), { what: 'the rejections' });
      expect(ended.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
        Array(REFUSED).fill([429, '1']),
      );
      expect(ended[0]?.body).toMatchObject({
        error: 'too_many_requests',
        message: expect.stringMatching(/^Your other requests use your whole share of this host: wait for /),
      });
      expect((await get('/me', colleague)).status).toBe(200);
      expect((await get('/query', colleague)).status).toBe(200);
      expect(ended).toHaveLength(REFUSED);
    } finally {
      await hosts.rows('commit');
      await all;
    }
    expect(ended.slice(REFUSED).every(({ status }) => status === 200)).toBe(true);
  });
});
