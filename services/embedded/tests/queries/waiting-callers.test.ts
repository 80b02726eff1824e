import { request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, type ReceivedResponse, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  listOf,
  logIn,
  post,
  startQuery,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

const PASSWORD = 'a password of many characters';
/** Longer than the time after which a waiting caller is revalidated. */
const WAIT_MS = 1_500;

/** Matches the row of the waiting query in any format. An id may contain the same digits. */
const ROW = /"n":4711|^"?4711"?$/m;

let hosts: TestHosts;
let admin: Credential;
beforeAll(async () => {
  hosts = await startHosts({ WORKERS_MAX: '1', WORKERS_WARM: '1', QUEUE_TIMEOUT: '30s', DATABASE_TIMEOUT: '20s' });
  admin = idtoken((await logIn(hosts, await hosts.build.user(hosts.acme, { roles: ['admin'] }))).id_token);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
});

const sendJson = (
  url: string,
  method: string,
  { body, credential = {} }: { body?: unknown; credential?: Credential },
) =>
  send(url, {
    method,
    headers: { ...credential, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const callAdmin = async (method: string, path: string, body?: unknown) => {
  const answer = await until(
    async () => {
      const answer = await sendJson(`${hosts.api.url}/admin${path}`, method, { body, credential: admin });
      // A busy database has changed nothing, so the request is repeated, as clients do.
      return answer.status === 503 ? undefined : answer;
    },
    { what: 'a response' },
  );
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
};

const createUser = async (): Promise<BuiltUser> => {
  const email = `made-${Math.random().toString(36).slice(2)}@example.com`;
  const { id } = await callAdmin('POST', '/users', { email, roles: ['analyst'], password: PASSWORD });
  return { id, email, password: PASSWORD };
};

/** Makes a change while requests wait for the only worker, releases it after WAIT_MS, and returns their responses. */
async function whileWaiting(
  credential: Credential,
  change: () => Promise<unknown>,
  paths: readonly string[] = ['/query', '/query/download/csv'],
): Promise<ReceivedResponse[]> {
  const holder = await startQuery(hosts.url, ENDLESS, basicOf(hosts.ann));
  const waiting = paths.map((path) => post(`${hosts.url}${path}`, { sql: 'SELECT 4711 AS n' }, credential));
  await until(() => (hosts.stream.context.admission.waiting === paths.length ? true : undefined), {
    what: 'the wait',
  });
  await change();
  // Measured from here, because on a busy machine the requests may have arrived at any time before.
  await setTimeout(WAIT_MS);
  holder.disconnect();
  return await Promise.all(waiting);
}

const reset = (user: BuiltUser, body: object) => callAdmin('POST', `/users/${user.id}/reset-password`, body);

const changes: readonly [string, string, () => Promise<readonly [Credential, () => Promise<unknown>]>][] = [
  [
    'with Basic, whose password an admin sets',
    'the password of its account was changed',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => reset(user, { password: `${PASSWORD} 2` })];
    },
  ],
  [
    'with Basic, whose password an admin removes',
    'the password of its account was changed',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => reset(user, {})];
    },
  ],
  [
    'with Basic, who changes their own password',
    'the password of its account was changed',
    async () => {
      const user = await hosts.build.user(hosts.acme, { roles: ['admin'] });
      const own = idtoken((await logIn(hosts, user)).id_token);
      const url = `${hosts.api.url}/admin/users/${user.id}/reset-password`;
      const change = () => sendJson(url, 'POST', { body: { password: `${PASSWORD} 2` }, credential: own });
      return [basicOf(user), async () => expect((await change()).status).toBe(200)];
    },
  ],
  [
    'whose session a password reset ends',
    'its session ended',
    async () => {
      const user = await createUser();
      const { id_token } = await logIn(hosts, user);
      return [idtoken(id_token), () => reset(user, { password: `${PASSWORD} 2` })];
    },
  ],
  [
    'whose secret is revoked',
    'its session ended',
    async () => {
      const {
        id,
        client_id: clientId,
        client_secret: secret,
      } = await callAdmin('POST', '/service-accounts', {
        client_id: `made-${Math.random().toString(36).slice(2)}`,
        roles: ['service'],
      });
      const { secrets } = await callAdmin('GET', `/service-accounts/${id}`);
      const token = await clientToken(hosts, { id, clientId, secret });
      return [bearer(token), () => callAdmin('DELETE', `/service-accounts/${id}/secrets/${secrets[0].secret_id}`)];
    },
  ],
  [
    'who is disabled',
    'its account was disabled',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => callAdmin('PUT', `/users/${user.id}`, { disabled: true })];
    },
  ],
  [
    'who loses query:run',
    'lost the permission to run queries',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => callAdmin('PUT', `/users/${user.id}`, { roles: ['auditor'] })];
    },
  ],
];

