import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { createItem, publishDatamap } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  logIn,
  post,
  queryIdOf,
  receiptOf,
  sha256Of,
} from '@sluice/testkit/requests';

let hosts: TestHosts;
let ann: Credential;
let datamapId: string;
const ITEMS = 'SELECT * FROM items ORDER BY id';
const ITEMS_CSV = 'id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n';
beforeAll(async () => {
  hosts = await startHosts({ TICKETS_PER_USER: '3' });
  ann = basicOf(hosts.ann);
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  await createItem(hosts, admin, { id: 'single', queries: { items: ITEMS } });
  datamapId = await publishDatamap(hosts, hosts.acme, ITEMS);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const csvOf = (sql: string, more: object = {}) => ({
  method: 'POST',
  path: '/query/download/csv',
  body: { sql, ...more },
});
const create = (ticket: unknown, credential: Credential = ann) => post(`${hosts.url}/tickets`, ticket, credential);
const use = (answer: Pick<ReceivedResponse, 'body'>) => send(`${hosts.url}${answer.body.url}`);
const newUser = (roles?: readonly string[]) => hosts.build.user(hosts.acme, roles === undefined ? {} : { roles });

describe('POST /tickets', () => {
  it('returns an address that starts the download without a credential, once', async () => {
    const ticket = await create(csvOf(ITEMS, { filename: 'all items' }));
    expect([ticket.status, ticket.headers['cache-control'], ticket.body]).toEqual([
      201,
      'no-store',
      { url: expect.stringMatching(/^\/tickets\/[\w-]{43}$/), query_id: expect.any(String), expires_in: 60 },
    ]);
    expect(ticket.headers['location']).toBe(ticket.body.url);
    const answer = await use(ticket);
    expect([answer.status, answer.text, queryIdOf(answer)]).toEqual([200, ITEMS_CSV, ticket.body.query_id]);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="all items.csv"');
    expect(await receiptOf(hosts.url, ticket.body.query_id, ann)).toMatchObject({
      state: 'FINISHED',
      rows: 3,
      sha256: sha256Of(answer.bytes),
    });
    const again = await use(ticket);
    expect([again.status, again.body.error]).toEqual([404, 'not_found']);
    expect(again.body.message).toContain('POST /tickets');
  });

  it('starts every download operation, with the record of its creator', async () => {
    const creator = await newUser();
    const tickets = [
      ...['csv', 'json', 'ndjson', 'xlsx', 'parquet'].map((format) => ({
        method: 'POST',
        path: `/query/download/${format}`,
        body: { sql: ITEMS },
      })),
      { method: 'POST', path: '/marketplace/single/download/csv' },
      { method: 'POST', path: '/marketplace/download?id=single&format=xlsx' },
      { method: 'GET', path: '/marketplace/single/download/ndjson' },
      { method: 'GET', path: `/datamap/${datamapId}/download/csv`, body: null },
    ];
    for (const request of tickets) {
      const ticket = await create(request, basicOf(creator));
      expect([request.path, ticket.status]).toEqual([request.path, 201]);
      const answer = await use(ticket);
      expect([answer.status, answer.isWhole]).toEqual([200, true]);
      const [record] = await hosts.rows<{ user_name: string }>(
        'select user_name from audit_log where query_id = $1 and record_id is null',
        [ticket.body.query_id],
      );
      expect(record?.user_name).toBe(creator.email);
    }
  });

  it('keeps every digit of parameters', async () => {
    const ticket = await post(
      `${hosts.url}/tickets`,
      '{"method": "POST", "path": "/query/download/csv", "body": {"sql": "SELECT $big AS big, $exact AS exact, $word AS word",' +
        ' "parameters": {"big": 9223372036854775807, "exact": 250.10, "word": "it\'s $big"}}}',
      ann,
    );
    expect(ticket.status).toBe(201);
    expect((await use(ticket)).text).toBe("big,exact,word\n9223372036854775807,250.10,it's $big\n");
    const refused = await create(csvOf('SELECT $one', { parameters: { one: [1, []] } }));
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'body.body.parameters.one[1]']);
  });

  it('accepts every credential, and runs the ticket as its account', async () => {
    const tokens = await logIn(hosts, hosts.ann);
    const service = bearer(await clientToken(hosts, await hosts.build.client(hosts.acme)));
    for (const credential of [ann, idtoken(tokens.id_token), bearer(tokens.access_token), service]) {
      const ticket = await create(csvOf(ITEMS), credential);
      expect((await use(ticket)).text).toBe(ITEMS_CSV);
      expect((await receiptOf(hosts.url, ticket.body.query_id, credential)).state).toBe('FINISHED');
    }
    expect((await create(csvOf(ITEMS), {})).status).toBe(401);
  });

  it('writes a record of the ticket without its id and SQL', async () => {
    const ticket = await create({ method: 'GET', path: `/datamap/${datamapId}/download/csv` });
    const [record] = await hosts.rows(`select action, user_name, metadata from audit_log where target = $1`, [
      ticket.body.query_id,
    ]);
    expect(record).toEqual({
      action: 'CREATE_TICKET',
      user_name: hosts.ann.email,
      metadata: { method: 'GET', path: `/datamap/${datamapId}/download/csv` },
    });
    await use(ticket);
  });

  it('checks the permission immediately', async () => {
    const auditor = basicOf(await newUser(['auditor']));
    const answer = await create(csvOf(ITEMS), auditor);
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('query:run')]);
    const steward = basicOf(await newUser(['steward']));
    const ungranted = await create({ method: 'GET', path: '/marketplace/single/download/csv' }, steward);
    expect([ungranted.status, ungranted.body.message]).toEqual([403, expect.stringContaining('no grant')]);
    const unknown = await create({ method: 'GET', path: '/marketplace/nope/download/csv' });
    expect(unknown.status).toBe(404);
  });

  it.each([
    ['an event stream', 'POST', '/query'],
    ['a path that is not a download', 'GET', '/marketplace/single'],
    ['an unknown path', 'POST', '/nope'],
    ['itself', 'POST', '/tickets'],
    ['an empty path', 'POST', ''],
    ['a relative path', 'POST', 'query/download/csv'],
    ['a dot segment', 'POST', '/query/x/../download/csv'],
    ['a dot segment as id', 'GET', '/marketplace/../download/csv'],
    ['an encoded dot segment', 'GET', '/marketplace/%2e%2e/download/csv'],
    ['an encoded slash', 'POST', '/query%2Fdownload%2Fcsv'],
    ['an encoded slash in the id', 'GET', '/marketplace/single%2Fx/download/csv'],
    ['a double slash', 'POST', '//query/download/csv'],
    ['a backslash', 'POST', '\\query\\download\\csv'],
    ['an encoded backslash', 'GET', '/marketplace/a%5Cb/download/csv'],
    ['a trailing slash', 'POST', '/query/download/csv/'],
    ['an absolute address', 'POST', 'http://127.0.0.1:8081/query/download/csv'],
    ['another host', 'POST', '//evil.example/query/download/csv'],
    ['a fragment', 'POST', '/query/download/csv#x'],
    ['invalid percent-encoding', 'GET', '/marketplace/%ZZ/download/csv'],
    ['invalid UTF-8', 'GET', '/marketplace/%FF/download/csv'],
    ['a NUL', 'POST', '/query/download/csv\0'],
    ['a lone surrogate', 'GET', '/marketplace/\ud800/download/csv'],
    ['capitals', 'POST', '/QUERY/download/csv'],
  ])('returns 400 for %s', async (_, method, path) => {
    const answer = await create({ method, path, body: method === 'POST' ? { sql: ITEMS } : undefined });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details).toEqual([expect.objectContaining({ path: 'body.path' })]);
  });

  it.each([
    ['SQL that is missing', csvOf(ITEMS).path, {}, 'body.body.sql'],
    ['an unknown key', '/query/download/csv', { sql: ITEMS, size: 1 }, 'body.body.size'],
    ['an option of another format', '/query/download/json', { sql: ITEMS, excel_safe: true }, 'body.body.excel_safe'],
    ['a file name with a separator', '/query/download/csv', { sql: ITEMS, filename: '../x' }, 'body.body.filename'],
    ['a body that is not an object', '/query/download/csv', 'SELECT 1', 'body.body'],
    ['an unknown key for an item', '/marketplace/download?id=single&format=csv', { x: 1 }, 'body.body.x'],
    ['an unknown format', '/marketplace/download?id=single&format=pdf', undefined, 'body.path'],
    ['a parameter given twice', '/marketplace/download?id=single&id=x&format=csv', undefined, 'body.path'],
    ['an unknown parameter', '/marketplace/single/download/csv?p.x=1', undefined, 'body.path'],
  ])('checks the input immediately: 400 for %s', async (_, path, body, place) => {
    const answer = await create({ method: 'POST', path, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    expect(answer.body.details[0]).toMatchObject({ path: place });
  });

  it('returns 400 for a body that the download does not take', async () => {
    const answer = await create({ method: 'GET', path: '/marketplace/single/download/csv', body: { x: 1 } });
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'body.body']);
  });

  it('names the method of a path that has another one', async () => {
    const answer = await create({ method: 'GET', path: '/query/download/csv' });
    expect([answer.status, answer.body.details]).toEqual([
      400,
      [{ path: 'body.method', message: 'must be POST for this path' }],
    ]);
    expect((await create({ method: 'DELETE', path: '/query/download/csv' })).status).toBe(400);
  });

  it('returns 429 for more unused tickets than allowed, of one account only', async () => {
    const own = basicOf(await newUser());
    const tickets = [];
    for (let index = 0; index < 3; index += 1) tickets.push(await create(csvOf(ITEMS), own));
    expect(tickets.map(({ status }) => status)).toEqual([201, 201, 201]);
    const refused = await create(csvOf(ITEMS), own);
    expect([refused.status, refused.body.error, refused.headers['retry-after']]).toEqual([
      429,
      'too_many_requests',
      '60',
    ]);
    expect((await create(csvOf(ITEMS), basicOf(await newUser()))).status).toBe(201);
    if (tickets[0] !== undefined) await use(tickets[0]);
    expect((await create(csvOf(ITEMS), own)).status).toBe(201);
  });
});
