import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CLIENT_SECRET,
  type Faults,
  type OpenIdProvider,
  type ReceivedResponse,
  send,
  startOpenIdProvider,
  UNKNOWN_EXTENSION,
} from '@sluice/testkit';
import {
  type Admin,
  adminOf,
  browse,
  type CookieJar,
  callbackUrlOf,
  logInBySso,
  providerInput,
  putProvider,
  recordsOf,
  SSO_SETTINGS,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

let test: TestHost;
let admin: Admin;
let otherTenantAdmin: Admin;
let provider: OpenIdProvider;
let other: OpenIdProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  other = await startOpenIdProvider();
  test = await startTestHost(SSO_SETTINGS);
  admin = await adminOf(test, test.acme);
  otherTenantAdmin = await adminOf(test, test.globex);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
beforeEach(async () => {
  provider.faults = {};
  provider.inUserInfo = [];
  provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  await test.rows('delete from login_failures');
  await putProvider(admin, providerInput(provider));
});

const sessionCount = async (): Promise<unknown> =>
  (await test.rows<{ count: string }>(`select count(*) as count from sessions where issuer is not null`))[0]?.count;

/** Asserts that no session was opened, for any response. */
async function expectRefused(ask: () => Promise<ReceivedResponse>, status: number): Promise<ReceivedResponse> {
  const before = await sessionCount();
  const answer = await ask();
  expect([answer.status, answer.body?.id_token, answer.headers['set-cookie']]).toEqual([status, undefined, undefined]);
  expect(await sessionCount()).toBe(before);
  return answer;
}

const expectOnRecord = async (answer: ReceivedResponse): Promise<void> => {
  const records = await recordsOf(test, answer);
  expect(records.map(([action]) => action)).toEqual(['LOGIN_FAILED']);
  expect(JSON.stringify(records)).not.toContain(CLIENT_SECRET);
};

const refusedOnRecord = async (faults: Faults, status: number): Promise<ReceivedResponse> => {
  provider.faults = faults;
  const answer = await expectRefused(() => logInBySso(test), status);
  await expectOnRecord(answer);
  return answer;
};

describe('a callback', () => {
  it('is valid once', async () => {
    const jar: CookieJar = new Map();
    const url = await callbackUrlOf(test, { jar });
    expect((await browse(jar, url)).status).toBe(200);
    await expectRefused(() => browse(jar, url), 400);
  });

  it('is valid once under concurrent requests', async () => {
    const jar: CookieJar = new Map();
    const url = await callbackUrlOf(test, { jar });
    const answers = await Promise.all(Array.from({ length: 5 }, () => browse(new Map(jar), url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('is rejected in another browser, with and without a cookie', async () => {
    const url = await callbackUrlOf(test);
    await expectRefused(() => send(url), 400);
    const others: CookieJar = new Map();
    await callbackUrlOf(test, { jar: others });
    await expectRefused(() => browse(others, url), 400);
  });

  it('is rejected at another tenant', async () => {
    await putProvider(otherTenantAdmin, providerInput(provider));
    const jar: CookieJar = new Map();
    const url = await callbackUrlOf(test, { jar });
    jar.set('sluice_login_globex', jar.get('sluice_login_acme') ?? '');
    await expectRefused(() => browse(jar, url.replace('/callback/acme', '/callback/globex')), 400);
  });

  it('is rejected ten minutes later', async () => {
    const jar: CookieJar = new Map();
    const url = await callbackUrlOf(test, { jar });
    await test.rows(`update login_transactions set expires = now() - interval '1 second'`);
    await expectRefused(() => browse(jar, url), 400);
  });

  it('is rejected after the provider was changed or removed', async () => {
    for (const change of [
      () => putProvider(admin, providerInput(other)),
      () => admin.ask({ method: 'DELETE', path: '/identity-provider' }),
    ]) {
      await putProvider(admin, providerInput(provider));
      const jar: CookieJar = new Map();
      const url = await callbackUrlOf(test, { jar });
      await change();
      await expectRefused(() => browse(jar, url), 400);
    }
  });

  it.each([
    ['nothing', ''],
    ['an empty state', '?state='],
    ['an unknown state', '?state=x&code=y'],
    ['a code alone', '?code=y'],
    ['an error alone', '?error=x'],
    ['two states', '?state=a&state=b'],
    ['a state that cannot be stored', '?state=%00'],
    ['a state that is too long', `?state=${'x'.repeat(9000)}`],
  ])('returns 400 with %s', async (_name, query) => {
    const jar: CookieJar = new Map();
    await callbackUrlOf(test, { jar });
    await expectRefused(() => browse(jar, `${test.url}/auth/callback/acme${query}`), 400);
  });

  it('responds with a page to a browser, and with JSON to a program', async () => {
    const url = `${test.url}/auth/callback/acme?state=x`;
    const page = await send(url, { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers['content-type'], page.headers['referrer-policy']]).toEqual([
      400,
      'text/html; charset=utf-8',
      'no-referrer',
    ]);
    expect(page.text).toContain('href="/auth/login/acme?with=provider"');
    expect(page.text).toContain('href="/auth/sign-in/acme"');
    expect((await send(url)).body.error).toBe('invalid_request');
    expect((await send(url, { method: 'HEAD' })).status).toBe(405);
  });

  it('leads back to the page from which the user came after an error, in the language of the reader', async () => {
    const jar: CookieJar = new Map();
    const url = await callbackUrlOf(test, { jar, returnTo: '/console/audit' });
    provider.faults = { token: (response) => Boolean(response.writeHead(500).end('{}')) };
    const page = await browse(jar, url, { accept: 'text/html', 'accept-language': 'de' });
    expect([page.status, page.text.includes('Der Identitätsanbieter ist nicht erreichbar')]).toEqual([503, true]);
    expect(page.text).toContain('href="/auth/login/acme?with=provider&amp;return_to=%2Fconsole%2Faudit"');
    expect(page.text).toContain('href="/auth/sign-in/acme?return_to=%2Fconsole%2Faudit"');
  });

  it('rejects HEAD', async () => {
    const jar: CookieJar = new Map();
    const url = await callbackUrlOf(test, { jar });
    const cookie = `sluice_login_acme=${jar.get('sluice_login_acme')}`;
    expect((await send(url, { method: 'HEAD', headers: { cookie } })).status).toBe(405);
    expect((await browse(jar, url)).status).toBe(200);
  });

  it.each([
    ['of another issuer (RFC 9207)', (answer: URLSearchParams) => answer.set('iss', other.issuer)],
    ['without an issuer', (answer: URLSearchParams) => answer.delete('iss')],
    ['without a code', (answer: URLSearchParams) => answer.delete('code')],
    ['with an unknown code', (answer: URLSearchParams) => answer.set('code', 'x')],
  ])('returns 401 %s', async (_name, callback) => {
    await refusedOnRecord({ callback }, 401);
  });

  it.each([
    ['access_denied', 401],
    ['login_required', 401],
    ['temporarily_unavailable', 503],
    ['server_error', 503],
    ['<script>alert(1)</script>', 401],
  ])('with error=%s returns %d with a plain sentence', async (error, status) => {
    const callback = (answer: URLSearchParams) => {
      answer.delete('code');
      answer.set('error', error);
      answer.set('error_description', 'description-of-the-provider');
    };
    const { text } = await refusedOnRecord({ callback }, status);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('description-of-the-provider');
  });

  it('cannot redeem the code of another login', async () => {
    const [mine, theirs]: [CookieJar, CookieJar] = [new Map(), new Map()];
    const url = new URL(await callbackUrlOf(test, { jar: mine }));
    const stolen = new URL(await callbackUrlOf(test, { jar: theirs })).searchParams.get('code') ?? '';
    url.searchParams.set('code', stolen);
    await expectOnRecord(await expectRefused(() => browse(mine, url.href), 401));
  });
});

const without = (name: string) => (claims: JWTPayload) => {
  const { [name]: _left, ...rest } = claims;
  return rest;
};
const withClaims = (more: JWTPayload) => (claims: JWTPayload) => ({ ...claims, ...more });
const nowSeconds = () => Math.floor(Date.now() / 1000);

const signedByOtherKey = async (claims: JWTPayload, header: Record<string, string>): Promise<string> => {
  const { privateKey } = await generateKeyPair('RS256');
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey);
};
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('an ID token of the provider returns 401 and opens no session when', () => {
  it.each([
    ['it is of another issuer', withClaims({ iss: 'https://other.example.com' })],
    ['it has no issuer', without('iss')],
    ['it has no subject', without('sub')],
    ['its subject is not a string', withClaims({ sub: 7 as unknown as string })],
    ['its subject is too long', withClaims({ sub: 'x'.repeat(3000) })],
    ['its subject cannot be stored', withClaims({ sub: 'a\0b' })],
    ['it is for another client', withClaims({ aud: 'other' })],
    [
      'it has several audiences and was issued to another client',
      withClaims({ aud: ['sluice', 'other'], azp: 'other' }),
    ],
    ['it has no audience', without('aud')],
    ['it has no issue time', without('iat')],
    ['it has no expiry', without('exp')],
    ['it has expired', withClaims({ exp: nowSeconds() - 120, iat: nowSeconds() - 300 })],
    ['it is not valid yet', withClaims({ nbf: nowSeconds() + 600 })],
    ['its nonce is of another login', withClaims({ nonce: 'of another login' })],
    ['it has no nonce', without('nonce')],
  ])('%s', async (_name, payload) => {
    await refusedOnRecord({ payload }, 401);
  });

  it.each([
    ['it is signed with another key', (claims: JWTPayload) => signedByOtherKey(claims, { kid: 'of-the-provider' })],
    ['its key is unknown', (claims: JWTPayload) => signedByOtherKey(claims, { kid: 'unknown' })],
    [
      'it is unsigned',
      (claims: JWTPayload) => `${encoded({ alg: 'none', kid: 'of-the-provider' })}.${encoded(claims)}.`,
    ],
    [
      'it is signed with the shared client secret',
      (claims: JWTPayload) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT_SECRET)),
    ],
    [
      'it was changed after it was signed',
      async (claims: JWTPayload) => {
        const [header, , signature] = (await provider.sign(claims)).split('.');
        return `${header}.${encoded({ ...claims, sub: 'the-admin' })}.${signature}`;
      },
    ],
    ['it brings its own key', (claims: JWTPayload) => provider.sign(claims).then(withOwnKey)],
    [
      'it has a critical extension that is unknown',
      (claims: JWTPayload) => provider.sign(claims, { crit: [UNKNOWN_EXTENSION], [UNKNOWN_EXTENSION]: 1 }),
    ],
  ] as const)('%s', async (_name, idToken) => {
    await refusedOnRecord({ idToken: idToken as NonNullable<Faults['idToken']> }, 401);
  });

  const withOwnKey = async (token: string): Promise<string> => {
    const [, payload = ''] = token.split('.');
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(publicKey) }).sign(privateKey);
  };

  it('it names no key and several match', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const another = { ...(await exportJWK(publicKey)), kid: 'another', use: 'sig' };
    await refusedOnRecord(
      { keys: (keys) => [...keys, another], idToken: (claims) => provider.sign(claims, { kid: undefined }) },
      401,
    );
  });

  it('the token response has no token or an invalid one (503)', async () => {
    await refusedOnRecord({ idToken: () => 'not.a.token' }, 503);
    await refusedOnRecord({ idToken: () => '' }, 401);
  });

  it('the user info belongs to another subject', async () => {
    provider.inUserInfo = ['email', 'email_verified'];
    await refusedOnRecord({ userInfo: (claims) => ({ ...claims, sub: 'the-admin' }) }, 401);
    await refusedOnRecord({ userInfo: ({ sub: _sub, ...claims }) => claims }, 401);
  });

  it('it is sent instead of our own ID token', async () => {
    const idToken = await provider.sign({ iss: provider.issuer, sub: 'ann', aud: 'sluice', exp: nowSeconds() + 60 });
    for (const path of ['/test/api', '/test/stream']) {
      expect((await send(`${test.url}${path}`, { headers: { idtoken: idToken } })).status).toBe(401);
    }
  });
});

