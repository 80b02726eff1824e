import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { type CookieJar, cookieHeader, createWithPasswordBy } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { login } from '@sluice/testkit/requests';
import {
  createPkce,
  decide,
  hiddenFieldsOf,
  locationOf,
  openRequest,
  requestOf,
  signIn,
  startAuthorizationServer,
  who,
} from './oauth-requests.ts';
import {
  obtainProgramCode,
  type ProgramRegistry,
  programRegistry,
  type RegisteredProgram,
  redeemAs,
  requestOfProgram,
} from './registered-programs.ts';

let test: TestHost;
let registry: ProgramRegistry;
beforeAll(async () => {
  test = await startAuthorizationServer();
  registry = await programRegistry(test);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

type Fields = Record<string, string | undefined>;
const { challenge, verifier } = createPkce();

/** Opens a request of a program in the browser of ann. */
const open = async (program: RegisteredProgram, changes: Fields = {}, jar?: CookieJar): Promise<ReceivedResponse> =>
  openRequest(test, requestOfProgram(program, challenge, changes), { jar: jar ?? (await signIn(test)) });

const consentTo = async (program: RegisteredProgram, changes: Fields = {}): Promise<ReceivedResponse> => {
  const jar = await signIn(test);
  const page = await open(program, { prompt: 'consent', ...changes }, jar);
  return await decide(test, { ...hiddenFieldsOf(page), decision: 'approve' }, { jar });
};
const errorOf = (answer: ReceivedResponse): string | null => locationOf(answer).searchParams.get('error');
const recordsOf = ({ headers }: ReceivedResponse) =>
  test.rows<{ action: string; user_name: string; target: string; metadata: object }>(
    'select action, user_name, target, metadata from audit_log where request_id = $1',
    [headers['x-request-id']],
  );
const asAnn = async () => ({ idtoken: (await login(test.url)).body.id_token as string });
const consents = async (headers?: Record<string, string>) =>
  (await send(`${test.url}/me/consents`, { headers: headers ?? (await asAnn()) })).body.data;
const withdraw = async (id: string, headers?: Record<string, string>) =>
  send(`${test.url}/me/consents/${id}`, { method: 'DELETE', headers: headers ?? (await asAnn()) });

describe('a consent', () => {
  it('is remembered, with one record: the next login asks nothing', async () => {
    const program = await registry.register();
    const first = await consentTo(program, { scope: 'query:run' });
    expect(await recordsOf(first)).toEqual([
      {
        action: 'GRANT_CONSENT',
        user_name: 'ann@example.com',
        target: program.clientId,
        metadata: { scope: ['query:run'] },
      },
    ]);
    const next = await open(program, { scope: 'query:run' });
    expect(next.status).toBe(302);
    const { searchParams } = locationOf(next);
    expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([
      'state of the program',
      `${test.url}/auth/acme`,
    ]);
    const tokens = await redeemAs(test, program, { code: searchParams.get('code') ?? '', verifier });
    expect([tokens.status, tokens.body.scope]).toEqual([200, 'query:run']);
    expect(await recordsOf(next)).toEqual([]);
    expect(await recordsOf(await consentTo(program, { scope: 'query:run' }))).toEqual([]);
  });

  it('is asked for again for a wider scope, and then covers both', async () => {
    const program = await registry.register();
    await consentTo(program, { scope: 'query:run' });
    for (const scope of ['query:run datamap:read', 'datamap:read', 'openid', undefined]) {
      expect([scope, (await open(program, { scope })).status]).toEqual([scope, 200]);
    }
    const wider = await consentTo(program, { scope: 'datamap:read' });
    expect((await recordsOf(wider))[0]?.metadata).toEqual({ scope: ['query:run', 'datamap:read'] });
    expect((await open(program, { scope: 'query:run datamap:read' })).status).toBe(302);
    await consentTo(program);
    expect((await open(program)).status).toBe(302);
    expect((await open(program, { scope: 'admin' })).status).toBe(302);
  });

  it('is that of one user, one program and one tenant', async () => {
    const [program, other] = [await registry.register(), await registry.register()];
    await consentTo(program);
    expect((await open(other)).status).toBe(200);
    const otherUser = await createWithPasswordBy(registry.admin.ask);
    expect((await open(program, {}, await signIn(test, otherUser))).status).toBe(200);
    expect((await open(program)).status).toBe(302);
  });

  it('is not remembered when the user denies', async () => {
    const program = await registry.register();
    const jar = await signIn(test);
    const page = await open(program, {}, jar);
    const denied = await decide(test, { ...hiddenFieldsOf(page), decision: 'deny' }, { jar });
    expect(errorOf(denied)).toBe('access_denied');
    expect((await open(program)).status).toBe(200);
  });

  it('is not remembered for a program on the device of the user, nor for the command line', async () => {
    const native = await registry.register({ type: 'public', redirect_uris: ['http://127.0.0.1/callback'] });
    const mobile = await registry.register({ type: 'public', redirect_uris: ['com.example.app:/callback'] });
    for (const program of [native, mobile]) {
      expect((await consentTo(program)).status).toBe(303);
      expect((await open(program)).status).toBe(200);
      expect(errorOf(await open(program, { prompt: 'none' }))).toBe('consent_required');
    }
    const jar = await signIn(test);
    const page = await openRequest(test, requestOf(challenge), { jar });
    expect((await decide(test, { ...hiddenFieldsOf(page), decision: 'approve' }, { jar })).status).toBe(303);
    expect((await openRequest(test, requestOf(challenge), { jar })).status).toBe(200);
    expect((await consents()).map(({ client_id: id }: { client_id: string }) => id)).not.toContain('sluice-cli');
  });

  it('cannot be forged: the form of another site, or for another account, gives no consent', async () => {
    const program = await registry.register();
    const jar = await signIn(test);
    const fields = { ...hiddenFieldsOf(await open(program, {}, jar)), decision: 'approve' };
    const forged = await decide(test, fields, { jar, headers: { origin: 'https://evil.example' } });
    expect(forged.status).toBe(403);
    const ofOther = await decide(test, { ...fields, account: 'x' }, { jar });
    expect(ofOther.status).toBe(200);
    expect((await open(program)).status).toBe(200);
  });
});

describe('prompt', () => {
  it('none is an error instead of a page', async () => {
    const program = await registry.register();
    const request = requestOfProgram(program, challenge, { prompt: 'none' });
    expect(errorOf(await openRequest(test, request))).toBe('login_required');
    expect(errorOf(await open(program, { prompt: 'none' }))).toBe('consent_required');
    await consentTo(program, { scope: 'query:run' });
    expect(errorOf(await open(program, { prompt: 'none' }))).toBe('consent_required');
    const silent = locationOf(await open(program, { prompt: 'none', scope: 'query:run' })).searchParams;
    expect([silent.get('error'), silent.get('code')]).toEqual([null, expect.any(String)]);
    expect(errorOf(await open(program, { prompt: 'none', max_age: '0' }))).toBe('login_required');
  });

  it('consent and select_account ask, although the consent is remembered', async () => {
    const program = await registry.register();
    await consentTo(program);
    for (const prompt of ['consent', 'select_account', 'consent select_account']) {
      expect((await open(program, { prompt })).status).toBe(200);
    }
  });

  it('login and max_age lead to another login, and back', async () => {
    const program = await registry.register();
    await consentTo(program);
    const jar = await signIn(test);
    for (const changes of [{ prompt: 'login' }, { max_age: '0' }]) {
      const asked = await open(program, changes, jar);
      const address = new URL(asked.headers.location ?? '', test.url);
      expect([asked.status, address.pathname, address.searchParams.get('prompt')]).toEqual([
        302,
        '/auth/login/acme',
        'login',
      ]);
      const returnTo = address.searchParams.get('return_to') ?? '';
      const back = (cookies: CookieJar) => send(`${test.url}${returnTo}`, { headers: cookieHeader(cookies) });
      // The old session is not enough; the next login is.
      expect((await back(jar)).headers.location).toMatch(/^\/auth\/login\/acme\?/);
      expect(locationOf(await back(await signIn(test))).searchParams.get('code')).toEqual(expect.any(String));
    }
    expect(locationOf(await open(program, { max_age: '600' }, jar)).searchParams.get('code')).not.toBeNull();
    await test.rows(`update sessions set created = created - interval '11 minutes' where cookie_hash is not null`);
    expect((await open(program, { max_age: '600' }, jar)).headers.location).toMatch(/^\/auth\/login\/acme\?/);
  });

  it.each([
    ['prompt', 'none login'],
    ['prompt', 'create'],
    ['max_age', '-1'],
    ['login_after', 'x'],
    ['request', 'x.y.z'],
    ['request_uri', 'https://portal.example.com/request'],
  ])('%s=%s is rejected', async (name, value) => {
    const program = await registry.register();
    const error = { request: 'request_not_supported', request_uri: 'request_uri_not_supported' }[name];
    expect(errorOf(await open(program, { [name]: value }))).toBe(error ?? 'invalid_request');
  });
});

describe('GET and DELETE /me/consents', () => {
  it('show a consent, and end the sessions of the program when it is withdrawn', async () => {
    const program = await registry.register({ home_page: 'https://portal.example.com' });
    const other = await registry.register();
    const log = async (each: RegisteredProgram) =>
      (await redeemAs(test, each, await obtainProgramCode(test, each, { scope: 'query:run' }))).body;
    const [tokens, ofOther] = [await log(program), await log(other)];
    const pending = await obtainProgramCode(test, program, { scope: 'query:run' });
    const headers = await asAnn();
    const listed = (await consents(headers)).find((each: { client_id: string }) => each.client_id === program.clientId);
    expect(listed).toEqual({
      id: expect.any(String),
      client_id: program.clientId,
      name: 'Portal',
      home_page: 'https://portal.example.com',
      scopes: ['query:run'],
      session_count: 1,
      created_ts: expect.any(Number),
      updated_ts: expect.any(Number),
    });
    const answer = await withdraw(listed.id, headers);
    expect(answer.status).toBe(204);
    expect(await recordsOf(answer)).toEqual([
      {
        action: 'WITHDRAW_CONSENT',
        user_name: 'ann@example.com',
        target: program.clientId,
        metadata: { scope: ['query:run'], ended_sessions: 1 },
      },
    ]);
    expect((await who(test, tokens.access_token)).status).toBe(401);
    expect((await who(test, ofOther.access_token)).status).toBe(200);
    expect((await redeemAs(test, program, pending)).body.error).toBe('invalid_grant');
    expect((await open(program, { scope: 'query:run' })).status).toBe(200);
    expect((await withdraw(listed.id, headers)).status).toBe(404);
  });

  it('are those of the caller alone', async () => {
    const program = await registry.register();
    await consentTo(program);
    const [row] = await test.rows<{ id: string }>('select id from oauth_consents where oauth_client = $1', [
      program.clientId,
    ]);
    const asAdmin = { idtoken: registry.admin.idToken };
    expect(await consents(asAdmin)).toEqual([]);
    const foreign = await withdraw(row?.id ?? '', asAdmin);
    expect([foreign.status, foreign.body.message]).toEqual([404, 'You have no consent with this id.']);
    const inGlobex = { idtoken: (await login(test.url, 'globex')).body.id_token };
    expect((await withdraw(row?.id ?? '', inGlobex)).status).toBe(404);
    expect((await withdraw('no-uuid')).status).toBe(404);
    expect((await send(`${test.url}/me/consents`)).status).toBe(401);
    expect((await open(program)).status).toBe(302);
  });

  it('leave nothing of a user or a program that is removed', async () => {
    const program = await registry.register();
    await consentTo(program);
    await registry.admin.ask({ method: 'DELETE', path: `/oauth-clients/${program.id}` });
    const left = await test.rows('select 1 from oauth_consents where oauth_client = $1', [program.clientId]);
    expect(left).toEqual([]);
  });
});