describe('cancels the waiting query of a caller', () => {
  it.each(changes)('%s', async (_name, reason, prepare) => {
    const [credential, change] = await prepare();
    const [streamed, file] = await whileWaiting(credential, change);
    expect([streamed?.status, file?.status]).toEqual([200, 409]);
    for (const answer of [streamed, file]) {
      expect(answer?.text).toContain(reason);
      expect(answer?.text).not.toMatch(ROW);
    }
    const ended = await hosts.rows<{ state: string; rows: string }>(
      `select state, rows from queries where query_id = any ($1::uuid[])`,
      [[streamed, file].map((answer) => answer?.headers['x-query-id'])],
    );
    expect(ended).toEqual(Array(2).fill({ state: 'CANCELLED', rows: '0' }));
  });
});

it('cancels a query whose session ends while the request body is sent', async () => {
  const user = await createUser();
  const { id_token } = await logIn(hosts, user);
  const body = Buffer.from(JSON.stringify({ sql: 'SELECT 4711 AS n' }));
  const headers = { ...idtoken(id_token), 'content-type': 'application/json', 'content-length': body.byteLength };
  const sent = httpRequest(`${hosts.url}/query/download/csv`, { method: 'POST', headers, agent: false });
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks)}`));
    });
  });
  sent.write(body.subarray(0, 9));
  // A test cannot observe that the host has authenticated a caller whose body is incomplete.
  await setTimeout(WAIT_MS);
  await reset(user, { password: `${PASSWORD} 2` });
  sent.end(body.subarray(9));
  const answer = await answered;
  expect(answer).toMatch(/^409 .*its session ended/);
  expect(answer).not.toMatch(ROW);
});

it('runs the waiting query of a caller when the password of another user is reset', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const [streamed] = await whileWaiting(basicOf(user), () => reset(other, { password: `${PASSWORD} 2` }), ['/query']);
  expect(streamed?.text).toContain('{"n":4711}');
});

it('keeps a query that started with the new password', async () => {
  const user = await createUser();
  const password = `${PASSWORD} 2`;
  await reset(user, { password });
  const started = await startQuery(hosts.url, ENDLESS, basicOf({ ...user, password }));
  expect(await hosts.stream.context.queries.stopsDue(hosts.stream.context.hostId)).toEqual([]);
  await reset(user, { password });
  expect(await started.text).toContain('the password of its account was changed');
});

describe('a query that waits for a worker', () => {
  const untilQueued = (credential: Credential, count: number) =>
    until(
      async () => {
        const listed = await listOf(hosts.url, credential);
        return listed.filter(({ state }) => state === 'QUEUED').length === count ? listed : undefined;
      },
      { what: 'queued queries' },
    );

  it('is listed as QUEUED to its caller only, has a receipt and can be cancelled', async () => {
    const [user, other] = [await createUser(), await createUser()];
    const credential = basicOf(user);
    const holder = await startQuery(hosts.url, ENDLESS, basicOf(hosts.ann));
    const waiting = ['/query', '/query/download/json'].map((path) =>
      post(`${hosts.url}${path}`, { sql: 'SELECT 4711 AS n' }, credential),
    );
    const listed = await untilQueued(credential, 2);
    expect(listed).toMatchObject(Array(2).fill({ sql: 'SELECT 4711 AS n', state: 'QUEUED', rows: 0, bytes: 0 }));
    expect(await listOf(hosts.url, basicOf(other))).toEqual([]);
    for (const { query_id, started_ts } of listed) {
      const url = `${hosts.url}/query/${query_id}`;
      const receipt = { query_id, state: 'QUEUED', started_ts, ended_ts: null, sha256: null };
      expect(await sendJson(url, 'GET', { credential })).toMatchObject({ status: 200, body: receipt });
      for (const method of ['GET', 'DELETE']) {
        expect((await sendJson(url, method, { credential: basicOf(other) })).status).toBe(404);
      }
      expect(await sendJson(url, 'DELETE', { credential })).toMatchObject({ status: 202, body: receipt });
    }
    const [streamed, file] = await Promise.all(waiting);
    expect([streamed?.status, file?.status]).toEqual([200, 409]);
    for (const answer of [streamed, file]) {
      expect(answer?.text).toContain('"code":"QUERY_CANCELLED"');
      expect(answer?.text).not.toMatch(ROW);
    }
    holder.disconnect();
    for (const { query_id } of listed) {
      expect((await sendJson(`${hosts.url}/query/${query_id}`, 'DELETE', { credential })).status).toBe(200);
      const records = await hosts.rows<{ action: string; state: string | null; rows: string | null }>(
        `select action, metadata ->> 'state' as state, metadata ->> 'rows' as rows from audit_log
         where query_id = $1 order by occurred, state nulls first`,
        [query_id],
      );
      expect(records.map(({ action, state, rows }) => `${action} ${state} ${rows}`)).toEqual([
        'CANCEL_QUERY null null',
        expect.stringMatching(/^(?:RUN|DOWNLOAD)_QUERY null null$/),
        expect.stringMatching(/^(?:RUN|DOWNLOAD)_QUERY CANCELLED 0$/),
      ]);
    }
    expect(await listOf(hosts.url, credential)).toEqual([]);
  });
});
