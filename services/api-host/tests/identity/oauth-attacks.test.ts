import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { type CookieJar, cookieHeader, logInAs, SEED_PASSWORD } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { bearer, passwordOf, postForm } from '@sluice/testkit/requests';
import {
  CLIENT,
  createPkce,
  decide,
  hiddenFieldsOf,
  obtainCode,
  openRequest,
  postToken,
  REDIRECT_URI,
  redeem,
  requestOf,
  signIn,
  startAuthorizationServer,
  who,
} from './oauth-requests.ts';

/**
 * Attacks of RFC 9700 (best current practice for OAuth 2.0), RFC 6819 and RFC 8628 section 5 that the tests of single endpoints leave out:
 * each is refused with the error of the RFC, and opens nothing.
 */
let test: TestHost;
let jar: CookieJar;
const { challenge } = createPkce();

beforeAll(async () => {
  // The test is a proxy that names the client.
  test = await startAuthorizationServer({ TRUSTED_PROXIES: '127.0.0.1' });
}, 120_000);
beforeEach(async () => {
  jar = await signIn(test);
});
afterAll(async () => await test?.[Symbol.asyncDispose]());

/** Programs whose codes the attacker may hold. A registered client needs only its id here. */
const OTHER_CLIENTS = ['an-unknown-client', 'SLUICE-CLI', 'etl'] as const;

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const MIB = 1024 * 1024;

/** Counts everything with which somebody could work. */
async function issued(): Promise<unknown> {
  const [row] = await test.rows(
    `select (select count(*) from sessions) as sessions, (select count(*) from authorization_codes) as codes,
      (select count(*) from refresh_tokens) as tokens,
      (select count(*) from device_authorizations where decision = 'approved') as devices`,
  );
  return row;
}

/** Sends a request that must open nothing. */
async function refused(attack: () => Promise<ReceivedResponse>): Promise<ReceivedResponse> {
  const before = await issued();
  const answer = await attack();
  expect(await issued()).toEqual(before);
  return answer;
}

const expectError = ({ status, body, headers }: ReceivedResponse, error: string, code = 400): void => {
  expect([status, body]).toEqual([code, { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) }]);
  expect(headers['cache-control']).toBe('no-store');
};
const expectPage = ({ status, headers }: ReceivedResponse, code = 400): void => {
  expect([status, headers.location, headers['content-type']]).toEqual([code, undefined, 'text/html; charset=utf-8']);
};

const endpoint = (name: string, tenant = 'acme') => `${test.url}/auth/${tenant}/oauth2/${name}`;
const beginDevice = async (tenant = 'acme') =>
  (await postForm(endpoint('device_authorization', tenant), { client_id: CLIENT })).body;
