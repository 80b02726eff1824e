import { request as httpRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type BuiltUser, until } from '@sluice/testkit';
import {
  type Answered,
  basicOf,
  bearer,
  type Credential,
  clientToken,
  idtoken,
  logIn,
  post,
  send,
} from '../client/requests.ts';
import { listOf, startQuery } from '../client/running-queries.ts';
import { startHosts, type TestHosts } from '../hosts/start-hosts.ts';
import { ENDLESS } from '../statements/statements.ts';

const PASSWORD = 'a password of many characters';
/** Longer than a caller is believed who waits. */
const WAIT_MS = 1_500;

/** A row of what waits, in any format; an id may hold the same digits. */
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

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await until(
    async () => {
      const asked = await sendJson(`${hosts.api.url}/admin${path}`, method, { body, credential: admin });
      // A database that is too busy has taken nothing, and is asked again, as clients do.
      return asked.status === 503 ? undefined : asked;
    },
    { what: 'an answer', withinMs: 20_000 },
  );
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
};

const createUser = async (): Promise<BuiltUser> => {
  const email = `made-${Math.random().toString(36).slice(2)}@example.com`;
  const { id } = await ask('POST', '/users', { email, roles: ['analyst'], password: PASSWORD });
  return { id, email, password: PASSWORD };
};

/** Makes a change while requests wait for the one worker, and frees it when they have waited for long; answers what they got. */
async function whileWaiting(
  credential: Credential,
  change: () => Promise<unknown>,
  paths: readonly string[] = ['/query', '/query/download/csv'],
): Promise<Answered[]> {
  const holder = await startQuery(hosts.url, ENDLESS, basicOf(hosts.ann));
  const waiting = paths.map((path) => post(`${hosts.url}${path}`, { sql: 'SELECT 4711 AS n' }, credential));
  await until(() => (hosts.stream.context.admission.waiting === paths.length ? true : undefined), {
    what: 'the wait',
    withinMs: 20_000,
  });
  await change();
  // Counted from here: on a busy machine the requests may have come in at any moment before.
  await setTimeout(WAIT_MS);
  holder.leave();
  return await Promise.all(waiting);
}

const reset = (user: BuiltUser, body: object) => ask('POST', `/users/${user.id}/reset-password`, body);

const changes: readonly [string, string, () => Promise<readonly [Credential, () => Promise<unknown>]>][] = [
  [
    'whose password an admin sets, under Basic',
    'the password of its account was changed',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => reset(user, { password: `${PASSWORD} 2` })];
    },
  ],
  [
    'whose password an admin takes away, under Basic',
    'the password of its account was changed',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => reset(user, {})];
    },
  ],
  [
    'who sets the own password, under Basic',
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
      } = await ask('POST', '/service-accounts', {
        client_id: `made-${Math.random().toString(36).slice(2)}`,
        roles: ['service'],
      });
      const { secrets } = await ask('GET', `/service-accounts/${id}`);
      const token = await clientToken(hosts, { id, clientId, secret });
      return [bearer(token), () => ask('DELETE', `/service-accounts/${id}/secrets/${secrets[0].secret_id}`)];
    },
  ],
  [
    'who is disabled',
    'its account was disabled',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => ask('PUT', `/users/${user.id}`, { disabled: true })];
    },
  ],
  [
    'who loses query:run',
    'lost the permission to run queries',
    async () => {
      const user = await createUser();
      return [basicOf(user), () => ask('PUT', `/users/${user.id}`, { roles: ['auditor'] })];
    },
  ],
];

describe('of a caller who waits for a turn, nothing runs once it comes,', () => {
  it.each(changes)(
    '%s',
    async (_name, reason, prepare) => {
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
    },
    60_000,
  );
});

it('nothing runs either of a caller whose session ended while the body of the request was on its way', async () => {
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
  // No sign from outside says that a host has proved a caller whose body is still to come.
  await setTimeout(WAIT_MS);
  await reset(user, { password: `${PASSWORD} 2` });
  sent.end(body.subarray(9));
  const answer = await answered;
  expect(answer).toMatch(/^409 .*its session ended/);
  expect(answer).not.toMatch(ROW);
});

it('whoever waits and keeps all rights gets the rows, also when somebody else’s password is reset', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const [streamed] = await whileWaiting(basicOf(user), () => reset(other, { password: `${PASSWORD} 2` }), ['/query']);
  expect(streamed?.text).toContain('{"n":4711}');
});

it('a query that was begun by the new password goes on, whenever the old one was taken away', async () => {
  const user = await createUser();
  const password = `${PASSWORD} 2`;
  await reset(user, { password });
  const started = await startQuery(hosts.url, ENDLESS, basicOf({ ...user, password }));
  // Of a version that does not say by which secret, one that begins after the change stays, and one that began before it goes.
  await hosts.rows('update queries set secret_id = null where query_id = $1', [started.queryId]);
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
      { what: 'queued queries', withinMs: 20_000 },
    );

  it('is listed as QUEUED to its caller alone, has a receipt that says so, and can be cancelled', async () => {
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
    holder.leave();
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
  }, 60_000);
});
