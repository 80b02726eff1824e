import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import { adminOf, type CookieJar, cookieHeader } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import {
  CLIENT,
  createPkce,
  decide,
  hiddenFieldsOf,
  locationOf,
  obtainCode,
  openRequest,
  REDIRECT_URI,
  redeem,
  requestOf,
  signIn,
  startAuthorizationServer,
} from './oauth-requests.ts';

/**
 * Requests of programs, and of users about programs, that are refused: each has exactly one record, without anything secret that was sent, and
 * opens nothing. `oauth-attacks.test.ts` has those of codes and tokens.
 */
let test: TestHost;
let jar: CookieJar;
/** Time by which the clock of the host is ahead. */
let aheadMs = 0;
const { challenge } = createPkce();
const USER = 'ann@example.com';
const SECRET = 'a-secret-in-the-wrong-field';
const MIB = 1024 * 1024;

beforeAll(async () => {
  // The test is a proxy that names the client.
  test = await startAuthorizationServer({ TRUSTED_PROXIES: '127.0.0.1' }, { now: () => Date.now() + aheadMs });
  jar = await signIn(test);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

/** Address of the client: another one in each test, because the records of one address are limited. */
let source: Record<string, string>;
let sources = 0;
beforeEach(() => {
  sources += 1;
  source = { 'x-forwarded-for': `203.0.113.${sources}` };
});

type Attack = () => Promise<ReceivedResponse>;

const endpoint = (name: string) => `${test.url}/auth/acme/oauth2/${name}`;
const form = (name: string, fields: Record<string, string> | string) => postForm(endpoint(name), fields, source);
const ask = (changes: Record<string, string | undefined> = {}, headers: Record<string, string> = {}) =>
  openRequest(test, requestOf(challenge, changes), { jar, headers: { ...source, ...headers } });
const askTwice = (field: string) =>
  openRequest(test, `${new URLSearchParams(requestOf(challenge))}&${field}`, { jar, headers: source });
const page = () => ({ ...source, origin: test.url, accept: 'text/html' });
const consentFields = async () => hiddenFieldsOf(await openRequest(test, requestOf(challenge), { jar }));
const consent = async (changes: Record<string, string>, headers: Record<string, string> = {}) =>
  decide(
    test,
    { ...(await consentFields()), decision: 'approve', ...changes },
    { jar, headers: { ...page(), ...headers } },
  );
const consentText = async (more: string) =>
  postForm(endpoint('consent'), `${new URLSearchParams({ ...(await consentFields()), decision: 'approve' })}&${more}`, {
    ...page(),
    ...cookieHeader(jar),
  });
const device = (fields: Record<string, string> | string, headers: Record<string, string> = {}) =>
  postForm(`${test.url}/auth/device/acme`, fields, { ...page(), ...cookieHeader(jar), ...headers });
const beginDevice = async (): Promise<string> =>
  (await form('device_authorization', { client_id: CLIENT })).body.user_code;

async function issued(): Promise<unknown> {
  const [row] = await test.rows(
    `select (select count(*) from sessions) as sessions, (select count(*) from authorization_codes) as codes,
      (select count(*) from refresh_tokens) as tokens,
      (select count(*) from device_authorizations where decision = 'approved') as devices`,
  );
  return row;
}

const recordsOf = ({ headers }: ReceivedResponse) =>
  test.rows('select user_name as user, action, target, address, metadata from audit_log where request_id = $1', [
    String(headers['x-request-id']),
  ]);

interface Expected {
  readonly method: string;
  readonly target?: string;
  readonly user?: string;
}

/** Expects exactly one record of a request that must open nothing. */
async function expectRefused(attack: Attack, { method, target = CLIENT, user = 'unknown' }: Expected): Promise<string> {
  const before = await issued();
  const answer = await attack();
  expect(await issued()).toEqual(before);
  const records = await recordsOf(answer);
  const reason = expect.stringMatching(/^\w.{8,298}\.$/);
  const address = source['x-forwarded-for'];
  expect([answer.status, records]).toEqual([
    answer.status,
    [{ user, action: 'LOGIN_FAILED', target, address, metadata: { method, reason } }],
  ]);
  expect(JSON.stringify(records)).not.toContain(SECRET);
  const error = answer.headers.location === undefined ? undefined : locationOf(answer).searchParams.get('error');
  return `${answer.status} ${error ?? answer.body?.error ?? 'page'}`;
}

describe('an authorization request', () => {
  it.each<readonly [string, Record<string, string | undefined>, string, Partial<Expected>?]>([
    ['an unknown client', { client_id: SECRET }, '400 page', { target: 'unknown' }],
    ['the reserved id of the console', { client_id: 'sluice-console' }, '400 page', { target: 'unknown' }],
    ['no client', { client_id: undefined }, '400 page', { target: 'unknown' }],
    ['a redirect URI elsewhere', { redirect_uri: `https://${SECRET}.example/callback` }, '400 page'],
    ['a redirect URI with a fragment', { redirect_uri: `${REDIRECT_URI}#${SECRET}` }, '400 page'],
    ['a redirect URI with user information', { redirect_uri: `http://${SECRET}@127.0.0.1/callback` }, '400 page'],
    ['a redirect URI in upper case', { redirect_uri: REDIRECT_URI.toUpperCase() }, '400 page'],
    ['a redirect URI with a port that does not exist', { redirect_uri: 'http://127.0.0.1:65536/callback' }, '400 page'],
    ['an international name', { redirect_uri: 'http://127。0。0。1:47113/callback' }, '400 page'],
    ['an unknown scope', { scope: `query:run ${SECRET}` }, '302 invalid_scope'],
    ['an unknown host', { resource: `https://${SECRET}.example` }, '302 invalid_target'],
    ['the method plain (a downgrade of PKCE)', { code_challenge_method: 'plain' }, '302 invalid_request'],
    ['no challenge', { code_challenge: undefined }, '302 invalid_request'],
    ['the implicit grant', { response_type: 'token' }, '302 unsupported_response_type'],
    ['a request object', { request: SECRET }, '302 request_not_supported'],
    ['an unknown prompt', { prompt: SECRET }, '302 invalid_request'],
    ['a state that is too long', { state: SECRET.repeat(100) }, '400 page', { target: 'unknown', user: 'unknown' }],
    ['a request that is too long', { state: 'ä'.repeat(512) }, '400 page'],
  ])('with %s has one record', async (_name, changes, outcome, expected = {}) => {
    const refused = { method: 'authorize', user: USER, ...expected };
    expect(await expectRefused(() => ask(changes), refused)).toBe(outcome);
  });

  it.each(['client_id=other', `redirect_uri=${REDIRECT_URI}`, 'code_challenge=x', `${SECRET}=1&${SECRET}=2`])(
    'with a parameter twice has one record: %s',
    async (field) => {
      const refused = { method: 'authorize', target: 'unknown' };
      expect(await expectRefused(() => askTwice(field), refused)).toBe('400 page');
    },
  );

  it('without a session has one record, of no user', async () => {
    const attack = () => openRequest(test, requestOf(challenge, { scope: SECRET }), { headers: source });
    expect(await expectRefused(attack, { method: 'authorize' })).toBe('302 invalid_scope');
  });

  it.each(['iframe', 'frame', 'embed', 'object', 'fencedframe'])(
    'of a page in a frame (%s) is refused, with one record',
    async (destination) => {
      const headers = { 'sec-fetch-dest': destination, 'sec-fetch-site': 'cross-site' };
      expect(await expectRefused(() => ask({}, headers), { method: 'authorize', user: USER })).toBe('403 page');
      const devicePage = () =>
        send(`${test.url}/auth/device/acme`, { headers: { ...page(), ...headers, ...cookieHeader(jar) } });
      expect(await expectRefused(devicePage, { method: 'user_code', target: 'unknown' })).toBe('403 page');
    },
  );
});

describe('a consent', () => {
  it.each<readonly [string, () => Promise<ReceivedResponse>, string]>([
    ['of another site', () => consent({}, { origin: 'https://evil.example' }), '403 page'],
    ['without an origin', () => consent({}, { origin: '' }), '403 page'],
    ['with another redirect URI', () => consent({ redirect_uri: `https://${SECRET}.example/` }), '400 page'],
    ['with a wider, unknown scope', () => consent({ scope: SECRET }), '303 invalid_scope'],
    ['without PKCE', () => consent({ code_challenge_method: 'plain' }), '303 invalid_request'],
    ['that the user denies', () => consent({ decision: 'deny' }), '303 access_denied'],
  ])('%s has one record, with the user', async (_name, attack, outcome) => {
    expect(await expectRefused(attack, { method: 'consent', user: USER })).toBe(outcome);
  });

  it('for an unknown client has one record', async () => {
    const refused = { method: 'consent', user: USER, target: 'unknown' };
    expect(await expectRefused(() => consent({ client_id: SECRET }), refused)).toBe('400 page');
  });

  it.each([
    ['two clients', 'client_id=other', '400 page'],
    ['two decisions', 'decision=deny', '400 page'],
    ['1 MiB', `x=${'x'.repeat(MIB)}`, '413 page'],
  ])('with %s has one record', async (_name, more, outcome) => {
    expect(await expectRefused(() => consentText(more), { method: 'consent', target: 'unknown' })).toBe(outcome);
  });
});

describe('a login of a device', () => {
  it.each<readonly [string, Record<string, string> | string, string, string?]>([
    ['an unknown client', { client_id: SECRET }, '401 invalid_client', 'unknown'],
    ['no client', {}, '401 invalid_client', 'unknown'],
    ['a secret of a public client', { client_id: CLIENT, client_secret: SECRET }, '401 invalid_client'],
    ['an unknown scope', { client_id: CLIENT, scope: SECRET }, '400 invalid_scope'],
    ['an unknown host', { client_id: CLIENT, resource: `https://${SECRET}.example` }, '400 invalid_target'],
    ['two clients', `client_id=${CLIENT}&client_id=${SECRET}`, '400 invalid_request', 'unknown'],
    ['1 MiB', `client_id=${CLIENT}&x=${'x'.repeat(MIB)}`, '413 invalid_request', 'unknown'],
  ])('with %s has one record', async (_name, fields, outcome, target = CLIENT) => {
    const attack = () => form('device_authorization', fields);
    expect(await expectRefused(attack, { method: 'device_authorization', target })).toBe(outcome);
  });

  it.each<readonly [string, () => Promise<ReceivedResponse>, string, string?]>([
    ['a wrong code', () => device({ user_code: 'BBBB-BBBB' }), '400 page', USER],
    ['a code that cannot be one', () => device({ user_code: SECRET }), '400 page', USER],
    [
      'a form of another site',
      async () => device({ user_code: await beginDevice() }, { origin: 'https://evil.example' }),
      '403 page',
    ],
    ['two codes', () => device(`user_code=BBBB-BBBB&user_code=${SECRET}`), '400 page'],
    ['1 MiB', () => device(`user_code=BBBB-BBBB&x=${'x'.repeat(MIB)}`), '413 page'],
  ])('of which the page gets %s has one record', async (_name, attack, outcome, user = 'unknown') => {
    expect(await expectRefused(attack, { method: 'user_code', target: 'unknown', user })).toBe(outcome);
  });

  it('that the user denies has one record, with user and program', async () => {
    const fields = { ...hiddenFieldsOf(await device({ user_code: await beginDevice() })), decision: 'deny' };
    expect(await expectRefused(() => device(fields), { method: 'user_code', user: USER })).toBe('200 page');
  });
});

describe('a request with a credential of a program', () => {
  const code = { grant_type: 'authorization_code', client_id: CLIENT, redirect_uri: REDIRECT_URI };
  it.each<readonly [string, Record<string, string> | string, string, Expected]>([
    ['no code', code, '400 invalid_request', { method: 'authorization_code' }],
    ['no verifier', { ...code, code: SECRET }, '400 invalid_request', { method: 'authorization_code' }],
    ['an unknown grant type', { ...code, grant_type: SECRET }, '400 unsupported_grant_type', { method: 'token' }],
    ['the password grant', { ...code, grant_type: 'password' }, '400 unsupported_grant_type', { method: 'token' }],
    ['no grant type', { code: SECRET }, '400 invalid_request', { method: 'token', target: 'unknown' }],
    [
      'two clients',
      `${new URLSearchParams(code)}&client_id=${SECRET}`,
      '400 invalid_request',
      { method: 'token', target: 'unknown' },
    ],
    ['1 MiB', `x=${'x'.repeat(MIB)}`, '413 invalid_request', { method: 'token', target: 'unknown' }],
    [
      'no secret of a service account',
      { grant_type: 'client_credentials', client_id: SECRET },
      '401 invalid_client',
      { method: 'client_credentials', target: 'unknown' },
    ],
  ])('for a token, with %s, has one record', async (_name, fields, outcome, expected) => {
    expect(await expectRefused(() => form('token', fields), expected)).toBe(outcome);
  });

  it('for the end of a session has one record', async () => {
    const refused = { method: 'revoke', target: 'unknown' };
    const unknown = () => form('revoke', { client_id: SECRET, token: SECRET });
    expect(await expectRefused(unknown, refused)).toBe('401 invalid_client');
    const twice = () => form('revoke', `client_id=${CLIENT}&client_id=${CLIENT}&token=${SECRET}`);
    expect(await expectRefused(twice, refused)).toBe('400 invalid_request');
  });

  it('for an introspection has one record', async () => {
    const refused = { method: 'introspect', target: 'unknown' };
    const without = () => form('introspect', { token: SECRET });
    expect(await expectRefused(without, refused)).toBe('401 invalid_client');
    expect(await expectRefused(() => form('introspect', `token=${'x'.repeat(MIB)}`), refused)).toBe(
      '413 invalid_request',
    );
    const wrong = await form('introspect', { token: SECRET, client_id: 'etl', client_secret: SECRET });
    expect([wrong.status, (await recordsOf(wrong)).map((record) => Reflect.get(record, 'metadata'))]).toEqual([
      401,
      [{ method: 'client_secret' }],
    ]);
  });
});

it('the id of the console is reserved: no endpoint knows it, and a tenant cannot register it', async () => {
  const client = 'sluice-console';
  const { code, verifier } = await obtainCode(test);
  for (const attack of [
    () => redeem(test, { code, verifier }, { client_id: client }, { headers: source }),
    () => form('token', { grant_type: 'refresh_token', client_id: client, refresh_token: SECRET }),
    () => form('device_authorization', { client_id: client }),
    () => form('revoke', { client_id: client, token: SECRET }),
  ])
    expect((await attack()).body.error).toBe('invalid_client');
  const admin = await adminOf(test, test.acme);
  const body = { client_id: client, name: 'x', type: 'public', redirect_uris: ['http://127.0.0.1/callback'] };
  const registered = await admin.ask({ method: 'POST', path: '/oauth-clients', body });
  expect([registered.status, registered.body.message]).toEqual([
    400,
    expect.stringContaining('these ids belong to the product'),
  ]);
});

describe('no record', () => {
  it('has what a program may ask for without a page, a login, and an approval', async () => {
    const silent = await ask({ prompt: 'none' });
    const signedOut = await openRequest(test, requestOf(challenge, { prompt: 'none' }), { headers: source });
    const toLogin = await openRequest(test, requestOf(challenge), { headers: source });
    const frame = await ask({ prompt: 'none' }, { 'sec-fetch-dest': 'iframe' });
    const approved = await consent({});
    expect([silent, signedOut, frame].map((answer) => locationOf(answer).searchParams.get('error'))).toEqual([
      'consent_required',
      'login_required',
      'consent_required',
    ]);
    for (const answer of [silent, signedOut, toLogin, frame, approved]) expect(await recordsOf(answer)).toEqual([]);
  });
});

it('a flood of one address causes 30 records in a minute, and one with the number of the others', async () => {
  const [ofFlood, ofOther] = [{ ...source }, { 'x-forwarded-for': '198.51.100.1' }];
  const flood = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        postForm(
          endpoint('token'),
          { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: `${index}` },
          ofFlood,
        ),
      ),
    );
  const answers = await flood(100);
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.error}`))).toEqual(new Set(['400 invalid_grant']));
  const recorded = async (): Promise<object[]> =>
    await test.rows('select action, user_name as user, target, metadata from audit_log where address = $1', [
      ofFlood['x-forwarded-for'],
    ]);
  expect(await recorded()).toHaveLength(30);
  // Another address is not affected, nor is a login.
  source = ofOther;
  await expectRefused(() => form('token', { grant_type: SECRET }), { method: 'token', target: 'unknown' });
  expect((await redeem(test, await obtainCode(test), {}, { headers: ofFlood })).status).toBe(200);
  aheadMs += 61_000;
  const [summary] = await until(
    async () => {
      const found = (await recorded()).filter((record) => 'left_out' in Reflect.get(record, 'metadata'));
      return found.length > 0 ? found : undefined;
    },
    { what: 'the number of the requests that were left out' },
  );
  expect(summary).toEqual({
    action: 'LOGIN_FAILED',
    user: 'unknown',
    target: 'unknown',
    metadata: { left_out: 70, reason: 'Too many requests within a minute.' },
  });
});
