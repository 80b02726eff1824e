import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BuiltUser } from '@sluice/testkit';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, bearer, type Credential, idtoken, logIn, post } from '@sluice/testkit/requests';

let hosts: TestHosts;
let gus: BuiltUser;

beforeAll(async () => {
  hosts = await startHosts({ TENANT_ORIGINS: 'https://{tenant}-api.example.com' });
  gus = await hosts.build.user(hosts.globex);
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const at = (tenant: string): Credential => ({ host: `${tenant}-stream.localhost` });
const query = (sql: string, headers: Credential): Promise<ReceivedResponse> =>
  post(`${hosts.url}/query`, { sql }, headers);

describe('the tenant of a request', () => {
  it('is that of the host name, where credentials of another tenant are 401', async () => {
    const ofGlobex = await logIn(hosts, gus, 'globex');
    for (const credential of [idtoken(ofGlobex.id_token), bearer(ofGlobex.access_token), basicOf(gus)]) {
      expect((await query('SELECT 1', { ...credential, ...at('globex') })).status).toBe(200);
      const otherTenant = await query('SELECT 1', { ...credential, ...at('acme') });
      expect([otherTenant.status, otherTenant.body.error]).toEqual([401, 'unauthorized']);
    }
    expect((await query('SELECT 1', { ...basicOf(hosts.ann), ...at('globex') })).status).toBe(401);
  });

  it('is that of the token when the host name has none, and the default tenant for Basic', async () => {
    const { id_token } = await logIn(hosts, gus, 'globex');
    expect((await query('SELECT 1', idtoken(id_token))).status).toBe(200);
    expect((await query('SELECT 1', basicOf(hosts.ann))).status).toBe(200);
    expect((await query('SELECT 1', basicOf(gus))).status).toBe(401);
    const [record] = await hosts.rows<{ tenant_id: string }>(
      `select tenant_id from audit_log where action = 'RUN_QUERY' and user_name = $1 limit 1`,
      [gus.email],
    );
    expect(record?.tenant_id).toBe(hosts.globex.id);
  });

  it('is 404 for an unknown name, with and without a credential', async () => {
    for (const headers of [{}, basicOf(hosts.ann)]) {
      const answer = await query('SELECT 1', { ...headers, ...at('unknown') });
      expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
    }
    expect((await send(`${hosts.url}/query`, { headers: at('-') })).status).toBe(404);
  });

  it('ignores X-Forwarded-Host of an untrusted proxy', async () => {
    const headers = { ...basicOf(hosts.ann), ...at('acme'), 'x-forwarded-host': 'globex-stream.localhost' };
    expect((await query('SELECT 1', headers)).status).toBe(200);
  });
});

describe('CORS', () => {
  const ORIGIN = 'https://acme-api.example.com';

  it('lets pages of the tenant’s own hosts read responses, errors included', async () => {
    const preflight = await send(`${hosts.url}/query`, {
      method: 'OPTIONS',
      headers: { ...at('acme'), origin: ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST, GET, HEAD, OPTIONS',
      'access-control-max-age': '600',
    });
    expect(preflight.headers.vary).toContain('Origin');
    for (const [body, credential] of [
      ['{"sql":"SELECT 1"}', basicOf(hosts.ann)],
      ['{"sql":""}', basicOf(hosts.ann)],
      ['{"sql":"SELECT 1"}', {}],
    ] as const) {
      const answer = await post(`${hosts.url}/query`, body, { ...credential, ...at('acme'), origin: ORIGIN });
      expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
      expect(answer.headers['access-control-expose-headers']).toContain('x-query-id');
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('lets no other origin read responses', async () => {
    for (const origin of ['https://evil.test', 'null', 'https://globex-api.example.com', `${ORIGIN}.evil.test`]) {
      const answer = await query('SELECT 1', { ...basicOf(hosts.ann), ...at('acme'), origin });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('challenges browsers with Bearer only, so that no password prompt opens', async () => {
    const answer = await query('SELECT 1', { 'sec-fetch-mode': 'cors' });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="sluice", resource_metadata="[^"]+"$/);
  });
});
