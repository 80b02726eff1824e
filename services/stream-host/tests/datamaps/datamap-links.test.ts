import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, until } from '@sluice/testkit';
import { publishDatamap } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, queryIdOf, receiptOf, sha256Of } from '@sluice/testkit/requests';
import { FAILS_AT_ONCE } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ann: Credential;
let id: string;
const ITEMS = 'SELECT * FROM items ORDER BY id';
const ITEMS_CSV = 'id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n';
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  id = await publishDatamap(hosts, hosts.acme, ITEMS);
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const ask = (path: string, headers: Credential = ann, method = 'GET') =>
  send(`${hosts.url}${path}`, { method, headers: { ...headers } });
const actionsOf = async (user: string): Promise<string[]> =>
  (await hosts.rows<{ action: string }>('select action from audit_log where user_name = $1', [user])).map(
    ({ action }) => action,
  );

describe('GET /datamap/{id}/download/{format}', () => {
  it('returns the result of a published datamap in every format, named after it', async () => {
    const csv = await ask(`/datamap/${id}/download/csv`);
    expect([csv.status, csv.text]).toEqual([200, ITEMS_CSV]);
    expect(csv.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-disposition': 'attachment; filename=map.csv',
    });
    for (const format of ['json', 'ndjson', 'xlsx', 'parquet']) {
      const answer = await ask(`/datamap/${id}/download/${format}`);
      expect([answer.status, answer.headers['content-disposition']]).toEqual([
        200,
        `attachment; filename=map.${format}`,
      ]);
    }
  });

  it('writes one record with the SQL that ran, has a receipt, and counts a query of the datamap', async () => {
    const [before] = await hosts.rows<{ query_count: string }>(
      'select query_count from fact_counters where fact_id = $1',
      [id],
    );
    const answer = await ask(`/datamap/${id}/download/csv`);
    const queryId = queryIdOf(answer);
    expect(await receiptOf(hosts.url, queryId, ann)).toMatchObject({
      state: 'FINISHED',
      rows: 3,
      sha256: sha256Of(answer.bytes),
    });
    const records = await hosts.rows(
      'select action, target, metadata from audit_log where query_id = $1 and record_id is null',
      [queryId],
    );
    expect(records).toEqual([
      {
        action: 'DOWNLOAD_DATAMAP',
        target: id,
        metadata: { sql: ITEMS, datamap_id: id, format: 'csv', tables_read: ['shop.main.items'] },
      },
    ]);
    await until(
      async () => {
        const [now] = await hosts.rows<{ query_count: string }>(
          'select query_count from fact_counters where fact_id = $1',
          [id],
        );
        return Number(now?.query_count) > Number(before?.query_count) ? true : undefined;
      },
      { what: 'a query in the counters' },
    );
  });

  it('is in the history of its caller, without the SQL of the datamap', async () => {
    const own = basicOf(await hosts.build.user(hosts.acme));
    const query_id = queryIdOf(await ask(`/datamap/${id}/download/csv`, own));
    const history = await ask('/query/history?kind=DATAMAP', own);
    expect(history.body.data).toEqual([
      expect.objectContaining({
        query_id,
        kind: 'DATAMAP',
        sql: null,
        item_id: null,
        datamap_id: id,
        state: 'FINISHED',
      }),
    ]);
    expect((await ask(`/query/history?q=${id.slice(0, 13)}`, own)).body.data).toHaveLength(1);
    expect((await ask('/query/history?kind=MARKETPLACE', own)).body.data).toEqual([]);
  });

  it('keeps path separators and control characters out of the file name', async () => {
    const named = await publishDatamap(hosts, hosts.acme, 'SELECT 1 AS one');
    await hosts.rows('update datamaps set name = $2 where fact_id = $1', [named, '../../Umsätze "1"\r\nx: y']);
    const answer = await ask(`/datamap/${named}/download/csv`);
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename=".._.._Ums_tze _1___x: y.csv"; filename*=UTF-8''.._.._Ums%C3%A4tze%20%221%22__x%3A%20y.csv`,
    );
    expect(answer.headers['x']).toBeUndefined();
  });

  it('returns the same 404 for an unknown datamap, one that is not published, and one of another tenant', async () => {
    const draft = await publishDatamap(hosts, hosts.acme, ITEMS);
    await hosts.rows(`update datamaps set state = 'IN_PROGRESS' where fact_id = $1`, [draft]);
    const others = await publishDatamap(hosts, hosts.globex, ITEMS);
    for (const wanted of [randomUUID(), draft, others, 'no-uuid', '..%2F..%2Fetc']) {
      const answer = await ask(`/datamap/${wanted}/download/csv`);
      expect([answer.status, answer.body.message]).toEqual([404, 'There is no published datamap with this id.']);
    }
  });

  it('returns 403 without query:run or datamap:read, 401 without a credential, and records the rejections', async () => {
    const runner = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    const role = `runs-${randomUUID()}`;
    await hosts.rows('insert into roles (tenant_id, name, permissions) values ($1, $2, $3)', [
      hosts.acme.id,
      role,
      ['query:run'],
    ]);
    const reader = await hosts.build.user(hosts.acme, { roles: [role] });
    for (const [user, permission] of [
      [runner, 'query:run'],
      [reader, 'datamap:read'],
    ] as const) {
      const answer = await ask(`/datamap/${id}/download/csv`, basicOf(user));
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining(permission)]);
      expect(await actionsOf(user.email)).toEqual(['ACCESS_DENIED']);
    }
    expect((await ask(`/datamap/${id}/download/csv`, {})).status).toBe(401);
  });

  it('rejects Basic of a page of another site', async () => {
    const answer = await ask(`/datamap/${id}/download/csv`, { ...ann, 'sec-fetch-site': 'cross-site' });
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
  });

  it.each([
    ['400 for an unknown format', 'download/pdf', 400],
    ['400 for a parameter that the datamap does not declare', 'download/csv?p.region=EU', 400],
    ['400 for another key', 'download/csv?size=1', 400],
    ['405 for POST', 'download/csv', 405],
  ])('returns %s', async (_, path, status) => {
    expect((await ask(`/datamap/${id}/${path}`, ann, status === 405 ? 'POST' : 'GET')).status).toBe(status);
  });

  it('returns the error of the engine as the download of a query does, and 409 without SQL', async () => {
    const erring = await publishDatamap(hosts, hosts.acme, FAILS_AT_ONCE);
    const answer = await ask(`/datamap/${erring}/download/json`);
    expect([answer.status, answer.body.code, answer.body.query_id]).toEqual([400, 'DATA_ERROR', queryIdOf(answer)]);
    await hosts.rows('update datamaps set sql = null where fact_id = $1', [erring]);
    expect((await ask(`/datamap/${erring}/download/json`)).status).toBe(409);
  });
});

describe('HEAD /datamap/{id}/download/{format}', () => {
  it('returns the headers of the file and runs nothing', async () => {
    const own = await hosts.build.user(hosts.acme);
    const answer = await ask(`/datamap/${id}/download/parquet`, basicOf(own), 'HEAD');
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-disposition': 'attachment; filename=map.parquet',
    });
    expect([answer.headers['x-query-id'], answer.headers['content-length']]).toEqual([undefined, undefined]);
    expect(await actionsOf(own.email)).toEqual([]);
    expect((await ask(`/datamap/${randomUUID()}/download/csv`, ann, 'HEAD')).status).toBe(404);
  });
});