/** Headers of a form that a browser sends from our page. */
const pageHeaders = (origin = test.url) => ({ origin, accept: 'text/html' });
const devicePage = (fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  postForm(`${test.url}/auth/device/acme`, fields, { ...pageHeaders(), ...cookieHeader(jar), ...headers });

describe('a redirect URI that only resembles the registered one (RFC 9700 section 4.1)', () => {
  it.each([
    'http://127.0.0.1:0/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:080/callback',
    'http://127.0.0.1:+80/callback',
    'http://127.0.0.1:47113/callback/',
    'http://127.0.0.1:47113/CALLBACK',
    'http://127.0.0.1:47113/%63allback',
    'http://127.0.0.1:47113//callback',
    'http://127.0.0.1:47113/callback/..%2f',
    'http://127.0.0.1:47113/callback;x',
    'http://127.0.0.1:47113\\@evil.example/callback',
    'http://127.0.0.1:47113\t/callback',
    ' http://127.0.0.1:47113/callback',
    'http://127.0.0.1:47113/callback\r\nSet-Cookie: a=b',
    'http://127.0.0.1.evil.example:47113/callback',
    'http://127.0.0.1.xn--evil-9na.example/callback',
    'http://ｌocalhost:47113/callback',
    'http://127.0.0.١:47113/callback',
    'http://127.1:47113/callback',
    'http://2130706433:47113/callback',
    'http://0x7f.0.0.1:47113/callback',
    'http://[::1]:47113/callback',
    'http://[::ffff:127.0.0.1]:47113/callback',
    'https://127.0.0.1:47113/callback',
    '//127.0.0.1:47113/callback',
    '/callback',
    'http:127.0.0.1:47113/callback',
    'data:text/html,x',
  ])('%j gets a page, and no code, from the request and from the consent', async (redirectUri) => {
    const form = hiddenFieldsOf(await openRequest(test, requestOf(challenge), { jar }));
    const request = requestOf(challenge, { redirect_uri: redirectUri });
    expectPage(await refused(() => openRequest(test, request, { jar })));
    const consent = { ...form, redirect_uri: redirectUri, decision: 'approve' };
    expectPage(await refused(() => decide(test, consent, { jar, headers: pageHeaders() })));
  });

  it('leads nowhere after the login, which came back to such a request (section 4.11)', async () => {
    const query = new URLSearchParams(requestOf(challenge, { redirect_uri: 'https://evil.example/callback' }));
    const returnTo = `/auth/acme/oauth2/authorize?${query}`;
    const form = { email: 'ann@example.com', password: passwordOf('acme'), return_to: returnTo };
    const signedIn = await postForm(`${test.url}/auth/sign-in/acme`, form, { origin: test.url });
    if (signedIn.status === 303) expect(new URL(signedIn.headers.location ?? '', test.url).origin).toBe(test.url);
    expectPage(
      await refused(() => send(`${test.url}${returnTo}`, { headers: { ...pageHeaders(), ...cookieHeader(jar) } })),
    );
  });
});

describe('a code in the hands of somebody else (RFC 9700 sections 2.1.1 and 4.5)', () => {
  it.each(OTHER_CLIENTS)('is refused for the client %j, and stays with its own', async (clientId) => {
    const obtained = await obtainCode(test);
    expectError(await refused(() => redeem(test, obtained, { client_id: clientId })), 'invalid_client', 401);
    expect((await redeem(test, obtained)).status).toBe(200);
  });

  it('is refused with the verifier of another login, and at another tenant', async () => {
    const [victim, attacker] = [await obtainCode(test), await obtainCode(test)];
    const injected = { code: victim.code, verifier: attacker.verifier };
    expectError(await refused(() => redeem(test, injected)), 'invalid_grant');
    expectError(await refused(() => redeem(test, victim, {}, { tenant: 'globex' })), 'invalid_grant');
  });

  it.each([
    ['none', undefined, 'invalid_request'],
    ['an empty one', '', 'invalid_request'],
    ['one of 129 characters', 'x'.repeat(129), 'invalid_request'],
    ['one with other characters', `${'x'.repeat(42)}é`, 'invalid_grant'],
    ['one of spaces', ' '.repeat(43), 'invalid_grant'],
  ])('is refused with this verifier: %s', async (_name, verifier, error) => {
    const { code } = await obtainCode(test);
    expectError(await refused(() => redeem(test, { code, verifier: '' }, { code_verifier: verifier })), error);
  });

  it('is not issued without PKCE, whatever the request says twice (section 4.8)', async () => {
    const request = requestOf(challenge, { code_challenge_method: undefined });
    const query = `${new URLSearchParams(request)}&code_challenge_method=S256&code_challenge_method=plain`;
    expectPage(await refused(() => openRequest(test, query, { jar })));
  });
});

describe('one token instead of another', () => {
  it('is refused at the token endpoint', async () => {
    const { body: tokens } = await redeem(test, await obtainCode(test));
    const { code, verifier } = await obtainCode(test);
    const { device_code: deviceCode, user_code: userCode } = await beginDevice();
    const asCode = (value: string) => redeem(test, { code: value, verifier });
    const asRefresh = (value: string) =>
      postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: value });
    const asDevice = (value: string) =>
      postToken(test, { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: value });
    for (const attack of [
      ...[tokens.refresh_token, deviceCode, userCode].map((value) => () => asCode(value)),
      ...[tokens.access_token, code, deviceCode].map((value) => () => asRefresh(value)),
      ...[tokens.refresh_token, code, userCode].map((value) => () => asDevice(value)),
    ])
      expectError(await refused(attack), 'invalid_grant');
  });

  it('is refused as a credential, and an access token in an address is ignored (section 4.3.2)', async () => {
    const { body: tokens } = await redeem(test, await obtainCode(test));
    const { code } = await obtainCode(test);
    for (const text of [tokens.refresh_token, code]) expect((await who(test, text)).status).toBe(401);
    expect((await send(`${test.url}/me`, { headers: { idtoken: tokens.access_token } })).status).toBe(401);
    const query = new URLSearchParams({ access_token: tokens.access_token });
    expect((await send(`${test.url}/me/sessions?${query}`)).status).toBe(401);
  });
});

