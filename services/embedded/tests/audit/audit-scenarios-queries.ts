import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { STATEMENT_BYTES_MAX } from '@sluice/contract';
import { buildCaller, type ReceivedResponse, send } from '@sluice/testkit';
import { declareParameters, publishDatamap } from '@sluice/testkit/fixtures';
import type { TestHosts } from '@sluice/testkit/hosts';
import { basicOf, bearer, clientToken, post, queryIdOf, sha256Of } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import {
  type Actor,
  anonymous,
  type ExpectedRecord,
  type ScenarioRunner,
  type Scenarios,
  sessionOf,
} from './scenario-runner.ts';

const SQL = 'SELECT * FROM items ORDER BY id';
/** All items, with a parameter. */
const FILTERED = { sql: 'SELECT * FROM items WHERE id > $low ORDER BY id', parameters: { low: 0 } };

/** Catalog and schema of names that have none. */
const IN_SHOP = { catalog: 'shop', schema: 'main' };

/** Expected record of a query whose response was read to its end. */
const finished = (answer: ReceivedResponse, metadata: object, isLimited: boolean): ExpectedRecord => ({
  target: queryIdOf(answer),
  queryId: queryIdOf(answer),
  metadata: { sql: SQL, tables_read: ['shop.main.items'], ...metadata },
  outcome: {
    state: 'FINISHED',
    rows: isLimited ? 2 : 3,
    bytes: answer.bytes.length,
    sha256: sha256Of(answer.bytes),
    limited: isLimited,
    duration_ms: expect.any(Number),
    error: null,
  },
});

/** Runs a statement of a Trino client, whose outcome is recorded after the answer to it, and cancels it. */
async function runThroughDoor(act: ScenarioRunner['act'], by: Actor): Promise<void> {
  const answer = await act({
    action: 'RUN_QUERY',
    by,
    host: 'stream',
    path: '/v1/statement',
    text: ENDLESS,
    headers: {
      'x-trino-source': 'a tool',
      'x-trino-client-info': 'version 1',
      'x-trino-client-tags': 'nightly',
      'x-trino-trace-token': 'trace-1',
      'x-trino-transaction-id': 'transaction-1',
    },
    record: (sent) => ({
      target: queryIdOf(sent),
      queryId: queryIdOf(sent),
      metadata: {
        ...{ sql: ENDLESS, tables_read: [], format: 'trino', keep: '10m' },
        ...{ source: 'a tool', client_info: 'version 1', client_tags: ['nightly'] },
        ...{ trace_token: 'trace-1', transaction: 'transaction-1' },
      },
    }),
  });
  const { nextUri } = answer.body as { readonly nextUri: string };
  expect((await send(nextUri, { method: 'DELETE', headers: { ...by.credential } })).status).toBe(204);
}

