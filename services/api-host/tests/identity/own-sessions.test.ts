import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { adminTest, auditRecords, get, type LoggedIn, logInAs, SEED_PASSWORD } from '@sluice/testkit/fixtures';
import { postForm, postJson, refresh, requestClientToken } from '@sluice/testkit/requests';

const fixture = adminTest();

interface OwnSession {
  readonly id: string;
  readonly current: boolean;
}

const sidOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;

const newUser = (roles: readonly string[] = ['analyst']): Promise<LoggedIn> =>
  logInAs(fixture.test, roles, fixture.test.acme);

/** Logs a user in again and returns the tokens. */
const logInAgain = async ({ email }: LoggedIn) =>
  (
    await postJson(`${fixture.test.url}/auth/login/${fixture.test.acme.tenantName}`, {
      email,
      password: SEED_PASSWORD,
    })
  ).body as { readonly id_token: string; readonly refresh_token: string };

const list = (as: Pick<LoggedIn, 'idToken'>, query = '') => get(fixture.test, as as LoggedIn, `/me/sessions${query}`);
const idsOf = ({ body }: ReceivedResponse): string[] => body.data.map(({ id }: OwnSession) => id);
const end = (as: Pick<LoggedIn, 'idToken'>, id: string) =>
  send(`${fixture.test.url}/me/sessions/${id}`, { method: 'DELETE', headers: { idtoken: as.idToken } });
const endOthers = (as: Pick<LoggedIn, 'idToken'>) =>
  send(`${fixture.test.url}/me/sessions/end-others`, { method: 'POST', headers: { idtoken: as.idToken } });
const isAccepted = async (idToken: string): Promise<boolean> =>
  (await send(`${fixture.test.url}/me`, { headers: { idtoken: idToken } })).status === 200;