describe('a refusal of the token endpoint', () => {
  const recordsOf = (answer: ReceivedResponse) =>
    test.rows('select action, target, metadata from audit_log where request_id = $1', [
      String(answer.headers['x-request-id']),
    ]);
  // An address of its own: the refusals above have used up the records of the other one in this minute.
  const options = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const refresh = (token: string, fields: Record<string, string> = {}) =>
    postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: token, ...fields }, options);

  it('is on record once, with its reason and without what was sent', async () => {
    const obtained = await obtainCode(test);
    const { body: tokens } = await redeem(test, await obtainCode(test, { scope: 'query:run' }));
    const secret = 'text-in-the-wrong-field';
    const attacks: readonly (readonly [string, string, () => Promise<ReceivedResponse>])[] = [
      ['unknown', 'authorization_code', () => redeem(test, obtained, { client_id: secret }, options)],
      [CLIENT, 'authorization_code', () => redeem(test, { ...obtained, code: secret }, {}, options)],
      [CLIENT, 'authorization_code', () => redeem(test, { ...obtained, verifier: secret.repeat(2) }, {}, options)],
      [CLIENT, 'authorization_code', () => redeem(test, obtained, { resource: `https://${secret}.example` }, options)],
      [CLIENT, 'refresh_token', () => refresh(secret)],
      [CLIENT, 'refresh_token', () => refresh(tokens.refresh_token, { scope: 'admin' })],
      [
        CLIENT,
        DEVICE_GRANT,
        () => postToken(test, { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: secret }, options),
      ],
    ];
    for (const [target, method, attack] of attacks) {
      const records = await recordsOf(await refused(attack));
      expect(records).toEqual([
        { action: 'LOGIN_FAILED', target, metadata: { method, reason: expect.stringMatching(/^\w.+\.$/) } },
      ]);
      expect(JSON.stringify(records)).not.toContain(secret);
    }
  });

  it('is on record as the reuse that it is', async () => {
    const obtained = await obtainCode(test);
    const { body: tokens } = await redeem(test, obtained);
    const reused = await recordsOf(await redeem(test, obtained));
    expect(reused.map((record) => Reflect.get(record, 'action'))).toEqual(['AUTHORIZATION_CODE_REUSED']);
    expect(await recordsOf(await refresh(tokens.refresh_token))).toMatchObject([{ action: 'LOGIN_FAILED' }]);
  });

  it('has no record while a device waits for its user', async () => {
    const { device_code: deviceCode } = await beginDevice();
    const answer = await postToken(test, { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: deviceCode });
    expect([answer.body.error, await recordsOf(answer)]).toEqual(['authorization_pending', []]);
  });
});

describe('a mix-up of servers (RFC 9207, RFC 9700 section 4.4)', () => {
  it.each(['acme', 'globex'])(
    'is noticed: each response of %s names its issuer, whatever the Host header',
    async (tenant) => {
      const headers = { host: 'evil.example' };
      const errors = await openRequest(test, requestOf(challenge, { response_type: 'token' }), { tenant, headers });
      expect(new URL(errors.headers.location ?? '').searchParams.get('iss')).toBe(`${test.url}/auth/${tenant}`);
      const { body } = await send(`${test.url}/.well-known/oauth-authorization-server/auth/${tenant}`, { headers });
      expect([body.issuer, body.authorization_response_iss_parameter_supported]).toEqual([
        `${test.url}/auth/${tenant}`,
        true,
      ]);
    },
  );
});

