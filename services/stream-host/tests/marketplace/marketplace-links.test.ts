import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createItem, createSendRequest, publishDatamap, type SendRequest } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  logIn,
  queryIdOf,
  receiptOf,
  sha256Of,
} from '@sluice/testkit/requests';
import { FAILS_AT_ONCE } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ask: SendRequest;
let admin: Credential;
let ann: Credential;
const ITEMS = 'SELECT * FROM items ORDER BY id';
const LINK = '/marketplace/single/download';
beforeAll(async () => {
  hosts = await startHosts();
  ask = createSendRequest(hosts);
  admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  ann = basicOf(hosts.ann);
  await createItem(hosts, admin, { id: 'single', queries: { items: ITEMS } });
  await createItem(hosts, admin, { id: 'pack', queries: { items: ITEMS, none: 'SELECT * FROM nothing' } });
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const get = (path: string, headers: Credential = {}) => ask('GET', path, { credential: ann, headers });
const recordsOf = (user: string) =>
  hosts.rows<{ action: string }>('select action from audit_log where user_name = $1', [user]);

describe('GET /marketplace/{id}/download/{format}', () => {
  it.each(['csv', 'json', 'ndjson'])('returns the file of POST as %s', async (format) => {
    const posted = await ask('POST', `/marketplace/download?id=single&format=${format}`, { credential: ann });
    const answer = await get(`${LINK}/${format}`);
    expect([answer.status, answer.isWhole]).toEqual([200, true]);
    expect(answer.bytes).toEqual(posted.bytes);
    for (const name of ['content-type', 'content-disposition', 'cache-control'])
      expect(answer.headers[name]).toBe(posted.headers[name]);
  });

  it.each(['xlsx', 'xl'])('returns a workbook as %s, and an archive for several queries', async (format) => {
    const workbook = await get(`${LINK}/${format}`);
    expect(workbook.headers['content-disposition']).toBe('attachment; filename=single.xlsx');
    expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK');
    const archive = await get('/marketplace/pack/download/csv?compression=store');
    expect(archive.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=pack.zip',
    });
    expect(archive.text).toContain('manifest.json');
  });

  it('writes the record of POST, with a receipt and a count', async () => {
    const before = (await get('/marketplace/single')).body.download_count;
    const [answer, posted] = [await get(`${LINK}/csv`), await ask('POST', `${LINK}/csv`, { credential: ann })];
    const recordOf = async (queryId: string) => {
      const [record] = await hosts.rows<{ action: string; target: string; metadata: object }>(
        'select action, target, metadata from audit_log where query_id = $1 and record_id is null',
        [queryId],
      );
      return record;
    };
    expect(await recordOf(queryIdOf(answer))).toEqual(await recordOf(queryIdOf(posted)));
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FINISHED',
      sha256: sha256Of(answer.bytes),
    });
    expect((await get('/marketplace/single')).body.download_count).toBe(before + 2);
  });

  it('accepts every credential of POST', async () => {
    const tokens = await logIn(hosts, hosts.ann);
    const service = await clientToken(hosts, await hosts.build.client(hosts.acme, { roles: ['analyst'] }));
    for (const credential of [idtoken(tokens.id_token), bearer(tokens.access_token), bearer(service)])
      expect((await ask('GET', `${LINK}/csv`, { credential })).status).toBe(200);
  });

  it('rejects Basic that a page of another site sends, records it, and accepts any other origin and tokens', async () => {
    const own = await hosts.build.user(hosts.acme);
    const { id_token } = await logIn(hosts, own);
    const from = (site: string, credential: Credential, method = 'GET') =>
      ask(method, `${LINK}/csv`, { credential, headers: { 'sec-fetch-site': site } });
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await from('cross-site', basicOf(own), method);
      expect([answer.status, method === 'HEAD' ? 'access_denied' : answer.body.error]).toEqual([403, 'access_denied']);
    }
    expect((await recordsOf(own.email)).filter(({ action }) => action === 'ACCESS_DENIED')).toHaveLength(3);
    for (const site of ['none', 'same-origin', 'same-site']) expect((await from(site, basicOf(own))).status).toBe(200);
    expect((await from('cross-site', idtoken(id_token))).status).toBe(200);
    expect((await from('cross-site', idtoken(id_token), 'POST')).status).toBe(200);
  });

  it('asks a client without a credential for Basic, which curl, wget and spreadsheets send then', async () => {
    const answer = await ask('GET', `${LINK}/csv`, { credential: {} });
    expect(answer.status).toBe(401);
    expect(String(answer.headers['www-authenticate'])).toContain('Basic realm="sluice"');
  });

  it.each([
    ['404 for an unknown item', '/marketplace/nope/download/csv', 404, 'not_found'],
    ['400 for an unknown format', '/marketplace/single/download/pdf', 400, 'invalid_request'],
    ['400 for a format in capitals', '/marketplace/single/download/CSV', 400, 'invalid_request'],
    ['400 for a parameter that the item does not declare', `${LINK}/csv?p.x=1`, 400, 'invalid_request'],
    ['400 for SQL', `${LINK}/csv?sql=SELECT%201`, 400, 'invalid_request'],
    ['400 for an unknown compression', `${LINK}/csv?compression=zstd`, 400, 'invalid_request'],
    ['404 for an invalid id', '/marketplace/..%2Fsingle/download/csv', 404, 'not_found'],
  ])('returns %s', async (_, path, status, code) => {
    const answer = await get(path);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
  });

  it('returns 403 without the permission or a grant, 409 for an unpublished datamap, and 400 for a failing query', async () => {
    for (const role of ['auditor', 'steward']) {
      const credential = basicOf(await hosts.build.user(hosts.acme, { roles: [role] }));
      expect((await ask('GET', `${LINK}/csv`, { credential })).status).toBe(403);
    }
    const datamap_id = await publishDatamap(hosts, hosts.acme, ITEMS);
    await ask('POST', '/marketplace', {
      credential: admin,
      body: { id: 'withdrawn', title: 'W', queries: [{ name: 'one', datamap_id }] },
    });
    await hosts.rows(`update datamaps set state = 'IN_PROGRESS' where fact_id = $1`, [datamap_id]);
    for (const method of ['GET', 'HEAD'])
      expect((await ask(method, '/marketplace/withdrawn/download/csv', { credential: admin })).status).toBe(409);
    await createItem(hosts, admin, { id: 'erring', queries: { first: FAILS_AT_ONCE } });
    expect((await get('/marketplace/erring/download/csv')).status).toBe(400);
  });

  it('returns 404 to a user of another tenant', async () => {
    const credential = { ...basicOf(await hosts.build.user(hosts.globex)), host: 'globex-stream.localhost' };
    expect((await ask('GET', `${LINK}/csv`, { credential })).status).toBe(404);
  });
});

