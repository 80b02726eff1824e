import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenIdProvider, type ReceivedResponse, send, startOpenIdProvider } from '@sluice/testkit';
import {
  type Admin,
  adminOf,
  askAs,
  browse,
  type CookieJar,
  callbackUrlOf,
  logInBySso,
  NEW_PASSWORD,
  nameOf,
  providerInput,
  putProvider,
  recordsOf,
  SSO_SETTINGS,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { passwordOf, postForm, postJson } from '@sluice/testkit/requests';
import { decodeJwt } from 'jose';

let test: TestHost;
let admin: Admin;
let provider: OpenIdProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  test = await startTestHost(SSO_SETTINGS);
  admin = await adminOf(test, test.acme);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(async () => {
  provider.faults = {};
  provider.inUserInfo = [];
  provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  expect((await putProvider(admin, providerInput(provider))).status).toBe(200);
});

const who = async ({ body }: ReceivedResponse) =>
  (await send(`${test.url}/test/api`, { headers: { idtoken: body.id_token } })).body;
const userOf = async (email: string) =>
  (await admin.ask({ path: `/users?q=${encodeURIComponent(email)}` })).body.data[0];

describe('GET /auth/login/{tenant} of a tenant with a provider', () => {
  it('redirects to the provider with a fresh code challenge, state and nonce, and a cookie', async () => {
    const jar: CookieJar = new Map();
    const start = async () => new URL((await browse(jar, `${test.url}/auth/login/acme`)).headers.location ?? '');
    const [one, other] = [await start(), await start()];
    expect(one.origin + one.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'sluice',
      scope: 'openid profile email',
      redirect_uri: `${test.url}/auth/callback/acme`,
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.searchParams.get(name)).not.toBe(other.searchParams.get(name));
    }
    const { headers } = await send(`${test.url}/auth/login/acme`);
    expect(headers['set-cookie']?.[0]).toMatch(
      /^sluice_login_acme=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('uses a __Host- cookie off loopback', async () => {
    const { headers } = await send(`${test.url}/auth/login/acme`, { headers: { host: 'acme-api.example.com' } });
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-sluice_login_acme=[\w-]{43};.*; Path=\/;.*; Secure$/);
  });

  it('keeps the login form for other tenants and for users with a password', async () => {
    expect((await send(`${test.url}/auth/login/globex`)).headers.location).toBe('/auth/sign-in/globex');
    expect((await send(`${test.url}/auth/sign-in/acme`)).status).toBe(200);
  });
});

describe('a login at the provider', () => {
  it('returns our tokens as a local login does, with an audit record', async () => {
    const answer = await logInBySso(test);
    expect([answer.status, answer.headers['cache-control'], answer.headers['referrer-policy']]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'token_type',
    ]);
    expect(decodeJwt(answer.body.id_token).iss).toBe('https://acme.issuer.test');
    expect(await who(answer)).toMatchObject({ name: 'ann@example.com', roles: ['analyst'], tenant: 'acme' });
    expect(await recordsOf(test, answer)).toEqual([
      ['LOGIN', 'ann@example.com', { method: 'single_sign_on', issuer: provider.issuer, linked: true }],
    ]);
    const refreshed = await postForm(`${test.url}/auth/refresh/acme`, { refresh_token: answer.body.refresh_token });
    expect(refreshed.status).toBe(200);
    const again = await logInBySso(test);
    expect(await recordsOf(test, again)).toEqual([
      ['LOGIN', 'ann@example.com', { method: 'single_sign_on', issuer: provider.issuer }],
    ]);
  });

  it('begins at the password form in a browser whose last login took a password, which offers the provider too', async () => {
    const jar: CookieJar = new Map();
    const start = async (query = '') =>
      (await browse(jar, `${test.url}/auth/login/acme${query}`)).headers.location ?? '';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: test.url };
    const body = String(new URLSearchParams({ email: 'ann@example.com', password: passwordOf('acme') }));
    const signedIn = await send(`${test.url}/auth/sign-in/acme`, { method: 'POST', headers, body });
    for (const line of signedIn.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
      jar.set(name, value);
    }
    expect(await start('?return_to=/docs')).toBe('/auth/sign-in/acme?return_to=%2Fdocs');
    const { text } = await browse(jar, `${test.url}/auth/sign-in/acme?return_to=/docs`);
    expect(text).toContain('href="/auth/login/acme?with=provider&amp;return_to=%2Fdocs"');
    expect((await send(`${test.url}/auth/login/acme?with=password`)).status).toBe(400);
    const atProvider = await start('?with=provider&return_to=/docs');
    expect(atProvider).toContain(`${provider.issuer}/authorize`);
    expect((await browse(jar, (await send(atProvider)).headers.location ?? '')).status).toBe(302);
    expect(await start()).toContain(`${provider.issuer}/authorize`);
  });

  it('sets the session cookie and redirects to return_to, whose page exchanges it for tokens', async () => {
    const jar: CookieJar = new Map();
    const { status, headers, text } = await logInBySso(test, { jar, returnTo: '/docs?x=1' });
    expect([status, headers.location, text]).toEqual([302, '/docs?x=1', '']);
    expect(headers['set-cookie']?.[0]).toMatch(
      /^sluice_session_acme=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const tokens = await send(`${test.url}/auth/session/acme`, {
      method: 'POST',
      headers: { origin: test.url, cookie: `sluice_session_acme=${jar.get('sluice_session_acme')}` },
    });
    expect((await who(tokens)).name).toBe('ann@example.com');
  });

  it('ends the session that it replaces, unless a page of another site began the login', async () => {
    const jar: CookieJar = new Map();
    const cookieOf = async (headers: Record<string, string> = {}) => {
      await logInBySso(test, { jar, returnTo: '/docs', headers });
      return `sluice_session_acme=${jar.get('sluice_session_acme')}`;
    };
    const works = async (cookie: string) =>
      (await send(`${test.url}/auth/session/acme`, { method: 'POST', headers: { origin: test.url, cookie } })).status;
    const [first, second] = [await cookieOf(), await cookieOf()];
    expect([await works(first), await works(second)]).toEqual([204, 200]);
    const third = await cookieOf({ 'sec-fetch-site': 'cross-site' });
    expect([await works(second), await works(third)]).toEqual([200, 200]);
  });

  it("redirects to an address on the provider's list only, compared exactly", async () => {
    const listed = 'https://portal.example.com/home?a=1';
    await putProvider(admin, providerInput(provider, { return_to: [listed] }));
    expect((await logInBySso(test, { returnTo: listed })).headers.location).toBe(listed);
    for (const other of [
      'https://portal.example.com/home',
      'https://portal.example.com/home?a=2',
      'https://evil.test/',
    ]) {
      const answer = await send(`${test.url}/auth/login/acme?return_to=${encodeURIComponent(other)}`);
      expect(answer.status).toBe(400);
    }
  });

  it('takes the e-mail address from the user info when the ID token has none', async () => {
    provider.inUserInfo = ['email', 'email_verified'];
    expect((await who(await logInBySso(test))).name).toBe('ann@example.com');
  });

  it('works in several tabs of one browser', async () => {
    const jar: CookieJar = new Map();
    const [one, other] = [await callbackUrlOf(test, { jar }), await callbackUrlOf(test, { jar })];
    expect([(await browse(jar, other)).status, (await browse(jar, one)).status]).toEqual([200, 200]);
  });

  it('writes no code, state, verifier or provider token to logs or in clear text', async () => {
    const jar: CookieJar = new Map();
    const callback = new URL(await callbackUrlOf(test, { jar }));
    const rows = JSON.stringify(
      await test.rows('select encode(sealed, $1) as sealed from login_transactions', ['escape']),
    );
    expect(rows).not.toContain(callback.searchParams.get('state'));
    const answer = await browse(jar, callback.href);
    const logs = test.logLines.join('');
    for (const secret of [
      callback.searchParams.get('code'),
      callback.searchParams.get('state'),
      answer.body.refresh_token,
      jar.get('sluice_login_acme'),
      'secret of sluice',
    ]) {
      expect(logs).not.toContain(String(secret));
    }
  });
});

describe('mapping of identities to users', () => {
  it('creates the user at the first login where allowed, and keeps it when the e-mail address changes', async () => {
    await putProvider(admin, providerInput(provider, { create_users: true }));
    const email = nameOf('new');
    provider.person = { sub: `sub-of-${email}`, email: email.toUpperCase(), email_verified: true };
    const answer = await logInBySso(test);
    expect(await who(answer)).toMatchObject({ name: email, roles: [] });
    expect((await recordsOf(test, answer)).map(([action]) => action)).toEqual(['CREATE_USER', 'LOGIN']);
    provider.person = { ...provider.person, email: 'ann@example.com' };
    expect((await who(await logInBySso(test))).name).toBe(email);
  });

  it('creates a user without a password, who sees the provider of the session and cannot change a password', async () => {
    await putProvider(admin, providerInput(provider, { create_users: true }));
    const email = nameOf('passwordless');
    provider.person = { sub: `sub-of-${email}`, email, email_verified: true };
    const headers = { idtoken: (await logInBySso(test)).body.id_token };
    expect((await send(`${test.url}/me`, { headers })).body).toMatchObject({ user: email, has_password: false });
    const { body: sessions } = await send(`${test.url}/me/sessions`, { headers });
    expect(sessions.data).toMatchObject([{ issuer: provider.issuer, opened_by: 'program', current: true }]);
    const input = { current_password: 'none', new_password: NEW_PASSWORD };
    const answer = await postJson(`${test.url}/me/change-password`, input, headers);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'This account has no password: it signs in at the identity provider of the tenant.',
    ]);
    expect(await recordsOf(test, answer)).toEqual([]);
  });

  it('rejects an unknown user with a message and an audit record', async () => {
    const email = nameOf('stranger');
    provider.person = { sub: email, email, email_verified: true };
    const answer = await logInBySso(test);
    expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
    expect(answer.body.message).toContain(email);
    const [[action, target, metadata] = []] = await recordsOf(test, answer);
    expect([action, target]).toEqual(['LOGIN_FAILED', email]);
    expect(metadata).toMatchObject({ method: 'single_sign_on', issuer: provider.issuer });
    expect(await userOf(email)).toBeUndefined();
  });

  it.each([
    ['an e-mail that is not verified', { email_verified: false }],
    ['an e-mail without email_verified, where the account has a password', { email_verified: undefined }],
    ['an email_verified that is not a boolean', { email_verified: 'yes' }],
    ['no e-mail', { email: undefined }],
    ['an invalid e-mail', { email: 'ann' }],
    ['an e-mail that is a list', { email: ['ann@example.com'] }],
  ])('does not match a user by %s', async (_name, claims) => {
    provider.person = { sub: 'mallory', email: 'ann@example.com', email_verified: true, ...claims };
    const answer = await logInBySso(test);
    expect([answer.status, answer.body.id_token]).toEqual([403, undefined]);
  });

  it('does not match a second identity with the same e-mail address', async () => {
    await logInBySso(test);
    provider.person = { ...provider.person, sub: 'mallory' };
    expect((await logInBySso(test)).status).toBe(403);
  });

  it('rejects a disabled user', async () => {
    const email = nameOf('disabled');
    const { body } = await admin.ask({ method: 'POST', path: '/users', body: { email, roles: [] } });
    provider.person = { sub: email, email, email_verified: true };
    expect((await logInBySso(test)).status).toBe(200);
    await admin.ask({ method: 'PUT', path: `/users/${body.id}`, body: { disabled: true } });
    const answer = await logInBySso(test);
    expect([answer.status, (await recordsOf(test, answer))[0]?.[0]]).toEqual([403, 'LOGIN_FAILED']);
  });

  it('ends an open invitation', async () => {
    const email = nameOf('invited');
    const { body } = await admin.ask({ method: 'POST', path: '/users', body: { email, roles: [] } });
    provider.person = { sub: email, email, email_verified: true };
    expect((await logInBySso(test)).status).toBe(200);
    const { status } = await send(body.invitation.url);
    expect(status).toBe(404);
  });
});