/** Runs queries with each kind of credential: an ID token, Basic and a client's access token. */
export const queryScenarios: Scenarios = {
  async RUN_QUERY({ act, person, hosts }) {
    const query = { action: 'RUN_QUERY', host: 'stream', path: '/query', body: { sql: SQL, size: 2 } } as const;
    const record = (answer: ReceivedResponse) => finished(answer, { format: 'sse', size: 2 }, true);
    await act({ ...query, by: await person(['analyst']), record });
    const ann = { name: hosts.ann.email, credential: basicOf(hosts.ann), sessionId: null };
    await act({ ...query, by: ann, record });
    const kept = (answer: ReceivedResponse) => finished(answer, { format: 'sse', size: 2, keep: '1h' }, true);
    await act({ ...query, body: { ...query.body, keep: '1h' }, by: ann, record: kept });
    const withParameters = (answer: ReceivedResponse) =>
      finished(answer, { ...FILTERED, format: 'sse', size: 2 }, true);
    await act({ ...query, body: { ...FILTERED, size: 2 }, by: ann, record: withParameters });
    const named = (answer: ReceivedResponse) => finished(answer, { ...IN_SHOP, format: 'sse', size: 2 }, true);
    await act({ ...query, body: { ...query.body, ...IN_SHOP }, by: ann, record: named });
    const client = await hosts.build.client(hosts.acme);
    const token = await clientToken(hosts, client);
    await act({
      ...query,
      by: { name: client.clientId, credential: bearer(token), sessionId: sessionOf(token) },
      record,
    });
    await runThroughDoor(act, ann);
  },
  async DOWNLOAD_QUERY({ act, person }) {
    const by = await person(['analyst']);
    for (const format of ['csv', 'json', 'xlsx']) {
      await act({
        action: 'DOWNLOAD_QUERY',
        by,
        host: 'stream',
        path: `/query/download/${format}`,
        body: { sql: SQL, filename: 'all items' },
        record: (answer) => finished(answer, { format, filename: 'all items' }, false),
      });
    }
    await act({
      action: 'DOWNLOAD_QUERY',
      by,
      host: 'stream',
      path: '/query/download/csv',
      body: { ...FILTERED, filename: 'some items' },
      record: (answer) => finished(answer, { ...FILTERED, format: 'csv', filename: 'some items' }, false),
    });
    await act({
      action: 'DOWNLOAD_QUERY',
      by,
      host: 'stream',
      path: '/query/download/csv',
      body: { sql: SQL, filename: 'kept items', keep: '1h' },
      record: (answer) => finished(answer, { format: 'csv', filename: 'kept items', keep: '1h' }, false),
    });
    await act({
      action: 'DOWNLOAD_QUERY',
      by,
      host: 'stream',
      path: '/query/download/csv',
      body: { sql: SQL, filename: 'shop items', ...IN_SHOP },
      record: (answer) => finished(answer, { ...IN_SHOP, format: 'csv', filename: 'shop items' }, false),
    });
  },
  async DOWNLOAD_DATAMAP({ act, person, hosts }) {
    const id = await publishDatamap(hosts, hosts.acme, FILTERED.sql);
    await declareParameters(hosts, id, [{ name: 'low', type: 'bigint' }]);
    await act({
      action: 'DOWNLOAD_DATAMAP',
      by: await person(['analyst']),
      host: 'stream',
      path: `/datamap/${id}/download/csv?p.low=0`,
      record: (answer) => ({
        ...finished(answer, { ...FILTERED, datamap_id: id, format: 'csv' }, false),
        target: id,
      }),
    });
  },
  async READ_RESULT({ act, person, hosts }) {
    const by = await person(['analyst']);
    const id = queryIdOf(await post(`${hosts.url}/query`, { sql: SQL, keep: '1h' }, by.credential));
    await act({
      action: 'READ_RESULT',
      by,
      host: 'stream',
      method: 'GET',
      path: `/query/${id}/rows?from=1&size=2`,
      record: () => ({ target: id, queryId: id, metadata: { from: 1, size: 2, tables_read: ['shop.main.items'] } }),
    });
    await act({
      action: 'READ_RESULT',
      by,
      host: 'stream',
      method: 'GET',
      path: `/query/${id}/events?after=1`,
      record: () => ({ target: id, queryId: id, metadata: { after: 1, tables_read: ['shop.main.items'] } }),
    });
    await act({
      action: 'READ_RESULT',
      by,
      host: 'stream',
      path: '/query',
      body: { sql: SQL, reuse: '15m' },
      record: () => ({ target: id, queryId: id, metadata: { reuse: '15m', tables_read: ['shop.main.items'] } }),
    });
  },
  async DOWNLOAD_RESULT({ act, person, hosts }) {
    const by = await person(['analyst']);
    const id = queryIdOf(await post(`${hosts.url}/query`, { sql: SQL, keep: '1h' }, by.credential));
    const path = `/query/${id}/download/csv?filename=items`;
    const metadata = { format: 'csv', filename: 'items', tables_read: ['shop.main.items'] };
    const download = { action: 'DOWNLOAD_RESULT', by, host: 'stream', method: 'GET', path } as const;
    await act({ ...download, record: () => ({ target: id, queryId: id, metadata }) });
    await act({
      ...download,
      headers: { range: 'bytes=2-5' },
      status: 206,
      record: () => ({ target: id, queryId: id, metadata: { ...metadata, range: '2-5' } }),
    });
  },
  async SHARE_RESULT({ act, person, hosts }) {
    const by = await person(['analyst']);
    const id = queryIdOf(await post(`${hosts.url}/query`, { sql: SQL, keep: '1h' }, by.credential));
    const share = { kind: 'role', name: 'auditor' };
    const change = { action: 'SHARE_RESULT', by, host: 'stream', method: 'PUT', path: `/query/${id}/share` } as const;
    const record = (before: object[], after: object[]) => () => ({
      target: id,
      queryId: id,
      metadata: { before, after },
    });
    await act({ ...change, body: { shares: [share] }, record: record([], [share]) });
    await act({ ...change, body: { shares: [] }, record: record([share], []) });
  },
  async DELETE_RESULT({ act, person, hosts }) {
    const by = await person(['analyst']);
    const id = queryIdOf(await post(`${hosts.url}/query`, { sql: SQL, keep: '1h' }, by.credential));
    await act({
      action: 'DELETE_RESULT',
      by,
      host: 'stream',
      method: 'DELETE',
      path: `/query/${id}/result`,
      status: 204,
      record: () => ({ target: id, queryId: id, metadata: {} }),
    });
  },
  async CREATE_TICKET({ act, person }) {
    const path = '/query/download/csv';
    await act({
      action: 'CREATE_TICKET',
      by: await person(['analyst']),
      host: 'stream',
      path: '/tickets',
      body: { method: 'POST', path, body: { sql: SQL } },
      status: 201,
      record: ({ body }) => ({ target: body.query_id, metadata: { method: 'POST', path } }),
    });
  },
  async LIMIT_STATEMENTS({ act, person, hosts }) {
    const by = await person(['analyst']);
    const { statementBudget } = hosts.stream.context;
    const { principal, ...caller } = buildCaller(by.id);
    const account = { ...caller, principal: { ...principal, tenant: hosts.acme } };
    statementBudget.begins(account, { sql: ' '.repeat(STATEMENT_BYTES_MAX) });
    await act({
      action: 'LIMIT_STATEMENTS',
      by,
      host: 'stream',
      path: '/query',
      body: { sql: SQL },
      status: 429,
      record: () => ({
        target: by.name,
        metadata: { bytes_max: STATEMENT_BYTES_MAX, retry_after_seconds: expect.any(Number) },
      }),
    });
  },
  async ACCESS_DENIED({ act, person, hosts }) {
    const auditor = await person(['auditor']);
    const denied = (permission: string, target: string) => () => ({ target, metadata: { permission } });
    await act({
      action: 'ACCESS_DENIED',
      by: auditor,
      host: 'stream',
      path: '/query',
      body: { sql: SQL },
      status: 403,
      record: denied('query:run', 'streamQuery'),
    });
    const owner = await person(['analyst']);
    await act({
      action: 'ACCESS_DENIED',
      by: owner,
      path: '/audits/logs/search',
      body: {},
      status: 403,
      record: denied('audit:read', 'searchAuditLogs'),
    });
    await act({
      action: 'ACCESS_DENIED',
      by: owner,
      host: 'stream',
      path: '/v1/statement',
      text: SQL,
      headers: { 'x-trino-user': 'another@example.com' },
      status: 403,
      record: () => ({ target: 'beginStatement', metadata: { as_user: 'another@example.com' } }),
    });
    const { clientId, secret } = await hosts.build.client(hosts.acme);
    await act({
      action: 'ACCESS_DENIED',
      by: anonymous(clientId),
      path: '/auth/acme/oauth2/introspect',
      form: { token: 'x', client_id: clientId, client_secret: secret },
      status: 403,
      record: () => ({ target: 'introspectToken', metadata: { reason: 'may_introspect' } }),
    });
    // The owner of a datamap may import, but not when all objects belong to others.
    await makeDatamap(hosts, owner.id);
    const id = await makeDatamap(hosts, randomUUID());
    await act({
      action: 'ACCESS_DENIED',
      by: owner,
      path: '/metadata/import',
      body: { metadata_objects: [{ type: 'DATAMAP', id, description: 'not mine' }] },
      status: 403,
      record: () => ({
        target: id,
        metadata: { dry_run: false, objects: [expect.objectContaining({ id, success: false })] },
      }),
    });
  },
};

async function makeDatamap(hosts: TestHosts, ownerId: string): Promise<string> {
  const id = randomUUID();
  const { id: tenantId } = hosts.acme;
  await hosts.rows(`insert into facts (tenant_id, fact_id, type) values ($1, $2, 'DATAMAP')`, [tenantId, id]);
  await hosts.rows(
    `insert into datamaps (tenant_id, fact_id, name, display_name, state, owner_kind, owner_id, owner_name, created_by)
     values ($1, $2, 'map', 'Map', 'PUBLISHED', 'user', $3, 'somebody', 'test')`,
    [tenantId, id, ownerId],
  );
  return id;
}