describe('a provider that is unavailable or broken', () => {
  it.each<[string, NonNullable<Faults['token']>]>([
    ['answers 500', (response) => Boolean(response.writeHead(500).end('{}'))],
    ['answers HTML', (response) => Boolean(response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))],
    ['closes the connection', (response) => Boolean(response.destroy())],
    [
      'redirects elsewhere',
      (response) => Boolean(response.writeHead(307, { location: `${other.issuer}/token` }).end()),
    ],
    [
      'sends two megabytes without an end',
      (response) => Boolean(response.writeHead(200, { 'content-type': 'application/json' }).end('"'.padEnd(2 ** 21))),
    ],
  ])('returns 503 with an audit record when its token endpoint %s', async (_name, token) => {
    other.requestedPaths.length = 0;
    await refusedOnRecord({ token }, 503);
    expect(other.requestedPaths).toEqual([]);
  });

  it('returns 503 when it does not respond, at every step of a login', async () => {
    await refusedOnRecord({ token: () => true }, 503);
    provider.faults = { discovery: () => undefined };
    await expectRefused(() => send(`${test.url}/auth/login/acme`), 503);
  });

  it('returns 503 with a sentence for an admin when it rejects our client', async () => {
    await putProvider(admin, providerInput(provider, { client_secret: 'wrong' }));
    const answer = await expectRefused(() => logInBySso(test), 503);
    expect(answer.body.message).toContain('client id or secret');
    await expectOnRecord(answer);
  });

  it('returns 503 at the start of a login, as a page in a browser, and sets no cookie', async () => {
    provider.faults = { discovery: (_document, response) => void response.writeHead(500).end() };
    const begun = await expectRefused(() => send(`${test.url}/auth/login/acme`), 503);
    expect(begun.headers['retry-after']).toBe('5');
    const german = { accept: 'text/html', 'accept-language': 'de' };
    const page = await send(`${test.url}/auth/login/acme?return_to=/console/audit`, { headers: german });
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Der Identitätsanbieter ist nicht erreichbar');
    expect(page.text).toContain('href="/auth/sign-in/acme?return_to=%2Fconsole%2Faudit"');
  });

  it('does not affect existing sessions or password logins', async () => {
    const { body } = await logInBySso(test);
    provider.faults = { discovery: (_document, response) => void response.writeHead(500).end() };
    expect((await send(`${test.url}/test/api`, { headers: { idtoken: body.id_token } })).status).toBe(200);
    expect((await send(`${test.url}/auth/sign-in/acme`)).status).toBe(200);
  });

  it('does not redirect users when its discovery document names another issuer', async () => {
    provider.faults = { discovery: (document) => ({ ...document, issuer: other.issuer }) };
    await expectRefused(() => send(`${test.url}/auth/login/acme`), 503);
    provider.faults = { discovery: (document) => ({ ...document, authorization_endpoint: 'http://10.0.0.1/' }) };
    await expectRefused(() => send(`${test.url}/auth/login/acme`), 503);
  });
});

