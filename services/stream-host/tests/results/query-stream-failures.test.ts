import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basic,
  basicOf,
  bearer,
  type Credential,
  eventsOf,
  idtoken,
  logIn,
  post,
  queryIdOf,
  receiptOf,
  sha256Of,
} from '@sluice/testkit/requests';
import { ENDLESS, FAILING_ROW, FAILS_LATE, MISSPELT } from '@sluice/testkit/statements';

let hosts: TestHosts;
let ann: Credential;
let tenantWithTimeLimit: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  const tenant = await hosts.build.tenant({ name: 'time-limited', settings: { queryTimeLimitMs: 2000 } });
  tenantWithTimeLimit = { ...basicOf(await hosts.build.user(tenant)), host: 'time-limited-stream.localhost' };
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const query = (body: unknown, headers: Credential = ann): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, body, headers);

describe('POST /query fails before the first row', () => {
  it.each([
    [MISSPELT.sql, 'SYNTAX_ERROR', { line: 1, column: MISSPELT.column }],
    ['SELECT *\nFROM nowhere', 'TABLE_NOT_FOUND', { line: 2, column: 6 }],
    ['SELECT id,\n  wrong FROM items', 'COLUMN_NOT_FOUND', { line: 2, column: 3 }],
    ['SELECT nofunction(1)', 'FUNCTION_NOT_FOUND', undefined],
    ['SELECT count(*) FROM items WHERE count(*) > 1', 'SEMANTIC_ERROR', undefined],
    ["SELECT CAST('x' AS INTEGER)", 'DATA_ERROR', undefined],
    ['DELETE FROM items', 'READ_ONLY', undefined],
    ['SELECT 1; SELECT 2', 'READ_ONLY', undefined],
    [';', 'SYNTAX_ERROR', undefined],
    ['-- nothing', 'SYNTAX_ERROR', undefined],
  ] as const)('%s: with one error event, %s', async (sql, code, location) => {
    const answer = await query({ sql });
    expect(answer.status).toBe(200);
    const events = await eventsOf(answer);
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code,
      query_id: queryIdOf(answer),
      error: expect.any(String),
    });
    expect(events.filter(({ type }) => type === 'error' || type === 'complete')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'row')).toHaveLength(0);
    if (location !== undefined) expect(events.at(-1)).toMatchObject({ location });
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FAILED',
      rows: 0,
      bytes: answer.bytes.length,
      sha256: sha256Of(answer.bytes),
      error: { code, message: events.at(-1)?.['error'] },
    });
  });
});

describe('POST /query fails after the first row', () => {
  it('with rows, then one error event with the engine’s message, and no complete', async () => {
    const answer = await query({ sql: FAILS_LATE });
    const events = await eventsOf(answer);
    const rows = events.filter(({ type }) => type === 'row');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(FAILING_ROW + 1);
    expect(events).toHaveLength(rows.length + 2);
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'DATA_ERROR', query_id: queryIdOf(answer) });
    expect(events.at(-1)?.['error']).toContain(`boom at ${FAILING_ROW}`);
    expect(await receiptOf(hosts.url, queryIdOf(answer), ann)).toMatchObject({
      state: 'FAILED',
      rows: rows.length,
      sha256: sha256Of(answer.bytes),
      error: { code: 'DATA_ERROR' },
    });
  });
});

describe('POST /query ends at its time limit', () => {
  it('with TIME_LIMIT instead of a partial success', async () => {
    const answer = await query({ sql: `SELECT 1 AS n UNION ALL ${ENDLESS}` }, tenantWithTimeLimit);
    const events = await eventsOf(answer);
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'TIME_LIMIT' });
    expect(events.filter(({ type }) => type === 'error' || type === 'complete')).toHaveLength(1);
    expect(await receiptOf(hosts.url, queryIdOf(answer), tenantWithTimeLimit)).toMatchObject({
      state: 'FAILED',
      sha256: sha256Of(answer.bytes),
    });
  });
});

describe('POST /query rejects', () => {
  it('an account after too many wrong passwords with 429, and no other account', async () => {
    const user = await hosts.build.user(hosts.acme);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const answer = await query({ sql: 'SELECT 1' }, basic(user.email, `wrong ${attempt}`));
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(statuses.at(-1)).toBe(429);
    expect((await query({ sql: 'SELECT 1' })).status).toBe(200);
  });

  it('an invalid body and names all invalid fields', async () => {
    const answer = await query({ sql: ' ', size: 0, progress: 1, big_numbers: 'text', time_zone: '+02:00', limit: 5 });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.body).toMatchObject({ error: 'invalid_request', message: expect.any(String) });
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    expect(answer.body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'body.big_numbers',
      'body.limit',
      'body.progress',
      'body.size',
      'body.sql',
      'body.time_zone',
    ]);
  });

  it('a missing, malformed, wrong or misplaced credential with 401 and a challenge', async () => {
    const tokens = await logIn(hosts, hosts.ann);
    const [head = '', payload = '', signature = ''] = tokens.id_token.split('.');
    const wrong: Credential[] = [
      {},
      { authorization: 'Basic !' },
      { authorization: 'Digest x' },
      basic(hosts.ann.email, 'wrong'),
      basic('nobody@acme.example', 'wrong'),
      idtoken('not-a-token'),
      idtoken(`${head}.${payload}.${signature.split('').reverse().join('')}`),
      idtoken(tokens.access_token),
      bearer(tokens.id_token),
      bearer(tokens.refresh_token),
    ];
    for (const credential of wrong) {
      const answer = await query({ sql: ' ', wrong: true }, credential);
      expect([credential, answer.status]).toEqual([credential, 401]);
      expect(answer.body).toMatchObject({ error: 'unauthorized' });
      expect(answer.headers['www-authenticate']).toBe(
        `Basic realm="sluice", charset="UTF-8", Bearer realm="sluice", resource_metadata="${hosts.url}/.well-known/oauth-protected-resource"`,
      );
      expect(answer.headers['x-query-id']).toBeUndefined();
    }
  });

  it('two credentials with 400', async () => {
    const tokens = await logIn(hosts, hosts.ann);
    const answer = await query({ sql: 'SELECT 1' }, { ...ann, ...idtoken(tokens.id_token) });
    expect([answer.status, answer.body.error]).toEqual([400, 'ambiguous_credentials']);
  });

  it('a caller without query:run with 403 before it validates the body', async () => {
    const auditor = await hosts.build.user(hosts.acme, { roles: ['auditor'] });
    const answer = await query({ wrong: true }, basicOf(auditor));
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
    expect(answer.body.message).toContain('query:run');
  });

  it('other media types, compressed bodies and bodies over 2 MiB', async () => {
    const sql = JSON.stringify({ sql: 'SELECT 1' });
    expect((await query(sql, { ...ann, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await query(sql, { ...ann, 'content-encoding': 'gzip' })).status).toBe(415);
    const large = await query({ sql: 'SELECT 1', more: 'x'.repeat(2 * 1024 * 1024) });
    expect([large.status, large.body.error]).toEqual([413, 'payload_too_large']);
  });
});
