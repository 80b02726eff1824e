import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ReceivedResponse } from '@sluice/testkit';
import { adminTest, auditRecords, type CookieJar, cookieHeader } from '@sluice/testkit/fixtures';
import { authorizeProgram, postForm, postJson, requestClientToken } from '@sluice/testkit/requests';

const PASSWORD = 'correct horse battery staple';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36';

const fixture = adminTest();

interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** Creates a user who has never logged in. */
async function newUser(): Promise<NewUser> {
  const email = `user-${randomUUID()}@example.com`;
  const { admin } = fixture;
  const created = await admin.ask({ method: 'POST', path: '/users', body: { email, roles: [], password: PASSWORD } });
  expect(created.status).toBe(201);
  return { id: created.body.id, email, password: PASSWORD };
}

/** Logs in as a program. */
const logIn = ({ email }: NewUser, userAgent?: string): Promise<ReceivedResponse> =>
  postJson(
    `${fixture.test.url}/auth/login/${fixture.test.acme.tenantName}`,
    { email, password: PASSWORD },
    userAgent === undefined ? {} : { 'user-agent': userAgent },
  );

/** Signs in at the page of a browser, and keeps its cookies. */
async function signIn({ email }: NewUser, jar: CookieJar, userAgent = FIREFOX): Promise<ReceivedResponse> {
  const { url, acme } = fixture.test;
  const headers = { origin: url, 'user-agent': userAgent, ...cookieHeader(jar) };
  const answer = await postForm(`${url}/auth/sign-in/${acme.tenantName}`, { email, password: PASSWORD }, headers);
  for (const line of answer.headers['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    jar.set(name, value);
  }
  return answer;
}

/** Devices of the records of a login that are about new ones. */
async function newDevicesOf(answer: ReceivedResponse): Promise<unknown[]> {
  expect(answer.status).toBeLessThan(400);
  const records = await auditRecords(fixture.test, answer);
  expect(records.map(({ action }) => action)).toContain('LOGIN');
  return records.filter(({ action }) => action === 'NEW_DEVICE').map(({ metadata }) => metadata['device']);
}

const mailsOf = async ({ id }: NewUser): Promise<number> =>
  (await fixture.test.rows('select 1 from device_mails where user_id = $1', [id])).length;

describe('a login from a device that the user has not used before', () => {
  it('is recorded with the device, its address and its session, after LOGIN, and adds a mail', async () => {
    const { test } = fixture;
    const user = await newUser();
    expect(await newDevicesOf(await logIn(user, 'curl/8.5.0'))).toEqual([]);
    const answer = await logIn(user, 'python-requests/2.32.3');
    const rows = await test.rows<Record<string, unknown>>(
      `select action, target, user_name, address, user_agent, session_id, metadata from audit_log
       where request_id = $1 order by occurred`,
      [answer.headers['x-request-id']],
    );
    const { sid } = JSON.parse(Buffer.from(answer.body.id_token.split('.')[1], 'base64url').toString());
    const login = {
      target: user.email,
      user_name: user.email,
      address: '127.0.0.1',
      user_agent: 'python-requests/2.32.3',
      session_id: sid,
    };
    expect(rows).toEqual([
      { ...login, action: 'LOGIN', metadata: { method: 'password' } },
      { ...login, action: 'NEW_DEVICE', metadata: { device: 'python-requests' } },
    ]);
    expect(await mailsOf(user)).toBe(1);
  });

  it('is not the first login ever, of any kind', async () => {
    for (const agent of [FIREFOX, 'curl/8', undefined]) {
      const user = await newUser();
      expect(await newDevicesOf(await logIn(user, agent))).toEqual([]);
      expect(await mailsOf(user)).toBe(0);
    }
    expect(await newDevicesOf(await signIn(await newUser(), new Map()))).toEqual([]);
  });

  it('is not that after the user has accepted an invitation', async () => {
    const { test, admin } = fixture;
    const email = `user-${randomUUID()}@example.com`;
    const { body } = await admin.ask({ method: 'POST', path: '/users', body: { email, roles: [] } });
    const accepted = await postJson(`${test.url}/auth/invitation/${test.acme.tenantName}`, {
      token: body.invitation.token,
      password: PASSWORD,
    });
    expect(accepted.status).toBe(200);
    const user = { id: body.id, email, password: PASSWORD };
    expect(await newDevicesOf(await signIn(user, new Map()))).toEqual([]);
    expect(await mailsOf(user)).toBe(0);
  });

  it('differs from a known one by the name of a program, in any version, for 90 days', async () => {
    const user = await newUser();
    await logIn(user, 'curl/8.5.0');
    for (const agent of ['curl/8.5.0', 'curl/9.0', 'curl'])
      expect(await newDevicesOf(await logIn(user, agent))).toEqual([]);
    expect(await newDevicesOf(await logIn(user, undefined))).toEqual(['']);
    expect(await newDevicesOf(await logIn(user, undefined))).toEqual([]);
    await fixture.test.rows(`update login_programs set last_login = now() - interval '91 days' where user_id = $1`, [
      user.id,
    ]);
    expect(await newDevicesOf(await logIn(user, 'curl/8.5.0'))).toEqual(['curl']);
    expect(await newDevicesOf(await logIn(user, 'curl/8.5.0'))).toEqual([]);
  });

  it('differs from a known one by the cookie of a browser, which serves one user', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await logIn(user, 'curl/8.5.0');
    const jar: CookieJar = new Map();
    expect(await newDevicesOf(await signIn(user, jar))).toEqual(['Firefox (Linux)']);
    expect(await newDevicesOf(await signIn(user, jar))).toEqual([]);
    // The browser was updated, or says another name.
    expect(await newDevicesOf(await signIn(user, jar, CHROME))).toEqual([]);
    expect(await newDevicesOf(await signIn(user, new Map(), FIREFOX))).toEqual(['Firefox (Linux)']);
    await logIn(other, 'curl/8.5.0');
    expect(await newDevicesOf(await signIn(other, jar))).toEqual(['Firefox (Linux)']);
    // The name of a program does not pass for a cookie.
    const forged: CookieJar = new Map([...jar.keys()].map((name) => [name, 'curl']));
    expect(await newDevicesOf(await signIn(user, forged))).toEqual(['Firefox (Linux)']);
  });

  it('is that of a program that the user let log in, by its client', async () => {
    const { test } = fixture;
    const user = await newUser();
    const redeem = async () =>
      postForm(
        `${test.url}/auth/${test.acme.tenantName}/oauth2/token`,
        { ...(await authorizeProgram(test.url, user, 'query:run', { tenantName: test.acme.tenantName })) },
        { 'user-agent': `any/${randomUUID()}` },
      );
    expect(await newDevicesOf(await redeem())).toEqual(['sluice-cli']);
    expect(await newDevicesOf(await redeem())).toEqual([]);
  });

  it('adds at most five mails in an hour, and keeps at most 50 programs', async () => {
    const user = await newUser();
    for (let index = 0; index < 53; index += 1) await logIn(user, `p${index}/1`);
    expect(await mailsOf(user)).toBe(5);
    const [kept] = await fixture.test.rows<{ count: number }>(
      'select count(*)::int as count from login_programs where user_id = $1',
      [user.id],
    );
    expect(kept?.count).toBe(50);
  });

  it('is not recorded for a service account, a wrong password and a refresh', async () => {
    const { test } = fixture;
    const user = await newUser();
    const { body } = await logIn(user, 'curl/8');
    const refreshed = await postForm(
      `${test.url}/auth/refresh/${test.acme.tenantName}`,
      { refresh_token: body.refresh_token },
      { 'user-agent': 'other/1' },
    );
    const wrong = await postJson(
      `${test.url}/auth/login/${test.acme.tenantName}`,
      { email: user.email, password: 'wrong' },
      { 'user-agent': 'other/1' },
    );
    expect([refreshed.status, wrong.status]).toEqual([200, 401]);
    for (const answer of [refreshed, wrong, await requestClientToken(test.url, test.acme.tenantName)])
      expect((await auditRecords(test, answer)).map(({ action }) => action)).not.toContain('NEW_DEVICE');
    expect(await mailsOf(user)).toBe(0);
  });
});