describe('roles from the groups of the provider', () => {
  const mapped = () =>
    providerInput(provider, {
      create_users: true,
      groups_claim: 'realm.groups',
      role_mappings: [
        { value: 'finance', roles: ['analyst', 'steward'] },
        { value: 'audit', roles: ['auditor'] },
      ],
    });

  it('are set at every login with an audit record, and take effect as an admin’s change does', async () => {
    await putProvider(admin, mapped());
    const email = nameOf('grouped');
    provider.person = { sub: email, email, email_verified: true, realm: { groups: ['finance', 'audit', 'other'] } };
    const first = await logInBySso(test);
    expect((await who(first)).roles).toEqual(['analyst', 'steward', 'auditor']);
    provider.person = { ...provider.person, realm: { groups: 'audit' } };
    const second = await logInBySso(test);
    const [[action, target, metadata] = []] = await recordsOf(test, second);
    expect([action, target]).toEqual(['UPDATE_USER', email]);
    expect(metadata).toMatchObject({
      before: { roles: ['analyst', 'steward', 'auditor'] },
      after: { roles: ['auditor'] },
      issuer: provider.issuer,
    });
    expect((await who(first)).roles).toEqual(['auditor']);
    provider.person = { ...provider.person, realm: {} };
    expect((await who(await logInBySso(test))).roles).toEqual([]);
  });

  it('do not remove the last admin', async () => {
    await putProvider(admin, mapped());
    const { body: others } = await admin.ask({ path: '/users?role=admin' });
    expect(others.total).toBe(1);
    provider.person = { sub: 'the-admin', email: admin.email, email_verified: true, realm: { groups: ['audit'] } };
    await test.rows('insert into user_identities (tenant_id, issuer, subject, user_id) values ($1, $2, $3, $4)', [
      test.acme.tenantId,
      provider.issuer,
      'the-admin',
      admin.id,
    ]);
    const answer = await logInBySso(test);
    expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
    expect((await userOf(admin.email)).roles).toEqual(['admin']);
  });

  it('can create an admin without a password, who then keeps the provider from being removed', async () => {
    const mappings = [{ value: 'admins', roles: ['admin'] }];
    const more = { create_users: true, groups_claim: 'groups', role_mappings: mappings };
    const boss = await adminOf(test, test.globex);
    expect((await putProvider(boss, providerInput(provider, more))).status).toBe(200);
    const email = nameOf('only-at-the-provider');
    provider.person = { sub: email, email, email_verified: true, groups: ['admins'] };
    const { body } = await logInBySso(test, { tenant: 'globex' });
    const ask = askAs(test, { idToken: body.id_token });
    const { body: bosses } = await ask({ path: `/users?q=${encodeURIComponent(boss.email)}` });
    const demoted = await ask({ method: 'PUT', path: `/users/${bosses.data[0].id}`, body: { roles: [] } });
    expect(demoted.status).toBe(200);
    const removed = await ask({ method: 'DELETE', path: '/identity-provider' });
    expect([removed.status, (await ask({ path: '/identity-provider' })).status]).toEqual([409, 200]);
    await using elsewhere = await startOpenIdProvider();
    const moved = await ask({ method: 'PUT', path: '/identity-provider', body: providerInput(elsewhere, more) });
    expect([moved.status, (await ask({ path: '/identity-provider' })).body.issuer]).toEqual([409, provider.issuer]);
  });

  it('are unchanged without a mapping', async () => {
    provider.person = { ...provider.person, groups: ['audit'] };
    expect((await who(await logInBySso(test))).roles).toEqual(['analyst']);
  });
});

