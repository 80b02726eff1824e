import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/store/database';
import { createSessionStore } from '@sluice/store/identity';
import { type BuiltUser, send, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import {
  bearer,
  type Credential,
  clientToken,
  finalReceipt,
  idtoken,
  logIn,
  post,
  postForm,
  refresh,
  startQuery,
  type Tokens,
} from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';

let hosts: TestHosts;
let database: Database;
let admin: Credential;
beforeAll(async () => {
  hosts = await startHosts();
  database = createDatabase({ url: hosts.testDatabase.apiUrl, poolMax: 2 });
  admin = idtoken((await logIn(hosts, await hosts.build.user(hosts.acme, { roles: ['admin'] }))).id_token);
}, 120_000);
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});
afterEach(() => setLifetimes({}));

async function setLifetimes(body: { readonly idle_minutes?: number; readonly absolute_hours?: number }): Promise<void> {
  const answer = await send(`${hosts.api.url}/admin/session-settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...admin },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

const sidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;

/** Moves the last request of a session into the past. */
const leaveIdle = (token: string, minutes: number) =>
  hosts.rows(`update sessions set last_used = now() - $2 * interval '1 minute' where sid = $1`, [
    sidOf(token),
    minutes,
  ]);
/** Moves the login of a session into the past. */
const makeOld = (token: string, minutes: number) =>
  hosts.rows(`update sessions set created = now() - $2 * interval '1 minute', last_used = now() where sid = $1`, [
    sidOf(token),
    minutes,
  ]);

/** Statuses of a request with the token to each host. */
async function statusesOf(credential: Credential): Promise<readonly number[]> {
  const api = await send(`${hosts.api.url}/me`, { headers: credential });
  const stream = await post(`${hosts.url}/query`, { sql: 'SELECT 1 AS a' }, credential);
  return [api.status, stream.status];
}

const newLogin = async (): Promise<Tokens & { readonly user: BuiltUser }> => {
  const user = await hosts.build.user(hosts.acme);
  return { ...(await logIn(hosts, user)), user };
};

const revokedOf = async (token: string): Promise<string | null> => {
  const [row] = await hosts.rows<{ reason: string | null }>(
    'select revoke_reason as reason from sessions where sid = $1',
    [sidOf(token)],
  );
  return row?.reason ?? null;
};

describe('a session without a request for longer than the tenant allows', () => {
  it('is rejected by both hosts and by refresh, and is ended with a record', async () => {
    const { id_token: token, access_token: access, refresh_token: refreshToken, user } = await newLogin();
    await setLifetimes({ idle_minutes: 30 });
    await leaveIdle(token, 29);
    expect(await statusesOf(idtoken(token))).toEqual([200, 200]);
    await leaveIdle(token, 31);
    expect(await statusesOf(idtoken(token))).toEqual([401, 401]);
    expect(await statusesOf(bearer(access))).toEqual([401, 401]);
    const renewed = await refresh(hosts.api.url, refreshToken);
    expect([renewed.status, renewed.body.error]).toEqual([400, 'invalid_grant']);
    const listed = await send(`${hosts.api.url}/admin/sessions?account_id=${user.id}`, { headers: admin });
    expect(listed.body.data).toEqual([]);
    await createSessionStore(database).endOverdue();
    expect(await revokedOf(token)).toBe('idle');
    const records = await hosts.rows(
      `select user_name, metadata from audit_log where action = 'END_SESSION' and target = $1`,
      [user.email],
    );
    expect(records).toEqual([{ user_name: 'sluice', metadata: { session_id: sidOf(token), cause: 'idle' } }]);
    // A tenant that allows more does not open it again.
    await setLifetimes({});
    expect(await statusesOf(idtoken(token))).toEqual([401, 401]);
  });

  it('stays open while a query of it runs, and the end of the query is a use', async () => {
    const { id_token: token } = await newLogin();
    const query = await startQuery(hosts.url, ENDLESS, idtoken(token));
    await setLifetimes({ idle_minutes: 30 });
    await leaveIdle(token, 600);
    await createSessionStore(database).endOverdue();
    expect(await revokedOf(token)).toBeNull();
    await send(`${hosts.url}/query/${query.queryId}`, { method: 'DELETE', headers: idtoken(token) });
    await leaveIdle(token, 600);
    await query.text;
    await until(
      async () => {
        const [row] = await hosts.rows<{ ended: boolean }>(
          'select ended is not null as ended from queries where query_id = $1',
          [query.queryId],
        );
        return row?.ended === true ? true : undefined;
      },
      { what: 'the end of the query' },
    );
    expect(await statusesOf(idtoken(token))).toEqual([200, 200]);
  });

  it('does not stay in use by renewing its tokens', async () => {
    const { id_token: token, refresh_token: refreshToken } = await newLogin();
    await setLifetimes({ idle_minutes: 30 });
    await leaveIdle(token, 29);
    const renewed = await refresh(hosts.api.url, refreshToken);
    expect(renewed.status).toBe(200);
    await leaveIdle(token, 31);
    expect((await refresh(hosts.api.url, renewed.body.refresh_token)).status).toBe(400);
  });

  it('does not give its tokens to a page that holds its cookie', async () => {
    const { email, password } = await hosts.build.user(hosts.acme);
    const page = { origin: hosts.api.url };
    const signedIn = await postForm(`${hosts.api.url}/auth/sign-in/acme`, { email, password }, page);
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
    const exchange = () => send(`${hosts.api.url}/auth/session/acme`, { method: 'POST', headers: { ...page, cookie } });
    const { body, status } = await exchange();
    expect(status).toBe(200);
    await setLifetimes({ idle_minutes: 30 });
    await leaveIdle(body.id_token, 31);
    expect((await exchange()).status).toBe(204);
  });

  it('is that of a user of this tenant, not of a service account or another tenant', async () => {
    const client = await hosts.build.client(hosts.acme);
    const token = await clientToken(hosts, client);
    const other = await hosts.build.user(hosts.globex);
    const { id_token: elsewhere } = await logIn(hosts, other, 'globex');
    await setLifetimes({ idle_minutes: 30, absolute_hours: 1 });
    for (const each of [token, elsewhere]) await leaveIdle(each, 90);
    expect((await send(`${hosts.api.url}/me`, { headers: bearer(token) })).status).toBe(200);
    expect((await send(`${hosts.api.url}/me`, { headers: idtoken(elsewhere) })).status).toBe(200);
  });
});

describe('a session whose login is longer ago than the tenant allows', () => {
  it('is rejected by both hosts and by refresh, ends its queries, and is ended with a record', async () => {
    const { id_token: token, refresh_token: refreshToken, user } = await newLogin();
    const query = await startQuery(hosts.url, ENDLESS, idtoken(token));
    await setLifetimes({ absolute_hours: 1 });
    await makeOld(token, 59);
    const { body: me } = await send(`${hosts.api.url}/me`, { headers: idtoken(token) });
    expect(me.session_expires_ts).toBeLessThan(Date.now() + 120_000);
    await makeOld(token, 61);
    expect(await statusesOf(idtoken(token))).toEqual([401, 401]);
    expect((await refresh(hosts.api.url, refreshToken)).status).toBe(400);
    expect(await query.text).toContain('its session ended');
    const auditor = idtoken((await logIn(hosts, await hosts.build.user(hosts.acme, { roles: ['auditor'] }))).id_token);
    expect(await finalReceipt(hosts.url, query.queryId, { credential: auditor })).toMatchObject({ state: 'CANCELLED' });
    await createSessionStore(database).endOverdue();
    expect(await revokedOf(token)).toBe('lifetime');
    const [record] = await hosts.rows<{ metadata: object }>(
      `select metadata from audit_log where action = 'END_SESSION' and target = $1`,
      [user.email],
    );
    expect(record?.metadata).toEqual({ session_id: sidOf(token), cause: 'lifetime' });
  });

  it('ends the tokens of a login with it', async () => {
    await setLifetimes({ absolute_hours: 1 });
    // The settings of the tenant that a login without a session sees may be two seconds old.
    await until(
      async () => {
        const { id_token: token } = await newLogin();
        const { data } = (await send(`${hosts.api.url}/me/sessions`, { headers: idtoken(token) })).body;
        expect(data[0].expires_ts).toBeLessThanOrEqual(data[0].created_ts + 3_600_000);
        const { exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
        return exp * 1000 <= data[0].created_ts + 3_600_000 ? true : undefined;
      },
      { what: 'a token that ends with its session' },
    );
  });
});
