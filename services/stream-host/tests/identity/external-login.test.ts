import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, reservePort, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { finalReceipt, post, postForm, queryIdOf } from '@sluice/testkit/requests';
import { createDoorChallenges } from '../../src/door/door-challenges.ts';

let hosts: TestHosts;
let cookie: string;

beforeAll(async () => {
  const port = await reservePort();
  const issuer = { ISSUER_TEMPLATE: `http://127.0.0.1:${port}/auth/{tenant}` };
  hosts = await startHosts(
    { ...issuer, DEFAULT_TENANT: 'acme' },
    { apiSettings: { ...issuer, API_PORT: String(port), DRAIN_DELAY: '3s' } },
  );
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

/** Signs ann in, and returns the cookies of her browser. */
async function signIn(): Promise<string> {
  const { email, password } = hosts.ann;
  const { url } = hosts.api;
  const signedIn = await postForm(`${url}/auth/sign-in/acme`, { email, password }, { origin: url });
  return (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
}
beforeEach(async () => {
  cookie ??= await signIn();
});

interface Begun {
  readonly redirectUrl: string;
  readonly tokenUrl: string;
  readonly login: string;
}

/** Begins a login as a 401 of the stream host does. */
async function begin({ address = '127.0.0.1', tenantName = 'acme' } = {}): Promise<Begun> {
  const challenge = createDoorChallenges(hosts.stream.context);
  const client = { tenantName, address, userAgent: 'trino-jdbc/476', source: 'DBeaver "x"' };
  const addresses = await challenge(client);
  if (addresses === undefined) throw new Error('there is no challenge');
  return { ...addresses, login: new URL(addresses.redirectUrl).searchParams.get('login') ?? '' };
}

const pageUrl = (tenant = 'acme') => `${hosts.api.url}/auth/external/${tenant}`;
const openPage = (url: string, headers: Record<string, string> = { cookie }) =>
  send(url, { headers: { accept: 'text/html', ...headers } });
const submit = (fields: Record<string, string>, headers: Record<string, string> = {}, tenant = 'acme') =>
  postForm(pageUrl(tenant), fields, { accept: 'text/html', cookie, origin: hosts.api.url, ...headers });
const decide = ({ login }: Begun, decision: 'approve' | 'deny', headers: Record<string, string> = {}) =>
  submit({ login, account: hosts.ann.id, decision }, headers);
const poll = (tokenUrl: string) => send(tokenUrl);
const secretOf = (tokenUrl: string): string => new URL(tokenUrl).searchParams.get('secret') ?? '';

const recordsOf = ({ headers }: ReceivedResponse) =>
  hosts.rows<{ action: string; user_name: string; target: string; metadata: Record<string, unknown> }>(
    'select action, user_name, target, metadata from audit_log where request_id = $1 order by action',
    [headers['x-request-id']],
  );
const change = ({ tokenUrl }: Begun, set: string) =>
  hosts.rows(`update external_logins set ${set} where secret_hash = $1`, [
    createHash('sha256').update(secretOf(tokenUrl)).digest(),
  ]);
const countOf = async (): Promise<number> => {
  const [row] = await hosts.rows<{ count: number }>('select count(*)::int as count from external_logins');
  return row?.count ?? -1;
};

describe('a Trino client', () => {
  it('gets a token for the stream host once its user has let it in', async () => {
    const begun = await begin();
    const polled = poll(begun.tokenUrl);
    const asked = await openPage(begun.redirectUrl);
    expect(asked.status).toBe(200);
    for (const text of [
      `Trino client asks to work in acme as ${hosts.ann.email}.`,
      'The program calls itself “DBeaver &quot;x&quot;”.',
      'from the address 127.0.0.1',
      'Run read-only SQL',
      'wants to use your account',
    ])
      expect(asked.text).toContain(text);
    expect(asked.text).not.toContain('another address');
    expect(asked.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const decided = await decide(begun, 'approve');
    expect([decided.status, decided.text.includes('Go back to the program.')]).toEqual([200, true]);
    const answer = await polled;
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['token']]);
    expect(answer.headers['cache-control']).toBe('no-store');

    const headers = { authorization: `Bearer ${answer.body.token}` };
    const me = await send(`${hosts.url}/me`, { headers });
    expect([me.status, me.body.user]).toEqual([200, hosts.ann.email]);
    expect(new Set(me.body.permissions)).toEqual(new Set(['query:run', 'datamap:read']));
    expect((await send(`${hosts.api.url}/me`, { headers })).status).toBe(401);
    const result = await post(`${hosts.url}/query`, { sql: 'select 1 as one' }, headers);
    const receipt = await finalReceipt(hosts.url, queryIdOf(result), { credential: headers });
    expect(receipt).toMatchObject({ state: 'FINISHED', rows: 1 });
  });

  it('has a session of its own, which is on record, and which its user ends', async () => {
    const begun = await begin();
    await decide(begun, 'approve');
    const answer = await poll(begun.tokenUrl);
    const records = await recordsOf(answer);
    expect(records.filter(({ action }) => action === 'LOGIN')).toEqual([
      expect.objectContaining({
        action: 'LOGIN',
        user_name: hosts.ann.email,
        metadata: {
          method: 'external_login',
          client: 'sluice-trino',
          approved_in: expect.any(String),
          scope: ['query:run', 'datamap:read'],
          targets: ['stream'],
        },
      }),
    ]);
    const tokens = await send(`${hosts.api.url}/auth/session/acme`, {
      method: 'POST',
      headers: { cookie, origin: hosts.api.url },
    });
    const own = { authorization: `Bearer ${tokens.body.access_token}` };
    const { body } = await send(`${hosts.api.url}/me/sessions`, { headers: own });
    const [session] = body.data.filter(({ client }: { client: string | null }) => client === 'sluice-trino');
    expect(session).toMatchObject({ opened_by: 'program', current: false });
    const headers = { authorization: `Bearer ${answer.body.token}` };
    expect((await send(`${hosts.url}/me`, { headers })).status).toBe(200);
    const ended = await send(`${hosts.api.url}/me/sessions/${session.id}`, { method: 'DELETE', headers: own });
    expect(ended.status).toBe(204);
    expect(await hosts.rows('select 1 from refresh_tokens where sid = $1', [session.id])).toEqual([]);
  });

  it('learns that its user denied the login, which is on record', async () => {
    const begun = await begin();
    const denied = await decide(begun, 'deny');
    expect(denied.text).toContain('may not log in');
    expect(await recordsOf(denied)).toEqual([
      expect.objectContaining({
        action: 'LOGIN_FAILED',
        user_name: hosts.ann.email,
        target: 'sluice-trino',
        metadata: { method: 'external_login', reason: 'The user denied the login.' },
      }),
    ]);
    expect((await poll(begun.tokenUrl)).body).toEqual({ error: 'The user denied the login.' });
  });

  it('gets one session under parallel requests, and the same token until it confirms', async () => {
    const begun = await begin();
    await decide(begun, 'approve');
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(begun.tokenUrl)));
    const tokens = new Set(answers.map(({ body }) => body.token));
    expect([tokens.size, tokens.has(undefined)]).toEqual([1, false]);
    const logins = await Promise.all(answers.map(recordsOf));
    expect(logins.flat().filter(({ action }) => action === 'LOGIN')).toHaveLength(1);
    const ended = await send(begun.tokenUrl, { method: 'DELETE' });
    expect(ended.status).toBe(204);
    expect((await poll(begun.tokenUrl)).body).toEqual({ error: 'The login was used before. Connect again.' });
  });

  it('gets no token of a login that another address has used', async () => {
    const begun = await begin();
    await decide(begun, 'approve');
    expect((await poll(begun.tokenUrl)).body.token).toEqual(expect.any(String));
    await change(begun, `poller = '203.0.113.9'`);
    expect((await poll(begun.tokenUrl)).body).toEqual({ error: 'The login was used before. Connect again.' });
  });

  it('gets no token five minutes after the decision, or once the browser has logged out', async () => {
    const late = await begin();
    await decide(late, 'approve');
    await change(late, 'expires = now()');
    expect((await poll(late.tokenUrl)).body).toEqual({ error: 'The login has expired. Connect again.' });
    const other = await signIn();
    const begun = await begin();
    await decide(begun, 'approve', { cookie: other });
    await send(`${hosts.api.url}/auth/logout/acme`, { headers: { cookie: other } });
    expect((await poll(begun.tokenUrl)).body.error).toMatch(/is over/);
  });

  it('gets no token at another tenant, and none with what its user has opened', async () => {
    const begun = await begin();
    await decide(begun, 'approve');
    const secret = secretOf(begun.tokenUrl);
    const elsewhere = new AbortController();
    const { signal } = elsewhere;
    const other = fetch(`${pageUrl('globex')}/token?secret=${secret}`, { signal }).catch(() => 'no answer');
    expect((await poll(`${pageUrl()}/token?secret=${begun.login.slice(0, 43)}x`)).status).toBe(400);
    expect((await poll(begun.tokenUrl)).body.token).toEqual(expect.any(String));
    elsewhere.abort();
    expect(await other).toBe('no answer');
  });

  it('cannot log in as a device', async () => {
    const url = `${hosts.api.url}/auth/acme/oauth2/device_authorization`;
    const answer = await postForm(url, { client_id: 'sluice-trino' });
    expect([answer.status, answer.body.error]).toEqual([400, 'unauthorized_client']);
  });
});