describe('GET /auth/logout/{tenant}', () => {
  it('ends our session, then the provider’s at its end_session_endpoint, then redirects to the login screen', async () => {
    const { body } = await logInBySso(test);
    const logout = () => send(`${test.url}/auth/logout/acme`, { headers: { idtoken: body.id_token } });
    const { status, headers } = await logout();
    const location = new URL(headers.location ?? '');
    expect([status, location.origin + location.pathname]).toEqual([302, `${provider.issuer}/logout`]);
    expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${test.url}/auth/login/acme`);
    expect(decodeJwt(location.searchParams.get('id_token_hint') ?? '').iss).toBe(provider.issuer);
    expect((await send(`${test.url}/test/api`, { headers: { idtoken: body.id_token } })).status).toBe(401);
    expect((await logout()).headers.location).toBe('/auth/login/acme');
  });

  it('accepts the session cookie', async () => {
    const jar: CookieJar = new Map();
    await logInBySso(test, { jar, returnTo: '/docs' });
    const { headers } = await browse(jar, `${test.url}/auth/logout/acme`);
    expect(headers.location).toContain(`${provider.issuer}/logout?`);
    expect(jar.has('sluice_session_acme')).toBe(false);
  });

  it('omits an ID token that is too long for a URL', async () => {
    provider.person = { ...provider.person, groups: Array.from({ length: 2000 }, (_, index) => `group-${index}`) };
    const { body } = await logInBySso(test);
    const { headers } = await send(`${test.url}/auth/logout/acme`, { headers: { idtoken: body.id_token } });
    expect(Object.fromEntries(new URL(headers.location ?? '').searchParams)).toEqual({
      client_id: 'sluice',
      post_logout_redirect_uri: `${test.url}/auth/login/acme`,
    });
  });

  it('redirects to the login screen when the provider has no such endpoint or is unavailable', async () => {
    for (const discovery of [
      (document: object) => ({ ...document, end_session_endpoint: undefined }),
      () => 'nothing of the kind',
    ]) {
      const { body } = await logInBySso(test);
      provider.faults = { discovery };
      const { headers } = await send(`${test.url}/auth/logout/acme`, { headers: { idtoken: body.id_token } });
      expect(headers.location).toBe('/auth/login/acme');
      provider.faults = {};
    }
  });
});
