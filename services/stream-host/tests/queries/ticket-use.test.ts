import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/store/database';
import { createAccountStore, createTenantStore } from '@sluice/store/identity';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  finalReceipt,
  idtoken,
  logIn,
  post,
  queryIdOf,
  receiptOf,
} from '@sluice/testkit/requests';
import { FAILS_AT_ONCE, LONG } from '@sluice/testkit/statements';

let hosts: TestHosts;
let database: Database;
let ann: Credential;
const ITEMS = 'SELECT * FROM items ORDER BY id';
const ITEMS_CSV = 'id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n';
beforeAll(async () => {
  hosts = await startHosts();
  database = createDatabase({ url: hosts.testDatabase.apiUrl, poolMax: 2, applicationName: 'test' });
  ann = basicOf(hosts.ann);
}, 120_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

const csvOf = (sql: string, more: object = {}) => ({
  method: 'POST',
  path: '/query/download/csv',
  body: { sql, ...more },
});
const create = (ticket: unknown, credential: Credential = ann) => post(`${hosts.url}/tickets`, ticket, credential);
const use = (answer: Pick<ReceivedResponse, 'body'>, headers: Credential = {}) =>
  send(`${hosts.url}${answer.body.url}`, { headers: { ...headers } });
const newUser = () => hosts.build.user(hosts.acme);

describe('GET /tickets/{id}', () => {
  const refusedUse = async (answer: Pick<ReceivedResponse, 'body'>, headers: Credential = {}) => {
    const refused = await use(answer, headers);
    expect([refused.status, refused.body.error]).toEqual([404, 'not_found']);
  };

  it('serves one of many concurrent requests', async () => {
    const ticket = await create(csvOf(ITEMS));
    const answers = await Promise.all(Array.from({ length: 8 }, () => use(ticket)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });

  it('returns 404 for an unknown id, and one of another form', async () => {
    for (const id of ['a'.repeat(43), 'a'.repeat(42), 'a%2Fb', '__proto__', `${'a'.repeat(43)}%20`])
      await refusedUse({ body: { url: `/tickets/${id}` } });
  });

  it('returns the headers of the file for HEAD, which neither runs the download nor uses the ticket up', async () => {
    const ticket = await create(csvOf(ITEMS, { filename: 'all items' }));
    const head = () => fetch(`${hosts.url}${ticket.body.url}`, { method: 'HEAD' });
    const { status, headers } = await head();
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/csv/)]);
    expect(headers.get('content-disposition')).toContain('all items.csv');
    expect((await head()).status).toBe(200);
    const runs = () => hosts.rows('select 1 from audit_log where query_id = $1', [ticket.body.query_id]);
    expect(await runs()).toEqual([]);
    const got = await use(ticket);
    expect([got.status, got.text]).toEqual([200, ITEMS_CSV]);
    expect(await runs()).not.toEqual([]);
    expect((await head()).status).toBe(404);
  });

  it('returns 404 after the logout of the session that created it', async () => {
    const { id_token } = await logIn(hosts, hosts.ann);
    const ticket = await create(csvOf(ITEMS), idtoken(id_token));
    await send(`${hosts.api.url}/auth/logout/acme`, { headers: { idtoken: id_token } });
    await refusedUse(ticket);
  });

  it('returns 404 after the account is disabled or its password changed, with any credential', async () => {
    const accounts = createAccountStore(database);
    const [one, other] = [await newUser(), await newUser()];
    const client = await hosts.build.client(hosts.acme);
    const tickets = [
      await create(csvOf(ITEMS), basicOf(one)),
      await create(csvOf(ITEMS), bearer((await logIn(hosts, one)).access_token)),
      await create(csvOf(ITEMS), bearer(await clientToken(hosts, client))),
      await create(csvOf(ITEMS), basicOf(other)),
    ];
    expect(tickets.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await accounts.disable({ tenantId: hosts.acme.id, kind: 'user', id: one.id });
    await accounts.disable({ tenantId: hosts.acme.id, kind: 'client', id: client.id });
    await hosts.rows(`update users set password_hash = password_hash || 'x' where id = $1`, [other.id]);
    for (const ticket of tickets) await refusedUse(ticket);
  });

  it('returns 403 and writes a record when its creator has lost the permission, or the tenant is suspended', async () => {
    const own = await newUser();
    const ticket = await create(csvOf(ITEMS), basicOf(own));
    await hosts.rows(`update users set roles = '{auditor}' where id = $1`, [own.id]);
    const answer = await use(ticket);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('query:run')]);
    const denied = () =>
      hosts.rows(`select target, metadata from audit_log where user_name = $1 and action = 'ACCESS_DENIED'`, [
        own.email,
      ]);
    expect(await denied()).toEqual([{ target: 'downloadCsv', metadata: { permission: 'query:run' } }]);
    const second = await create(csvOf(ITEMS));
    const tenants = createTenantStore(database);
    await tenants.setState(hosts.acme.id, 'suspended');
    try {
      expect((await use(second)).status).toBe(403);
    } finally {
      await tenants.setState(hosts.acme.id, 'active');
    }
  });

  it('returns 404 at the address of another tenant, and is not used up by that', async () => {
    const ticket = await create(csvOf(ITEMS), { ...ann, host: 'acme-stream.localhost' });
    await refusedUse(ticket, { host: 'globex-stream.localhost' });
    expect((await use(ticket, { host: 'acme-stream.localhost' })).text).toBe(ITEMS_CSV);
  });

  it('runs in the tenant of its creator at an address without a tenant', async () => {
    const gus = await hosts.build.user(hosts.globex);
    const ticket = await create(csvOf(ITEMS), { ...basicOf(gus), host: 'globex-stream.localhost' });
    expect((await use(ticket)).status).toBe(200);
    const [record] = await hosts.rows<{ tenant_id: string }>('select tenant_id from audit_log where query_id = $1', [
      ticket.body.query_id,
    ]);
    expect(record?.tenant_id).toBe(hosts.globex.id);
  });

  it('ignores credentials of the request', async () => {
    const ticket = await create(csvOf(ITEMS));
    expect((await use(ticket, { authorization: 'Basic nonsense', idtoken: 'x' })).status).toBe(200);
  });

  it('reports the error of the engine, and is used up then', async () => {
    const ticket = await create(csvOf(FAILS_AT_ONCE));
    const answer = await use(ticket);
    expect([answer.status, answer.body.error, queryIdOf(answer)]).toEqual([400, 'data_error', ticket.body.query_id]);
    await refusedUse(ticket);
  });

  it('reports rows and bytes of the running download to its creator', async () => {
    const ticket = await create(csvOf(LONG));
    const leaving = new AbortController();
    const response = await fetch(`${hosts.url}${ticket.body.url}`, { signal: leaving.signal });
    const receipt = await until(
      async () => {
        const found = await receiptOf(hosts.url, ticket.body.query_id, ann);
        return found.rows > 0 && found.bytes > 0 ? found : undefined;
      },
      { what: 'progress' },
    );
    expect([response.status, receipt.state]).toEqual([200, 'RUNNING']);
    leaving.abort();
    const ended = await finalReceipt(hosts.url, ticket.body.query_id, { credential: ann });
    expect([ended.state, ended.sha256]).toEqual(['CANCELLED', null]);
  });

  it('is nowhere in the log, whatever happens to it', async () => {
    const id = randomUUID();
    const tickets = [
      await create(csvOf(ITEMS), { ...ann, 'x-request-id': id }),
      await create(csvOf(FAILS_AT_ONCE)),
      await create(csvOf(ITEMS)),
    ];
    for (const ticket of tickets.slice(0, 2)) await use(ticket, { 'x-request-id': id });
    const [used, , open] = tickets;
    if (used !== undefined) await use(used);
    if (open !== undefined) {
      await send(`${hosts.url}${open.body.url}`, { method: 'DELETE' });
      await send(`${hosts.url}${open.body.url}?x=1`, { headers: { host: 'globex-stream.localhost' } });
      await send(`${hosts.url}${open.body.url}/more`);
      await use(open, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
    }
    const log = hosts.logLines.join('');
    expect(log).toContain(id);
    expect(log).toContain('"operation":"useTicket"');
    for (const ticket of tickets) expect(log).not.toContain(ticket.body.url.slice('/tickets/'.length));
  });
});