describe('a consent that the user did not give (RFC 6819 section 4.4.1.9)', () => {
  it('is not taken from a link, from JSON, or from a page of another origin', async () => {
    const form = { ...hiddenFieldsOf(await openRequest(test, requestOf(challenge), { jar })), decision: 'approve' };
    const cookie = cookieHeader(jar);
    const link = `${endpoint('consent')}?${new URLSearchParams(form)}`;
    expect((await refused(() => send(link, { headers: cookie }))).status).toBe(405);
    const json = { ...cookie, origin: test.url, 'content-type': 'application/json' };
    const asJson = () => send(endpoint('consent'), { method: 'POST', headers: json, body: JSON.stringify(form) });
    expect((await refused(asJson)).status).toBe(415);
    const url = new URL(test.url);
    for (const origin of [
      `http://127.0.0.1:${Number(url.port) + 1}`,
      `https://${url.host}`,
      `${test.url}.evil.example`,
    ]) {
      expectPage(await refused(() => decide(test, form, { jar, headers: pageHeaders(origin) })), 403);
    }
  });

  it('is not taken in the session of another user', async () => {
    const other = await logInAs(test, ['analyst'], test.acme);
    const form = { ...hiddenFieldsOf(await openRequest(test, requestOf(challenge), { jar })), decision: 'approve' };
    const theirs = await signIn(test, { email: other.email, password: SEED_PASSWORD });
    const answer = await refused(() => decide(test, form, { jar: theirs }));
    expect([answer.status, answer.text.includes(`as ${other.email}`)]).toEqual([200, true]);
  });
});

describe('pages in a frame of another site (RFC 9700 section 4.16)', () => {
  const PAGES: readonly (readonly [string, () => Promise<ReceivedResponse>])[] = [
    ['the consent', () => openRequest(test, requestOf(challenge), { jar })],
    ['an error', () => openRequest(test, requestOf(challenge, { client_id: 'other' }), { jar })],
    ['the end of a login', () => send(endpoint('finished'))],
    ['the sign-in', () => send(`${test.url}/auth/sign-in/acme`)],
    ['the form for a code', () => send(`${test.url}/auth/device/acme`, { headers: cookieHeader(jar) })],
    ['a wrong code', () => devicePage({ user_code: 'BBBB-BBBB' })],
    ['the consent for a device', async () => devicePage({ user_code: (await beginDevice()).user_code })],
    [
      'the decision about a device',
      async () =>
        devicePage({ user_code: (await beginDevice()).user_code, account: test.acme.userId, decision: 'deny' }),
    ],
    ['a refused form', () => devicePage({ user_code: 'BBBB-BBBB' }, { origin: 'https://evil.example' })],
  ];
  it.each(PAGES)('are not shown, not kept, and leak no address: %s', async (_name, open) => {
    const { headers } = await open();
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect([headers['x-frame-options'], headers['cache-control']]).toEqual(['DENY', 'no-store']);
    // An error has no form, for whose Origin header the browser needs the policy.
    expect(['same-origin', 'no-referrer']).toContain(headers['referrer-policy']);
  });
});