describe('/auth/external/{tenant}', () => {
  it('stores nothing before a user decides', async () => {
    const before = await countOf();
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin()));
    for (const { redirectUrl } of begun.slice(0, 3)) await openPage(redirectUrl);
    expect(await countOf()).toBe(before);
  });

  it('leads to the login, and back', async () => {
    const { redirectUrl, login } = await begin();
    const { status, headers } = await openPage(redirectUrl, {});
    const returnTo = `/auth/external/acme?login=${login}`;
    expect([status, headers.location]).toEqual([
      302,
      `/auth/login/acme?${new URLSearchParams({ return_to: returnTo })}`,
    ]);
    const { email, password } = hosts.ann;
    const form = { email, password, return_to: returnTo };
    const signedIn = await postForm(`${hosts.api.url}/auth/sign-in/acme`, form, { origin: hosts.api.url });
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, returnTo]);
  });

  it('names the address of the browser if the program has another one', async () => {
    const { redirectUrl } = await begin({ address: '203.0.113.9' });
    const { text } = await openPage(redirectUrl);
    expect(text).toContain('from the address 203.0.113.9');
    expect(text).toContain('Your browser has another address, 127.0.0.1.');
    const german = await openPage(redirectUrl, { cookie, 'accept-language': 'de' });
    expect(german.text).toContain('Ihr Browser hat eine andere Adresse, 127.0.0.1.');
  });

  it('rejects a login that is forged, of another tenant, or decided', async () => {
    const begun = await begin();
    const globex = await begin({ tenantName: 'globex' });
    for (const login of ['x', `${begun.login}x`, globex.login]) {
      const { status, text } = await openPage(`${pageUrl()}?login=${login}`);
      expect([status, text.includes('Connect again in your program')]).toEqual([400, true]);
      expect((await submit({ login, account: hosts.ann.id, decision: 'approve' })).status).toBe(400);
    }
    expect((await openPage(pageUrl())).status).toBe(400);
    await decide(begun, 'deny');
    expect((await decide(begun, 'approve')).status).toBe(400);
    expect((await openPage(begun.redirectUrl)).status).toBe(400);
    expect((await poll(begun.tokenUrl)).body).toEqual({ error: 'The user denied the login.' });
  });

  it('decides only for the user to whom it was shown, in a page of its own', async () => {
    const before = await countOf();
    const begun = await begin();
    const { login } = begun;
    for (const fields of [
      { login },
      { login, decision: 'approve' },
      { login, decision: 'approve', account: hosts.acme.id },
    ]) {
      const shown = await submit(fields);
      expect([shown.status, shown.text.includes('asks to work')]).toEqual([200, true]);
    }
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }])
      expect((await decide(begun, 'approve', headers)).status).toBe(403);
    expect((await openPage(begun.redirectUrl, { cookie, 'sec-fetch-dest': 'iframe' })).status).toBe(403);
    const signedOut = await decide(begun, 'approve', { cookie: '' });
    expect(signedOut.status).toBe(303);
    expect(await countOf()).toBe(before);
  });
});

it('a challenge leads to the tenant of the host name, or the default one', async () => {
  const challenge = createDoorChallenges(hosts.stream.context);
  const client = { address: '127.0.0.1', userAgent: undefined, source: undefined };
  const ofDefault = await challenge({ ...client, tenantName: undefined });
  expect(ofDefault?.tokenUrl).toMatch(new RegExp(`^${hosts.api.url}/auth/external/acme/token\\?secret=[\\w-]{43}$`));
  const { issuerTemplate } = hosts.stream.context.settings;
  const without = createDoorChallenges({
    settings: { issuerTemplate, tenantNameDefault: undefined },
    seal: hosts.stream.context.seal,
  });
  expect(await without({ ...client, tenantName: undefined })).toBeUndefined();
});

// Last: the host ends.
it('a Trino client asks again where it asked, if the host stops before its user has decided', async () => {
  const begun = await begin();
  const polled = poll(begun.tokenUrl);
  await hosts.api.drain();
  expect((await polled).body).toEqual({ nextUri: begun.tokenUrl });
});
