import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CLIENT_ID,
  type OpenIdProvider,
  type ReceivedResponse,
  send,
  startOpenIdProvider,
  until,
} from '@sluice/testkit';
import {
  type Admin,
  adminOf,
  type CookieJar,
  logInBySso,
  providerInput,
  putProvider,
  recordsOf,
  SSO_SETTINGS,
} from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { decodeJwt } from 'jose';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const ENDED_WITHIN_MS = 2_000;

let test: TestHost;
let admin: Admin;
let provider: OpenIdProvider;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  test = await startTestHost(SSO_SETTINGS);
  admin = await adminOf(test, test.acme);
}, 120_000);
afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  provider.faults = {};
  expect((await putProvider(admin, providerInput(provider))).status).toBe(200);
});

/** Logs ann in, and returns her tokens. `sid` is the session at the provider. */
async function logIn(sid: string | undefined, jar: CookieJar = new Map()): Promise<string> {
  provider.person = {
    sub: 'ann',
    email: 'ann@example.com',
    email_verified: true,
    ...(sid === undefined ? {} : { sid }),
  };
  const answer = await logInBySso(test, { jar });
  expect(answer.status).toBe(200);
  return answer.body.id_token;
}
const statusesOf = (idToken: string): Promise<number[]> =>
  Promise.all(
    ['/test/api', '/test/stream'].map(
      async (path) => (await send(`${test.url}${path}`, { headers: { idtoken: idToken } })).status,
    ),
  );
const expectOpen = async (idToken: string): Promise<void> => expect(await statusesOf(idToken)).toEqual([200, 200]);
const expectEnded = async (idToken: string): Promise<void> => {
  await until(async () => (await statusesOf(idToken)).every((status) => status === 401) || undefined, {
    what: 'the end of the session',
    withinMs: ENDED_WITHIN_MS,
  });
};

const claimsOf = (changes: Record<string, unknown> = {}) => {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, exp: now + 120 };
  return { iss: provider.issuer, aud: CLIENT_ID, ...times, jti: randomUUID(), events: { [EVENT]: {} }, ...changes };
};
const post = (form: Record<string, string> | string, tenant = 'acme'): Promise<ReceivedResponse> =>
  postForm(`${test.url}/auth/backchannel-logout/${tenant}`, form);
const end = async (changes: Record<string, unknown>, tenant?: string): Promise<ReceivedResponse> =>
  await post({ logout_token: await provider.sign(claimsOf(changes), { typ: 'logout+jwt' }) }, tenant);

const expectRefused = ({ status, body, headers }: ReceivedResponse, code = 400): void => {
  const error_description = expect.stringMatching(/^[\x20-\x7e]+$/);
  expect([status, body]).toEqual([code, { error: 'invalid_request', error_description }]);
  expect(headers['cache-control']).toBe('no-store');
};

describe('POST /auth/backchannel-logout/{tenant}', () => {
  it('ends the session of a sid on both hosts within 2 s, with a record, and no other', async () => {
    const [one, other] = [await logIn('one'), await logIn('other')];
    const answer = await end({ sid: 'one' });
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([
      200,
      { ended_count: 1 },
      'no-store',
    ]);
    await expectEnded(one);
    await expectOpen(other);
    expect(await recordsOf(test, answer)).toEqual([['LOGOUT', 'ann@example.com', { issuer: provider.issuer }]]);
    const ended = test.rows('select session_id from audit_log where request_id = $1', [answer.headers['x-request-id']]);
    expect(await ended).toEqual([{ session_id: decodeJwt(one)['sid'] }]);
  });

  it('ends all sessions of a sub, also those of a provider that names no sid', async () => {
    const sessions = [await logIn('of-sub'), await logIn(undefined)];
    expect((await end({ sub: 'somebody else' })).body).toEqual({ ended_count: 0 });
    for (const session of sessions) await expectOpen(session);
    expect((await end({ sub: 'ann' })).status).toBe(200);
    for (const session of sessions) await expectEnded(session);
  });

  it('needs both to be those of the session when it gets both', async () => {
    const [named, unnamed] = [await logIn('both'), await logIn(undefined)];
    expect((await end({ sid: 'both', sub: 'bob' })).body).toEqual({ ended_count: 0 });
    await expectOpen(named);
    // The session without a sid may be the one that has ended.
    expect((await end({ sid: 'both', sub: 'ann' })).body).toEqual({ ended_count: 2 });
    for (const session of [named, unnamed]) await expectEnded(session);
  });

  it('ends the session of a browser, whose refresh and cookie stop too, and says so again for an ended one', async () => {
    provider.person = { sub: 'ann', email: 'ann@example.com', email_verified: true, sid: 'browser' };
    const jar: CookieJar = new Map();
    const cookie = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await logInBySso(test, { jar, returnTo: '/openapi.json' })).status).toBe(302);
    const fetchTokens = () => postForm(`${test.url}/auth/session/acme`, '', { origin: test.url, cookie: cookie() });
    const { body } = await fetchTokens();
    expect((await end({ sid: 'browser' })).body).toEqual({ ended_count: 1 });
    await expectEnded(body.id_token);
    expect((await fetchTokens()).status).toBe(204);
    const refreshed = await postForm(`${test.url}/auth/refresh/acme`, { refresh_token: body.refresh_token });
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
    expect((await end({ sid: 'browser' })).body).toEqual({ ended_count: 0 });
  });

  it('accepts a token once, of many requests at the same time too', async () => {
    await logIn('once');
    const logout_token = await provider.sign(claimsOf({ sid: 'once' }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ logout_token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another client', { aud: 'other' }],
    ['a nonce', { nonce: 'n' }],
    ['no event', { events: {} }],
    ['neither sid nor sub', { sid: undefined }],
    ['no jti', { jti: undefined }],
    ['an end in the past', { exp: 1 }],
  ])('refuses a token with %s, and ends nothing', async (_name, changes) => {
    const session = await logIn('kept');
    expectRefused(await end({ sid: 'kept', ...changes }));
    await expectOpen(session);
  });

  it('refuses an ID token, our own tokens, and text that is not a token', async () => {
    const session = await logIn('kept');
    const ofProvider = provider.issued.at(-1) ?? '';
    for (const logout_token of [ofProvider, session, 'x', 'a.b.c']) expectRefused(await post({ logout_token }));
    for (const form of ['', 'logout_token=', 'logout_token=x&logout_token=x']) expectRefused(await post(form));
    expectRefused(await post({ logout_token: 'x'.repeat(1024 * 1024) }), 413);
    await expectOpen(session);
  });

  it('refuses the token at a tenant with another provider, or with none', async () => {
    const session = await logIn('kept');
    expectRefused(await end({ sid: 'kept' }, 'globex'));
    const globex = await adminOf(test, test.globex);
    expect((await putProvider(globex, providerInput(provider))).status).toBe(200);
    // The same provider, whose token is valid there: only sessions of that tenant end.
    expect((await end({ sid: 'kept' }, 'globex')).body).toEqual({ ended_count: 0 });
    await expectOpen(session);
    expect((await post({ logout_token: 'x' }, 'nobody')).status).toBe(404);
  });

  it('returns 400, as the specification says, while the keys of the provider cannot be read', async () => {
    const session = await logIn('kept');
    provider.faults = { discovery: (_document, response) => void response.writeHead(503).end() };
    const answer = await end({ sid: 'kept' });
    expectRefused(answer);
    expect(answer.body.error_description).toContain('Send it again later.');
    provider.faults = {};
    await expectOpen(session);
  });
});
