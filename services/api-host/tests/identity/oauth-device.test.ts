import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { type CookieJar, cookieHeader, logInAs, SEED_PASSWORD } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { CLIENT, hiddenFieldsOf, postToken, signIn, startAuthorizationServer, who } from './oauth-requests.ts';

let test: TestHost;
let jar: CookieJar;

beforeAll(async () => {
  test = await startAuthorizationServer();
  jar = await signIn(test);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const begin = (fields: Record<string, string> = {}, tenant = 'acme') =>
  postForm(`${test.url}/auth/${tenant}/oauth2/device_authorization`, { client_id: CLIENT, ...fields });
const poll = (deviceCode: string, changes: Record<string, string> = {}, tenant = 'acme') =>
  postToken(
    test,
    {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: CLIENT,
      device_code: deviceCode,
      ...changes,
    },
    { tenant },
  );

interface PageOptions {
  readonly jar?: CookieJar;
  readonly headers?: Record<string, string>;
  readonly tenant?: string;
}
const page = (query = '', options: PageOptions = {}) =>
  send(`${test.url}/auth/device/${options.tenant ?? 'acme'}${query}`, {
    headers: { accept: 'text/html', ...cookieHeader(options.jar ?? jar), ...options.headers },
  });
const submit = (fields: Record<string, string>, options: PageOptions = {}) =>
  postForm(`${test.url}/auth/device/${options.tenant ?? 'acme'}`, fields, {
    ...cookieHeader(options.jar ?? jar),
    ...(options.headers ?? { origin: test.url }),
  });
const decide = async (userCode: string, decision: string, options: PageOptions = {}) => {
  const asked = await submit({ user_code: userCode }, options);
  return await submit({ ...hiddenFieldsOf(asked), decision }, options);
};

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const change = (deviceCode: string, set: string) =>
  test.rows(`update device_authorizations set ${set} where device_hash = $1`, [hashOf(deviceCode)]);
/** Lets the wait of a device be over. */
const waited = (deviceCode: string) => change(deviceCode, `last_poll = last_poll - interval '1 minute'`);

const expectRefused = ({ status, body }: ReceivedResponse, error: string, code = 400): void => {
  expect([status, body]).toEqual([code, { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) }]);
};

describe('POST /auth/{tenant}/oauth2/device_authorization', () => {
  it('returns the codes and the address of the page', async () => {
    const { status, body, headers } = await begin();
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${test.url}/auth/device/acme`,
      verification_uri_complete: `${test.url}/auth/device/acme?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('stores both codes as hashes only', async () => {
    const { body } = await begin();
    const stored = JSON.stringify(await test.rows('select d::text from device_authorizations d'));
    for (const code of [body.device_code, body.user_code, body.user_code.replace('-', '')]) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(Buffer.from(code).toString('hex'));
    }
    // A user code has 34 bits, so a hash without a key could be tried out.
    expect(stored).not.toContain(hashOf(body.user_code.replace('-', '')).toString('hex'));
  });

  it('rejects an unknown client, a secret and an unknown scope', async () => {
    expectRefused(await begin({ client_id: 'other' }), 'invalid_client', 401);
    expectRefused(await begin({ client_secret: 'x' }), 'invalid_client', 401);
    expectRefused(await begin({ scope: 'everything' }), 'invalid_scope');
  });

  it('keeps at most 1,000 logins of an address', async () => {
    await test.rows(
      `insert into device_authorizations (tenant_id, device_hash, user_code_hash, oauth_client, address, wait_seconds, expires)
       select $1, sha256(i::text::bytea), sha256(i::text::bytea), 'x', '127.0.0.1', 5, now() + i * interval '1 ms'
       from generate_series(1, 1000) i`,
      [test.globex.tenantId],
    );
    expect((await begin({}, 'globex')).status).toBe(200);
    const [row] = await test.rows<{ count: number }>(
      'select count(*)::int as count from device_authorizations where tenant_id = $1',
      [test.globex.tenantId],
    );
    expect(row?.count).toBe(1000);
  });
});

describe('a device', () => {
  it('gets tokens of a session of its own after the user has approved it', async () => {
    const { body } = await begin({ scope: 'query:run' });
    expectRefused(await poll(body.device_code), 'authorization_pending');
    const asked = await submit({ user_code: body.user_code.toLowerCase().replace('-', ' ') });
    expect(asked.status).toBe(200);
    for (const text of [
      'Sluice command line asks to work in acme as ann@example.com.',
      body.user_code,
      'from the address 127.0.0.1',
      'Run read-only SQL',
      'wants to use your account',
    ])
      expect(asked.text).toContain(text);
    expect(asked.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const decided = await submit({ ...hiddenFieldsOf(asked), decision: 'approve' });
    expect([decided.status, decided.text.includes('Go back to the device.')]).toEqual([200, true]);
    const answer = await poll(body.device_code);
    expect(answer.status).toBe(200);
    const me = await who(test, answer.body.access_token);
    expect(me.body).toMatchObject({ user: 'ann@example.com', permissions: ['query:run'] });
    const records = await test.rows('select action, metadata from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ]);
    expect(records).toEqual([
      {
        action: 'LOGIN',
        metadata: { method: 'device_code', client: CLIENT, approved_in: expect.any(String), scope: ['query:run'] },
      },
      { action: 'NEW_DEVICE', metadata: { device: CLIENT } },
    ]);
    expectRefused(await poll(body.device_code), 'invalid_grant');
  });

  it('gets one session under 50 parallel requests', async () => {
    const { body } = await begin();
    await decide(body.user_code, 'approve');
    const answers = await Promise.all(Array.from({ length: 50 }, () => poll(body.device_code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer, 'invalid_grant');
  });

  it('has to wait longer after each poll that comes too early', async () => {
    const { body } = await begin();
    expectRefused(await poll(body.device_code), 'authorization_pending');
    expectRefused(await poll(body.device_code), 'slow_down');
    await change(body.device_code, `last_poll = last_poll - interval '7 s'`);
    expectRefused(await poll(body.device_code), 'slow_down');
    await waited(body.device_code);
    expectRefused(await poll(body.device_code), 'authorization_pending');
    const [row] = await test.rows('select wait_seconds from device_authorizations where device_hash = $1', [
      hashOf(body.device_code),
    ]);
    expect(row).toEqual({ wait_seconds: 15 });
  });

  it('gets access_denied after the user has denied it', async () => {
    const { body } = await begin();
    expect((await decide(body.user_code, 'deny')).text).toContain('may not log in');
    expectRefused(await poll(body.device_code), 'access_denied');
    expect((await decide(body.user_code, 'approve')).status).toBe(400);
  });

  it('gets expired_token after ten minutes, and the code no longer works', async () => {
    const { body } = await begin();
    await change(body.device_code, 'expires = now()');
    expectRefused(await poll(body.device_code), 'expired_token');
    expect((await submit({ user_code: body.user_code })).status).toBe(400);
  });

  it('gets nothing with an unknown code, as another client, or at another tenant', async () => {
    const { body } = await begin();
    await decide(body.user_code, 'approve');
    expectRefused(await poll('x'), 'invalid_grant');
    expectRefused(await poll(body.device_code, {}, 'globex'), 'invalid_grant');
    await change(body.device_code, `oauth_client = 'other'`);
    expectRefused(await poll(body.device_code), 'invalid_grant');
  });

  it('gets nothing once the browser of the approval has logged out', async () => {
    const other = await signIn(test);
    const { body } = await begin();
    await decide(body.user_code, 'approve', { jar: other });
    await send(`${test.url}/auth/logout/acme`, { headers: cookieHeader(other) });
    expectRefused(await poll(body.device_code), 'invalid_grant');
  });
});

describe('/auth/device/{tenant}', () => {
  it('leads to the login, and keeps the code of the link', async () => {
    const { status, headers } = await page('?user_code=WDJB-MJHT', { jar: new Map() });
    expect([status, headers.location]).toEqual([
      302,
      `/auth/login/acme?${new URLSearchParams({ return_to: '/auth/device/acme?user_code=WDJB-MJHT' })}`,
    ]);
  });

  it('fills the code of a link in, and looks nothing up before the user sends it', async () => {
    const { body } = await begin();
    const { status, text } = await page(`?user_code=${body.user_code}`);
    expect([status, text.includes(`value="${body.user_code}"`), text.includes('asks to work')]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await page('?user_code="><script>')).text).not.toContain('<script');
  });

  it('decides only for the user to whom it was shown, and only after it was shown', async () => {
    const { body } = await begin();
    const blind = await submit({ user_code: body.user_code, decision: 'approve' });
    expect(blind.text).toContain('asks to work');
    const other = await submit({ user_code: body.user_code, decision: 'approve', account: test.acme.tenantId });
    expect(other.text).toContain('asks to work');
    expectRefused(await poll(body.device_code), 'authorization_pending');
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['no origin', {}],
  ] as const)('rejects a form of %s', async (_name, headers) => {
    const { body } = await begin();
    const fields = { user_code: body.user_code, account: test.acme.userId, decision: 'approve' };
    expect((await submit(fields, { headers })).status).toBe(403);
    expectRefused(await poll(body.device_code), 'authorization_pending');
  });

  it('shows a wrong code in the form, in the language of the reader', async () => {
    const { status, text } = await submit(
      { user_code: '"><b>' },
      { headers: { origin: test.url, 'accept-language': 'de' } },
    );
    expect([status, text.includes('Dieser Code ist falsch')]).toEqual([400, true]);
    expect(text).not.toContain('<b>');
  });

  it('finds no code of another tenant', async () => {
    const { body } = await begin({}, 'globex');
    expect((await submit({ user_code: body.user_code })).status).toBe(400);
  });

  it('slows down a user who guesses, in all sessions, and no other user', async () => {
    const guesser = await logInAs(test, ['analyst'], test.acme);
    const signedIn = () => signIn(test, { email: guesser.email, password: SEED_PASSWORD });
    const first = await signedIn();
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      statuses.push((await submit({ user_code: 'BBBB-BBBB' }, { jar: first })).status);
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
    const { body } = await begin();
    const refused = await submit({ user_code: body.user_code }, { jar: await signedIn() });
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect((await submit({ user_code: body.user_code })).status).toBe(200);
  });

  it('looks no more codes up when a user guesses in parallel', async () => {
    const guesser = await logInAs(test, ['analyst'], test.acme);
    const browser = await signIn(test, { email: guesser.email, password: SEED_PASSWORD });
    const guess = () => submit({ user_code: 'CCCC-CCCC' }, { jar: browser });
    const answers = await Promise.all(Array.from({ length: 60 }, guess));
    const wrong = answers.filter(({ status }) => status === 400).length;
    expect(wrong).toBeGreaterThan(0);
    expect(wrong).toBeLessThanOrEqual(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - wrong);
  });

  it('counts no correct code, also in parallel', async () => {
    const user = await logInAs(test, ['analyst'], test.acme);
    const browser = await signIn(test, { email: user.email, password: SEED_PASSWORD });
    for (let round = 0; round < 7; round += 1) {
      const { body } = await begin();
      const answers = await Promise.all([1, 2].map(() => submit({ user_code: body.user_code }, { jar: browser })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
