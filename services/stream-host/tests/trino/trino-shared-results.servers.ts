import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createResourceStack } from '@sluice/host-runtime';
import { type BuiltUser, send } from '@sluice/testkit';
import { startHosts, startSecuredTrino, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';

const NO_COLLECTOR = 'http://127.0.0.1:9/v1/traces';

let hosts: TestHosts;
let ann: Credential;
/** Has the rights of Ann at Trino. */
let bob: BuiltUser;
/** May not read the table `nation` at Trino (deploy/components/trino-security.mjs). */
let denied: BuiltUser;
const resources = createResourceStack();
beforeAll(async () => {
  const trino = resources.add(await startSecuredTrino(NO_COLLECTOR, 'shared results'));
  const folder = await mkdtemp(join(tmpdir(), 'sluice-shared-'));
  resources.add({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  const engine = { url: trino.url, ca: trino.authority, ...trino.first, catalogs: ['tpch'], schema: 'tiny' };
  hosts = resources.add(
    await startHosts(
      {
        ENGINE_URL: trino.url,
        ENGINE_CA: trino.authority,
        ENGINE_TENANTS: JSON.stringify({ acme: engine }),
        RESULT_FOLDER: folder,
        RESULT_KEY: randomBytes(32).toString('base64'),
        RESULT_KEEP_MAX: '1h',
      },
      { engine: 'duckdb' },
    ),
  );
  ann = basicOf(hosts.ann);
  bob = await hosts.build.user(hosts.acme);
  denied = await hosts.build.user(hosts.acme, { email: `denied-${randomBytes(4).toString('hex')}@acme.example` });
}, 360_000);
afterAll(async () => await resources[Symbol.asyncDispose](), 120_000);

/** Keeps a result of Ann and shares it with both others. */
async function keepAndShare(sql: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const answer = await post(`${hosts.url}/query`, { sql, parameters, keep: '1h' }, ann);
  expect((await eventsOf(answer)).at(-1)).toMatchObject({ kept_until: expect.any(Number) });
  const id = queryIdOf(answer);
  const shares = [bob, denied].map(({ email }) => ({ kind: 'user', name: email }));
  const shared = await send(`${hosts.url}/query/${id}/share`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...ann },
    body: JSON.stringify({ shares }),
  });
  expect(shared.status).toBe(200);
  return id;
}

const view = (id: string, viewer: BuiltUser, path = 'rows') =>
  send(`${hosts.url}/query/${id}/${path}`, { headers: basicOf(viewer) });

const NATIONS = 'SELECT n_name AS name FROM nation WHERE n_regionkey = $region ORDER BY n_name LIMIT 2';

it('a viewer whom Trino denies a table gets 403, although the result is shared', async () => {
  const direct = await post(`${hosts.url}/query`, { sql: 'SELECT n_name FROM nation' }, basicOf(denied));
  expect((await eventsOf(direct)).at(-1)).toMatchObject({ type: 'error', code: 'PERMISSION_DENIED' });
  const id = await keepAndShare(NATIONS, { region: 3 });
  expect((await view(id, bob)).body.data).toEqual([{ name: 'FRANCE' }, { name: 'GERMANY' }]);
  for (const path of ['rows', 'result']) {
    const answer = await view(id, denied, path);
    expect([path, answer.status, answer.body.error]).toEqual([path, 403, 'access_denied']);
    expect(answer.body.message).toMatch(/^The engine denies you the statement of this result/);
    expect(answer.text).not.toMatch(/nation|FRANCE/);
  }
  const views = await hosts.rows(
    `select user_name from audit_log where action = 'READ_RESULT' and query_id = $1 order by occurred`,
    [id],
  );
  expect(views).toEqual([{ user_name: bob.email }]);
});

it('the same viewer sees the results of tables to which Trino gives rights', async () => {
  const id = await keepAndShare('SELECT r_name AS name FROM region ORDER BY r_regionkey LIMIT 1');
  for (const viewer of [bob, denied]) expect((await view(id, viewer)).body.data).toEqual([{ name: 'AFRICA' }]);
  const joined = await keepAndShare('SELECT count(*) AS n FROM region JOIN nation ON n_regionkey = r_regionkey');
  expect((await view(joined, bob)).body.data).toEqual([{ n: 25 }]);
  expect((await view(joined, denied)).status).toBe(403);
});

it('a result of a statement without rows of tables can be shared too', async () => {
  const id = await keepAndShare('SHOW TABLES FROM tiny');
  expect((await view(id, bob)).status).toBe(200);
});
