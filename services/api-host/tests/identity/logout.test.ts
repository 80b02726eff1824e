import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, passwordOf, postForm, requestClientToken } from '@sluice/testkit/requests';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const logout = (headers: Record<string, string> = {}, query = '', method = 'GET') =>
  send(`${test.url}/auth/logout/acme${query}`, { method, headers });
const status = async (headers: Record<string, string>) => (await send(`${test.url}/test/stream`, { headers })).status;
const logouts = () => test.rows(`select user_name from audit_log where action = 'LOGOUT'`);

const signIn = async (): Promise<string> => {
  const fields = { email: 'ann@example.com', password: passwordOf('acme') };
  const { headers } = await postForm(`${test.url}/auth/sign-in/acme`, fields, { origin: test.url });
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
};

const exchange = (cookie: string) =>
  send(`${test.url}/auth/session/acme`, { method: 'POST', headers: { cookie, origin: test.url } });

describe('GET /auth/logout/{tenant}', () => {
  it('ends the session of an ID token with both its tokens, and redirects to the login', async () => {
    const { body } = await login(test.url);
    const answer = await logout({ idtoken: body.id_token });
    expect([answer.status, answer.headers.location]).toEqual([302, '/auth/login/acme']);
    expect(await status({ idtoken: body.id_token })).toBe(401);
    expect(await status({ authorization: `Bearer ${body.access_token}` })).toBe(401);
    expect(await logouts()).toEqual([{ user_name: 'ann@example.com' }]);
  });

  it('ends the session of the access token of a service account', async () => {
    const { body } = await requestClientToken(test.url);
    const authorization = `Bearer ${body.access_token}`;
    expect(await status({ authorization })).toBe(200);
    expect((await logout({ authorization })).status).toBe(302);
    expect(await status({ authorization })).toBe(401);
    expect((await logouts()).at(-1)).toEqual({ user_name: 'etl' });
  });

  it('ends the session of the cookie and the tokens fetched with it, and clears it', async () => {
    const cookie = await signIn();
    const fetched = await exchange(cookie);
    expect(await status({ idtoken: fetched.body.id_token })).toBe(200);
    const { headers } = await logout({ cookie });
    expect(headers['set-cookie']?.[0]).toMatch(/^sluice_session_acme=; Max-Age=0;/);
    expect(await status({ idtoken: fetched.body.id_token })).toBe(401);
    expect((await exchange(cookie)).status).toBe(204);
  });

  it('does not end other sessions of the same user', async () => {
    const [one, other] = [(await login(test.url)).body, (await login(test.url)).body];
    await logout({ idtoken: one.id_token });
    expect(await status({ idtoken: other.id_token })).toBe(200);
  });

  it('redirects without a credential, with an invalid or expired one, and the second time', async () => {
    const { body } = await login(test.url);
    await logout({ idtoken: body.id_token });
    const before = (await logouts()).length;
    for (const headers of [{}, { idtoken: 'x' }, { idtoken: body.id_token }, { cookie: 'sluice_session_acme=x' }]) {
      expect((await logout(headers)).status).toBe(302);
    }
    expect(await logouts()).toHaveLength(before);
  });

  it("does not end another tenant's session", async () => {
    const { body } = await login(test.url, 'globex');
    expect((await logout({ idtoken: body.id_token })).status).toBe(302);
    expect((await send(`${test.url}/test/api`, { headers: { idtoken: body.id_token } })).status).toBe(200);
  });

  it('ignores a redirect address from the caller', async () => {
    for (const query of ['?post_logout_redirect_uri=https://evil.test', '?return_to=//evil.test']) {
      expect((await logout({}, query)).headers.location).toBe('/auth/login/acme');
    }
  });

  it.each(['cross-site', 'same-site'])('asks before it acts for a %s page, and acts for the form', async (site) => {
    const cookie = await signIn();
    const form = await logout({ cookie, 'sec-fetch-site': site });
    expect([form.status, form.headers['set-cookie']]).toEqual([200, undefined]);
    expect(form.text).toContain('<form method="post" action="/auth/logout/acme">');
    expect((await exchange(cookie)).status).toBe(200);
    const submit = (origin: Record<string, string>) =>
      postForm(`${test.url}/auth/logout/acme`, {}, { cookie, ...origin });
    for (const origin of [{}, { origin: 'null' }, { origin: 'https://evil.test' }]) {
      expect((await submit(origin)).status).toBe(403);
    }
    expect((await exchange(cookie)).status).toBe(200);
    const { status, headers, text } = await submit({ origin: test.url });
    expect([status, headers['refresh']]).toEqual([200, '0; url=/auth/login/acme']);
    expect(text).toContain('You are signed out.');
    expect(headers['set-cookie']?.[0]).toMatch(/^sluice_session_acme=; Max-Age=0;/);
    expect((await exchange(cookie)).status).toBe(204);
  });

  it.each(['same-origin', 'none'])('acts immediately for a request with Sec-Fetch-Site: %s', async (site) => {
    const cookie = await signIn();
    expect((await logout({ cookie, 'sec-fetch-site': site })).status).toBe(302);
    expect((await exchange(cookie)).status).toBe(204);
  });

  it('ends only the session of the ID token that a page of another site sends', async () => {
    const cookie = await signIn();
    const { body } = await login(test.url);
    const answer = await logout({ cookie, idtoken: body.id_token, 'sec-fetch-site': 'cross-site' });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([302, undefined]);
    expect(await status({ idtoken: body.id_token })).toBe(401);
    expect((await exchange(cookie)).status).toBe(200);
  });

  it('is not triggered by HEAD or by a prefetch', async () => {
    const { body } = await login(test.url);
    const head = await logout({ idtoken: body.id_token }, '', 'HEAD');
    expect([head.status, head.headers.allow]).toEqual([405, 'GET, POST, OPTIONS']);
    await logout({ idtoken: body.id_token, 'sec-purpose': 'prefetch' });
    expect(await status({ idtoken: body.id_token })).toBe(200);
  });
});