describe('HEAD /marketplace/{id}/download/{format}', () => {
  it.each(['csv', 'xlsx', 'json'])('returns the headers of the file as %s and runs nothing', async (format) => {
    const own = await hosts.build.user(hosts.acme);
    const headed = await ask('HEAD', `${LINK}/${format}`, { credential: basicOf(own) });
    expect(await recordsOf(own.email)).toEqual([]);
    const answer = await ask('GET', `${LINK}/${format}`, { credential: basicOf(own) });
    const perResponse = new Set([
      'date',
      'x-request-id',
      'x-query-id',
      'connection',
      'keep-alive',
      'transfer-encoding',
    ]);
    const comparable = ({ headers }: typeof headed) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !perResponse.has(name)));
    expect([headed.status, headed.bytes.length]).toEqual([200, 0]);
    expect(comparable(headed)).toEqual(comparable(answer));
    expect([headed.headers['x-query-id'], headed.headers['content-length']]).toEqual([undefined, undefined]);
  });

  it('fails as GET does', async () => {
    const statusOf = async (path: string, credential: Credential = ann) =>
      (await ask('HEAD', path, { credential })).status;
    const auditor = basicOf(await hosts.build.user(hosts.acme, { roles: ['auditor'] }));
    expect([
      await statusOf('/marketplace/nope/download/csv'),
      await statusOf('/marketplace/single/download/pdf'),
      await statusOf(`${LINK}/csv`, {}),
      await statusOf(`${LINK}/csv`, auditor),
    ]).toEqual([404, 400, 401, 403]);
  });
});
