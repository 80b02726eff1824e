import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, post } from '@sluice/testkit/requests';

let hosts: TestHosts;
beforeAll(async () => {
  hosts = await startHosts({ TICKET_LIFETIME: '1500ms', TICKETS_PER_USER: '1' });
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

describe('a ticket that was not used', () => {
  const create = () =>
    post(
      `${hosts.url}/tickets`,
      { method: 'POST', path: '/query/download/csv', body: { sql: 'SELECT 1 AS one' } },
      basicOf(hosts.ann),
    );

  it('expires after TICKET_LIFETIME, returns 404 then, and makes room for another one', async () => {
    const ticket = await create();
    expect([ticket.status, ticket.body.expires_in]).toEqual([201, 2]);
    expect((await create()).status).toBe(429);
    const next = await until(
      async () => {
        const answer = await create();
        return answer.status === 201 ? answer : undefined;
      },
      { what: 'the end of the ticket' },
    );
    const expired = await send(`${hosts.url}${ticket.body.url}`);
    expect([expired.status, expired.body.error]).toEqual([404, 'not_found']);
    expect((await send(`${hosts.url}${next.body.url}`)).text).toBe('one\n1\n');
  });
});
