import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPasswords } from '@sluice/auth';
import { createAccountStore } from '@sluice/store/identity';
import { send } from '@sluice/testkit';
import { cookieHeader } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import {
  approve,
  createPkce,
  decide,
  hiddenFieldsOf,
  locationOf,
  openRequest,
  REDIRECT_URI,
  requestOf,
  signIn,
  startAuthorizationServer,
} from './oauth-requests.ts';

let test: TestHost;
const { challenge } = createPkce();

beforeAll(async () => {
  test = await startAuthorizationServer();
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const open = (changes: Record<string, string | undefined> = {}, options = {}) =>
  openRequest(test, requestOf(challenge, changes), options);

describe('GET /auth/{tenant}/oauth2/authorize', () => {
  it('leads to the login, which leads back to the request', async () => {
    const { status, headers } = await open();
    const login = new URL(headers.location ?? '', test.url);
    expect([status, login.pathname]).toEqual([302, '/auth/login/acme']);
    const back = new URL(login.searchParams.get('return_to') ?? '', test.url);
    expect(back.pathname).toBe('/auth/acme/oauth2/authorize');
    expect(Object.fromEntries(back.searchParams)).toEqual(requestOf(challenge));
    const form = await send(login.href);
    expect(form.headers.location).toBe(
      `/auth/sign-in/acme?${new URLSearchParams({ return_to: back.pathname + back.search })}`,
    );
  });

  it('asks the user, and names program, tenant, account and permissions', async () => {
    const { status, text, headers } = await open({ scope: 'query:run admin' }, { jar: await signIn(test) });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(text).toContain('Sluice command line asks to work in acme as ann@example.com.');
    expect(text).toContain('It may then do only this:');
    expect(text).toContain('<li>Run read-only SQL and download its result</li>');
    // Ann does not administer the tenant, so the program could not either.
    expect(text).not.toContain('Administer');
    expect(text).not.toContain('<script');
  });

  it.each([
    ['de', 'Sluice command line anmelden?'],
    ['fr', 'Autoriser la connexion de Sluice command line ?'],
    ['es', '¿Permitir que Sluice command line inicie sesión?'],
  ])('asks in the language %s', async (language, title) => {
    const options = { jar: await signIn(test), headers: { 'accept-language': language } };
    expect((await open({}, options)).text).toContain(`<h1>${title}</h1>`);
  });

  it('cannot be shown in a frame, and its form leads to this host and the program only', async () => {
    const { headers } = await open({}, { jar: await signIn(test) });
    const policy = headers['content-security-policy'];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`form-action 'self' ${new URL(REDIRECT_URI).origin};`);
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it('creates no code: only the form does', async () => {
    const count = () => test.rows('select count(*) from authorization_codes');
    const before = await count();
    expect((await open({}, { jar: await signIn(test) })).status).toBe(200);
    expect(await count()).toEqual(before);
  });
});

describe('an error that the program must not get', () => {
  it.each([
    ['an unknown client', { client_id: 'other' }],
    ['no client', { client_id: undefined }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:47113/other' }],
    ['a fragment', { redirect_uri: `${REDIRECT_URI}#x` }],
    ['a query', { redirect_uri: `${REDIRECT_URI}?x=1` }],
    ['user information', { redirect_uri: 'http://ann@127.0.0.1:47113/callback' }],
    ['a host in the user information', { redirect_uri: 'http://127.0.0.1:47113@evil.example/callback' }],
    ['upper case', { redirect_uri: 'HTTP://127.0.0.1:47113/callback' }],
    ['localhost', { redirect_uri: 'http://localhost:47113/callback' }],
    ['an international name', { redirect_uri: 'http://127。0。0。1:47113/callback' }],
    ['a path with dots', { redirect_uri: 'http://127.0.0.1:47113/x/../callback' }],
    ['script', { redirect_uri: 'javascript:alert(1)' }],
    ['a parameter that is too long', { state: 'x'.repeat(513) }],
    ['a request that is too long', { state: 'ä'.repeat(512) }],
  ])('is a page: %s', async (_name, changes) => {
    for (const jar of [new Map(), await signIn(test)]) {
      const { status, headers } = await open(changes, { jar });
      expect([status, headers.location]).toEqual([400, undefined]);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
    }
  });

  it('is a page: a parameter twice', async () => {
    for (const name of ['client_id', 'redirect_uri', 'state', 'code_challenge']) {
      const twice = `${new URLSearchParams(requestOf(challenge))}&${name}=x`;
      expect((await openRequest(test, twice)).status).toBe(400);
    }
  });

  it('is a page: an unknown tenant', async () => {
    expect((await openRequest(test, requestOf(challenge), { tenant: 'nobody' })).status).toBe(404);
  });

  it('names no address of the attacker', async () => {
    const { text } = await open({ redirect_uri: 'https://evil.example/callback' });
    expect(text).toContain('is not registered for it');
    expect(text).not.toContain('evil.example');
  });
});

describe('an error of the program', () => {
  it.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge that is not a SHA-256', { code_challenge: 'x' }, 'invalid_request'],
    ['no method, which would be plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['an unknown scope', { scope: 'query:run everything' }, 'invalid_scope'],
  ])('goes to it, with state and issuer: %s', async (_name, changes, error) => {
    const answer = await open(changes);
    const location = locationOf(answer);
    expect([answer.status, location.origin + location.pathname]).toEqual([302, REDIRECT_URI]);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error,
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: 'state of the program',
      iss: `${test.url}/auth/acme`,
    });
  });

  it('has no state if the request had none', async () => {
    const location = locationOf(await open({ state: undefined, response_type: 'token' }));
    expect([...location.searchParams.keys()]).toEqual(['error', 'error_description', 'iss']);
  });
});

describe('POST /auth/{tenant}/oauth2/consent', () => {
  const formOf = async (jar: Map<string, string>) => hiddenFieldsOf(await open({}, { jar }));

  it('sends a code of the user, with state and issuer', async () => {
    const location = await approve(test, requestOf(challenge), { jar: await signIn(test) });
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'state of the program',
      iss: `${test.url}/auth/acme`,
    });
  });

  it('stores the code as a hash only', async () => {
    const location = await approve(test, requestOf(challenge), { jar: await signIn(test) });
    const code = location.searchParams.get('code') ?? '';
    const stored = JSON.stringify(await test.rows('select code_hash::text, c::text from authorization_codes c'));
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(Buffer.from(code).toString('hex'));
  });

  it('sends access_denied when the user denies', async () => {
    const jar = await signIn(test);
    const answer = await decide(test, { ...(await formOf(jar)), decision: 'deny' }, { jar });
    const location = locationOf(answer);
    expect([answer.status, location.searchParams.get('error'), location.searchParams.get('code')]).toEqual([
      303,
      'access_denied',
      null,
    ]);
    expect(location.searchParams.get('iss')).toBe(`${test.url}/auth/acme`);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['null', { origin: 'null' }],
    ['no origin', {}],
  ] as const)('rejects a form of %s', async (_name, headers) => {
    const jar = await signIn(test);
    const answer = await decide(test, { ...(await formOf(jar)), decision: 'approve' }, { jar, headers });
    expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
  });

  it('checks the request again, so a changed form sends no code elsewhere', async () => {
    const jar = await signIn(test);
    const form = { ...(await formOf(jar)), decision: 'approve', redirect_uri: 'https://evil.example/callback' };
    const answer = await decide(test, form, { jar });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  });

  it('leads to the login without a session, and after a logout', async () => {
    const jar = await signIn(test);
    const form = { ...(await formOf(jar)), decision: 'approve' };
    await send(`${test.url}/auth/logout/acme`, { headers: cookieHeader(jar) });
    for (const each of [jar, new Map()]) {
      const answer = await decide(test, form, { jar: each });
      expect([answer.status, answer.headers.location]).toEqual([303, expect.stringMatching(/^\/auth\/login\/acme\?/)]);
    }
  });

  it('asks again if another user has signed in meanwhile', async () => {
    const passwords = createPasswords({ memoryKib: 64, passes: 1 });
    const bob = { email: 'bob@example.com', password: 'a password of bob' };
    const passwordHash = await passwords.hash(bob.password);
    const user = { tenantId: test.acme.tenantId, email: bob.email, passwordHash, roles: ['analyst'] };
    await createAccountStore(test.database).putUser(user);
    const form = await formOf(await signIn(test));
    const answer = await decide(test, { ...form, decision: 'approve' }, { jar: await signIn(test, bob) });
    expect([answer.status, answer.text.includes('as bob@example.com')]).toEqual([200, true]);
    expect(hiddenFieldsOf(answer)['account']).not.toBe(form['account']);
  });

  it('rejects a form of 1 MiB, and an unknown decision', async () => {
    const jar = await signIn(test);
    const form = await formOf(jar);
    expect((await decide(test, { ...form, decision: 'x'.repeat(1024 * 1024) }, { jar })).status).toBe(413);
    expect((await decide(test, { ...form, decision: 'perhaps' }, { jar })).status).toBe(400);
  });

  it('uses the session of its own tenant only', async () => {
    const form = await formOf(await signIn(test));
    const jar = await signIn(test, { tenant: 'globex' });
    const answer = await decide(test, { ...form, decision: 'approve' }, { jar });
    expect(answer.headers.location).toMatch(/^\/auth\/login\/acme\?/);
  });
});

it('GET /auth/{tenant}/oauth2/finished says that the window can be closed', async () => {
  const { status, text } = await send(`${test.url}/auth/acme/oauth2/finished`);
  expect([status, text.includes('You can close this window.')]).toEqual([200, true]);
});