describe('guesses at the codes of devices (RFC 8628 sections 5.1 and 5.2)', () => {
  it('find nothing in 100 requests, and slow nobody down who is logged in', async () => {
    const { body: tokens } = await redeem(test, await obtainCode(test));
    const poll = (index: number) =>
      postToken(test, { grant_type: DEVICE_GRANT, client_id: CLIENT, device_code: `guess-${index}`.padEnd(43, 'x') });
    const failures = () => test.rows('select count(*) from login_failures');
    const [before, failuresBefore] = [await issued(), await failures()];
    const guesses = Promise.all(Array.from({ length: 100 }, (_, index) => poll(index)));
    const mine = await Promise.all([
      who(test, tokens.access_token),
      send(`${test.url}/me/sessions`, { headers: bearer(tokens.access_token) }),
      openRequest(test, requestOf(challenge), { jar }),
      postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: tokens.refresh_token }),
    ]);
    expect(mine.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const answer of await guesses) expectError(answer, 'invalid_grant');
    // Nothing is counted, so no throttle waits for anybody.
    expect(await failures()).toEqual(failuresBefore);
    const after = (await issued()) as Record<string, string>;
    expect(after['sessions']).toBe((before as Record<string, string>)['sessions']);
  });

  it('of 100 user codes end after five, while the rest of the session of the guesser works', async () => {
    const guesser = await logInAs(test, ['analyst'], test.acme);
    jar = await signIn(test, { email: guesser.email, password: SEED_PASSWORD });
    const statuses: number[] = [];
    const begunMs = performance.now();
    for (let guess = 0; guess < 100; guess += 1) {
      statuses.push((await refused(() => devicePage({ user_code: 'BCDF-GHJK' }))).status);
    }
    expect(statuses.slice(0, 6)).toEqual([...Array(5).fill(400), 429]);
    // A wait of 5 s may end before a busy machine has sent them all. Each end of one allows a guess, and no other does.
    const waits = Math.floor((performance.now() - begunMs) / 5_000);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(5 + waits);
    expect((await openRequest(test, requestOf(challenge), { jar })).status).toBe(200);
    jar = await signIn(test);
    expect((await devicePage({ user_code: (await beginDevice()).user_code })).status).toBe(200);
  });

  it.each([
    ['en', 'wants to use your account'],
    ['de', 'will Ihr Konto benutzen'],
    ['fr', 'veut utiliser votre compte'],
    ['es', 'quiere usar su cuenta'],
  ])('by a link of an attacker are warned of in %s (section 5.4)', async (language, warning) => {
    const { user_code: userCode } = await beginDevice();
    const { text } = await devicePage({ user_code: userCode }, { 'accept-language': language });
    expect(text).toMatch(new RegExp(`<p role="alert">[^<]*${warning}`));
    for (const shown of [userCode, '127.0.0.1', 'ann@example.com']) expect(text).toContain(shown);
  });
});

describe('forms that no program sends', () => {
  const OAUTH = ['token', 'revoke', 'device_authorization'];
  /** Fields with which each endpoint would do something. */
  const fieldsOf = async (name: string): Promise<string> => {
    const { code, verifier } = await obtainCode(test);
    const fields = {
      token: { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI },
      revoke: { token: (await redeem(test, await obtainCode(test))).body.access_token },
      device_authorization: {},
    }[name];
    return `${new URLSearchParams({ ...fields, client_id: CLIENT })}`;
  };

  it.each(OAUTH)('name two clients: %s', async (name) => {
    const fields = await fieldsOf(name);
    for (const other of [CLIENT, 'other', '']) {
      expectError(await refused(() => postForm(endpoint(name), `${fields}&client_id=${other}`)), 'invalid_request');
    }
  });

  it.each(OAUTH)('have 1 MiB: %s', async (name) => {
    const form = `${await fieldsOf(name)}&x=${'x'.repeat(MIB)}`;
    expectError(await refused(() => postForm(endpoint(name), form)), 'invalid_request', 413);
  });

  it.each(OAUTH)('are JSON: %s', async (name) => {
    const body = JSON.stringify(Object.fromEntries(new URLSearchParams(await fieldsOf(name))));
    const headers = { 'content-type': 'application/json' };
    const answer = await refused(() => send(endpoint(name), { method: 'POST', headers, body }));
    expect([answer.status, answer.body.error]).toEqual([415, 'invalid_request']);
  });

  it('have 1 MiB, or a field twice, on the pages', async () => {
    const form = `${new URLSearchParams({
      ...hiddenFieldsOf(await openRequest(test, requestOf(challenge), { jar })),
      decision: 'approve',
    })}`;
    const headers = { ...pageHeaders(), ...cookieHeader(jar) };
    for (const twice of ['client_id=other', 'decision=deny', 'account=x', `redirect_uri=${REDIRECT_URI}`]) {
      expectPage(await refused(() => postForm(endpoint('consent'), `${form}&${twice}`, headers)));
    }
    const { user_code: userCode } = await beginDevice();
    const device = `user_code=${userCode}&account=${test.acme.userId}&decision=approve`;
    for (const twice of ['user_code=x', 'decision=approve', 'account=x']) {
      expectPage(await refused(() => devicePage(`${device}&${twice}`)));
    }
    expectPage(await refused(() => devicePage(`${device}&x=${'x'.repeat(MIB)}`)), 413);
  });
});