describe('GET /me/sessions', () => {
  it('lists the sessions of the caller alone, newest first, with where and how they were opened', async () => {
    const { test } = fixture;
    const user = await newUser();
    await newUser();
    const { tenantName } = test.acme;
    const form = { email: user.email, password: SEED_PASSWORD };
    const browser = {
      origin: test.url,
      'user-agent': `Mozilla/5.0 (Windows NT 10.0) Firefox/128.0 ${'x'.repeat(300)}`,
    };
    expect((await postForm(`${test.url}/auth/sign-in/${tenantName}`, form, browser)).status).toBe(200);
    const answer = await list(user);
    const times = {
      created_ts: expect.any(Number),
      last_used_ts: expect.any(Number),
      expires_ts: expect.any(Number),
    };
    expect([answer.status, answer.body.next_page_token, answer.body.data]).toEqual([
      200,
      undefined,
      [
        {
          id: expect.any(String),
          opened_by: 'browser',
          client: null,
          issuer: null,
          address: '127.0.0.1',
          user_agent: `Mozilla/5.0 (Windows NT 10.0) Firefox/128.0 ${'x'.repeat(212)}`,
          device: { name: 'Firefox', system: 'Windows' },
          ...times,
          current: false,
        },
        {
          id: sidOf(user.idToken),
          opened_by: 'program',
          client: null,
          issuer: null,
          address: '127.0.0.1',
          user_agent: null,
          device: { name: null, system: null },
          ...times,
          current: true,
        },
      ],
    ]);
    // Like GET /me, it is not recorded.
    expect(await auditRecords(test, answer)).toEqual([]);
  });

  it('has the time of the last request of each, and null for what an earlier version did not keep', async () => {
    const { test } = fixture;
    const user = await newUser();
    const other = sidOf((await logInAgain(user)).id_token);
    await test.rows(
      `update sessions set created = to_timestamp(1700000000), last_used = to_timestamp(1700000500), address = null where sid = $1`,
      [other],
    );
    const [, oldest] = (await list(user)).body.data;
    expect(oldest).toMatchObject({
      id: other,
      created_ts: 1_700_000_000_000,
      last_used_ts: 1_700_000_500_000,
      address: null,
    });
  });

  it('has pages, whose tokens are rejected for another user and another list', async () => {
    const { admin } = fixture;
    const user = await newUser();
    for (let count = 0; count < 2; count += 1) await logInAgain(user);
    const whole = idsOf(await list(user));
    expect(whole).toHaveLength(3);
    const first = await list(user, '?size=2');
    const second = await list(user, `?size=2&page_token=${first.body.next_page_token}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(whole);
    expect(second.body.next_page_token).toBeUndefined();
    const other = await newUser();
    const ofAdmin = (await admin.ask({ path: '/sessions?size=1' })).body.next_page_token;
    for (const answer of [
      await list(other, `?page_token=${first.body.next_page_token}`),
      await list(admin, `?page_token=${ofAdmin}`),
      await list(user, '?page_token=none'),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_page_token']);
    expect((await list(user, '?size=0')).status).toBe(400);
  });

  it('does not contain sessions that have ended', async () => {
    const { test } = fixture;
    const user = await newUser();
    const ended = await logInAgain(user);
    await send(`${test.url}/auth/logout/${test.acme.tenantName}`, { headers: { idtoken: ended.id_token } });
    const expired = await logInAgain(user);
    await test.rows(`update sessions set expires = now() - interval '1 second' where sid = $1`, [
      sidOf(expired.id_token),
    ]);
    expect(idsOf(await list(user))).toEqual([sidOf(user.idToken)]);
  });

  it('works for a user without permissions, and for a service account', async () => {
    const { test } = fixture;
    expect((await list(await newUser([]))).status).toBe(200);
    const { access_token: token } = (await requestClientToken(test.url, test.acme.tenantName)).body;
    const answer = await send(`${test.url}/me/sessions`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.body.data.filter(({ current }: OwnSession) => current)).toEqual([
      expect.objectContaining({ id: sidOf(token), opened_by: 'program' }),
    ]);
  });
});

describe('DELETE /me/sessions/{id}', () => {
  it('ends a session of the caller immediately with its refresh token, records it, and returns 409 afterwards', async () => {
    const { test } = fixture;
    const user = await newUser();
    const other = await logInAgain(user);
    expect(await isAccepted(other.id_token)).toBe(true);
    const answer = await end(user, sidOf(other.id_token));
    expect(answer.status).toBe(204);
    expect(await auditRecords(test, answer)).toEqual([
      {
        action: 'END_SESSION',
        target: user.email,
        user_name: user.email,
        metadata: { session_id: sidOf(other.id_token) },
      },
    ]);
    expect([await isAccepted(other.id_token), await isAccepted(user.idToken)]).toEqual([false, true]);
    expect((await refresh(test.url, other.refresh_token, test.acme.tenantName)).status).toBe(400);
    const again = await end(user, sidOf(other.id_token));
    expect([again.status, again.body.message]).toEqual([409, 'The session has already ended.']);
  });

  it('ends the session of the request too', async () => {
    const user = await newUser();
    expect((await end(user, sidOf(user.idToken))).status).toBe(204);
    expect(await isAccepted(user.idToken)).toBe(false);
  });

  it('returns the same 404 for a session of others, also for an admin, and for an unknown and an invalid id', async () => {
    const { admin, otherTenantAdmin } = fixture;
    const [user, other] = [await newUser(), await newUser()];
    for (const answer of [
      await end(user, sidOf(other.idToken)),
      await end(user, sidOf(otherTenantAdmin.idToken)),
      await end(admin, sidOf(user.idToken)),
      await end(user, randomUUID()),
      await end(user, 'none'),
      await end(user, '%2e%2e%2f'),
    ])
      expect([answer.status, answer.body.message]).toEqual([404, 'You have no session with this id.']);
    for (const { idToken } of [user, other, otherTenantAdmin]) expect(await isAccepted(idToken)).toBe(true);
  });
});

describe('POST /me/sessions/end-others', () => {
  it('ends all sessions of the caller but this one, and records each', async () => {
    const { test } = fixture;
    const [user, bystander] = [await newUser(), await newUser()];
    const others = [await logInAgain(user), await logInAgain(user)].map(({ id_token: token }) => token);
    const answer = await endOthers(user);
    expect([answer.status, answer.body]).toEqual([200, { ended_count: 2 }]);
    const records = await auditRecords(test, answer);
    expect(records.map(({ action, target, user_name: by }) => [action, target, by])).toEqual(
      others.map(() => ['END_SESSION', user.email, user.email]),
    );
    expect(records.map(({ metadata }) => metadata.session_id).sort()).toEqual(others.map(sidOf).sort());
    expect(await Promise.all(others.map(isAccepted))).toEqual([false, false]);
    expect([await isAccepted(user.idToken), await isAccepted(bystander.idToken)]).toEqual([true, true]);
    const again = await endOthers(user);
    expect([again.status, again.body, await auditRecords(test, again)]).toEqual([200, { ended_count: 0 }, []]);
  });
});