describe('failed logins of an address', () => {
  const failures = async () =>
    (await test.rows<{ failures: number }>(`select failures from login_failures where scope = 'address'`))[0]?.failures;

  it('are counted as password failures are, except failures of the provider', async () => {
    await refusedOnRecord({ token: (response) => Boolean(response.writeHead(500).end('{}')) }, 503);
    expect(await failures()).toBeUndefined();
    const callback = (answer: URLSearchParams) => answer.set('code', 'x');
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await refusedOnRecord({ callback }, 401);
      expect(await failures()).toBe(attempt);
    }
  });

  it('delay the next login of that address and reject none, because others may share it', async () => {
    await refusedOnRecord({ callback: (answer: URLSearchParams) => answer.set('code', 'x') }, 401);
    await test.rows('update login_failures set failures = 5000');
    provider.faults = {};
    const begun = performance.now();
    expect((await logInBySso(test)).status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThan(900);
  });
});

describe('rejected logins', () => {
  it('leave no code, token or secret in the log of the host or in the audit log', async () => {
    const kept = test.logLines.join('') + JSON.stringify(await test.rows('select * from audit_log'));
    const secrets = [...provider.issued, CLIENT_SECRET].filter((text) => text.length > 8);
    expect(secrets.length).toBeGreaterThan(100);
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
  });
});
