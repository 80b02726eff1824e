import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountStore } from '@sluice/store/identity';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { cookieHeader } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { login, postForm, refresh, secretOf } from '@sluice/testkit/requests';
import { decodeJwt } from 'jose';
import {
  CLIENT,
  obtainCode,
  postToken,
  REDIRECT_URI,
  redeem,
  signIn,
  startAuthorizationServer,
  who,
} from './oauth-requests.ts';

let test: TestHost;
beforeAll(async () => {
  test = await startAuthorizationServer();
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const recordsOf = ({ headers }: ReceivedResponse) =>
  test.rows<{ action: string; user_name: string; session_id: string | null; metadata: object }>(
    'select action, user_name, session_id, metadata from audit_log where request_id = $1',
    [headers['x-request-id']],
  );
const sidOf = (accessToken: string): string => String(decodeJwt(accessToken)['sid']);
const tokensOf = async (changes = {}) => (await redeem(test, await obtainCode(test, changes))).body;
const refreshAs = (refreshToken: string, changes: Record<string, string | undefined> = {}) =>
  postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: refreshToken, ...changes });

const expectRefused = ({ status, body, headers }: ReceivedResponse, error: string, code = 400): void => {
  expect([status, body]).toEqual([code, { error, error_description: expect.stringMatching(/^[\x20-\x7e]+$/) }]);
  expect(headers['cache-control']).toBe('no-store');
};

describe('a code', () => {
  it('opens a session of its own, which names the program', async () => {
    const obtained = await obtainCode(test);
    const answer = await redeem(test, obtained);
    expect([answer.status, answer.headers['cache-control'], answer.headers['pragma']]).toEqual([
      200,
      'no-store',
      'no-cache',
    ]);
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    const sid = sidOf(answer.body.access_token);
    const records = await recordsOf(answer);
    expect(records).toEqual([
      {
        action: 'LOGIN',
        user_name: 'ann@example.com',
        session_id: sid,
        metadata: { method: 'authorization_code', client: CLIENT, approved_in: expect.any(String) },
      },
      {
        action: 'NEW_DEVICE',
        user_name: 'ann@example.com',
        session_id: sid,
        metadata: { device: CLIENT },
      },
    ]);
    const { body } = await send(`${test.url}/me/sessions`, {
      headers: { authorization: `Bearer ${answer.body.access_token}` },
    });
    expect(body.data).toContainEqual(
      expect.objectContaining({ id: sid, current: true, client: CLIENT, opened_by: 'program' }),
    );
  });

  it('opens a session that ends with that of the browser, and outlives its logout', async () => {
    const { jar, ...obtained } = await obtainCode(test);
    const { body } = await redeem(test, obtained);
    const [row] = await test.rows<{ same: boolean }>(
      `select a.expires = b.expires as same from sessions a join authorization_codes c on c.sid = a.sid
       join sessions b on b.sid = c.approved_in where a.sid = $1`,
      [sidOf(body.access_token)],
    );
    expect(row?.same).toBe(true);
    await send(`${test.url}/auth/logout/acme`, { headers: cookieHeader(jar) });
    expect((await who(test, body.access_token)).status).toBe(200);
  });

  it.each([
    ['an unknown code', { code: 'x' }],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:47114/callback' }],
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['a verifier that is too short', { code_verifier: 'x' }],
  ])('is refused with %s, and still works', async (_name, changes) => {
    const obtained = await obtainCode(test);
    expectRefused(await redeem(test, obtained, changes), 'invalid_grant');
    expect((await redeem(test, obtained)).status).toBe(200);
  });

  it('is refused when the challenge is sent as the verifier, as for the method plain', async () => {
    const obtained = await obtainCode(test);
    expectRefused(await redeem(test, obtained, { code_verifier: obtained.challenge }), 'invalid_grant');
  });

  it.each(['code', 'redirect_uri', 'code_verifier'])('is refused without %s', async (name) => {
    for (const value of [undefined, '']) {
      expectRefused(await redeem(test, await obtainCode(test), { [name]: value }), 'invalid_request');
    }
  });

  it('is refused for another client, and for another tenant', async () => {
    const obtained = await obtainCode(test);
    await test.rows(`update authorization_codes set oauth_client = 'other' where code_hash = $1`, [
      hashOf(obtained.code),
    ]);
    expectRefused(await redeem(test, obtained), 'invalid_grant');
    expectRefused(await redeem(test, await obtainCode(test), {}, { tenant: 'globex' }), 'invalid_grant');
  });

  it('is refused for an unknown client, and with a secret or a password, which no program has', async () => {
    const obtained = await obtainCode(test);
    expectRefused(await redeem(test, obtained, { client_id: 'other' }), 'invalid_client', 401);
    expectRefused(await redeem(test, obtained, { client_id: undefined }), 'invalid_client', 401);
    expectRefused(await redeem(test, obtained, { client_secret: 'x' }), 'invalid_client', 401);
    const headers = { authorization: `Basic ${Buffer.from(`${CLIENT}:x`).toString('base64')}` };
    expectRefused(await redeem(test, obtained, {}, { headers }), 'invalid_client', 401);
  });

  it('is refused after a minute', async () => {
    const obtained = await obtainCode(test);
    const [row] = await test.rows<{ seconds: number }>(
      'select extract(epoch from expires - now())::float8 as seconds from authorization_codes where code_hash = $1',
      [hashOf(obtained.code)],
    );
    expect(row?.seconds).toBeLessThanOrEqual(60);
    await test.rows('update authorization_codes set expires = now() where code_hash = $1', [hashOf(obtained.code)]);
    expectRefused(await redeem(test, obtained), 'invalid_grant');
  });

  it('is refused once the browser has logged out, or the user is disabled', async () => {
    const { jar, ...obtained } = await obtainCode(test);
    await send(`${test.url}/auth/logout/acme`, { headers: cookieHeader(jar) });
    expectRefused(await redeem(test, obtained), 'invalid_grant');
    const other = await obtainCode(test);
    const accounts = createAccountStore(test.database);
    const account = { tenantId: test.acme.tenantId, kind: 'user', id: test.acme.userId } as const;
    await accounts.disable(account);
    expectRefused(await redeem(test, other), 'invalid_grant');
    await accounts.enable(account);
  });

  it('ends its session when it is used a second time, by any client', async () => {
    const obtained = await obtainCode(test);
    const { body } = await redeem(test, obtained);
    expect((await who(test, body.access_token)).status).toBe(200);
    const answer = await redeem(test, obtained, { code_verifier: 'x'.repeat(43) });
    expectRefused(answer, 'invalid_grant');
    expect((await who(test, body.access_token)).status).toBe(401);
    expectRefused(await refreshAs(body.refresh_token), 'invalid_grant');
    expect(await recordsOf(answer)).toMatchObject([
      { action: 'AUTHORIZATION_CODE_REUSED', user_name: 'ann@example.com', metadata: { client: CLIENT } },
    ]);
    expect(test.logLines.some((line) => line.includes('authorization_code_reused'))).toBe(true);
  });

  it('is redeemed once under 50 parallel requests, and then its session is over', async () => {
    const obtained = await obtainCode(test);
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(test, obtained)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer, 'invalid_grant');
    const [opened] = answers.filter(({ status }) => status === 200);
    expect((await who(test, opened?.body.access_token)).status).toBe(401);
  });

  it('opens parallel sessions of one browser without an error', async () => {
    const obtained = await Promise.all(Array.from({ length: 8 }, () => obtainCode(test)));
    const answers = await Promise.all(obtained.map((each) => redeem(test, each)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe('a scope', () => {
  it('narrows the permissions of the session, also after a refresh', async () => {
    const first = await tokensOf({ scope: 'query:run admin' });
    expect(first.scope).toBe('query:run');
    const next = (await refreshAs(first.refresh_token)).body;
    for (const { access_token } of [first, next]) {
      expect((await who(test, access_token)).body.permissions).toEqual(['query:run']);
    }
  });

  it('never gives a permission that the user does not have', async () => {
    const tokens = await tokensOf({ scope: 'admin' });
    expect(tokens.scope).toBeUndefined();
    expect((await who(test, tokens.access_token)).body.permissions).toEqual([]);
    const users = await send(`${test.url}/admin/users`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(users.status).toBe(403);
  });

  it('follows the roles of the user where the request had none', async () => {
    const tokens = await tokensOf();
    const accounts = createAccountStore(test.database);
    const account = { tenantId: test.acme.tenantId, kind: 'user', id: test.acme.userId } as const;
    await accounts.setRoles(account, ['auditor']);
    expect((await who(test, tokens.access_token)).body.permissions).toEqual(['audit:read', 'datamap:read']);
    await accounts.setRoles(account, ['analyst']);
  });

  it('cannot grow at a refresh', async () => {
    const { refresh_token } = await tokensOf({ scope: 'query:run' });
    expectRefused(await refreshAs(refresh_token, { scope: 'query:run datamap:read' }), 'invalid_scope');
    expectRefused(await refreshAs(refresh_token, { scope: 'everything' }), 'invalid_scope');
    expect((await refreshAs(refresh_token, { scope: 'query:run' })).body.scope).toBe('query:run');
  });
});

describe('a refresh token of a program', () => {
  it('returns the same tokens again for 10 s, and ends the session after that', async () => {
    const { refresh_token } = await tokensOf();
    const [one, other] = [await refreshAs(refresh_token), await refreshAs(refresh_token)];
    expect(other.body).toEqual(one.body);
    await test.rows(`update refresh_tokens set rotated_at = rotated_at - interval '11 s' where token_hash = $1`, [
      hashOf(refresh_token),
    ]);
    expectRefused(await refreshAs(refresh_token), 'invalid_grant');
    expect((await who(test, one.body.access_token)).status).toBe(401);
  });

  it('belongs to its client: another endpoint, client or tenant leaves it as it is', async () => {
    const { refresh_token } = await tokensOf();
    const atLogin = await refresh(test.url, refresh_token);
    expectRefused(atLogin, 'invalid_grant');
    expect(atLogin.body.error_description).toContain('/oauth2/token');
    await test.rows(`update sessions set oauth_client = 'other' where oauth_client is not null and sid = $1`, [
      (
        await test.rows<{ sid: string }>('select sid from refresh_tokens where token_hash = $1', [
          hashOf(refresh_token),
        ])
      )[0]?.sid,
    ]);
    expectRefused(await refreshAs(refresh_token), 'invalid_grant');
    await test.rows(`update sessions set oauth_client = $1 where oauth_client = 'other'`, [CLIENT]);
    expectRefused(
      await postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token }, { tenant: 'globex' }),
      'invalid_grant',
    );
    expect((await refreshAs(refresh_token)).status).toBe(200);
  });

  it('is not that of a login with a password', async () => {
    const { body } = await login(test.url);
    expectRefused(await refreshAs(body.refresh_token), 'invalid_grant');
    expect((await refresh(test.url, body.refresh_token)).status).toBe(200);
  });

  it('is required', async () => {
    expectRefused(await refreshAs(''), 'invalid_request');
  });
});

describe('POST /auth/{tenant}/oauth2/token', () => {
  it('names the grant types', async () => {
    const answer = await postToken(test, { grant_type: 'password', client_id: CLIENT });
    expectRefused(answer, 'unsupported_grant_type');
    expect(answer.body.error_description).toContain('authorization_code, refresh_token, client_credentials');
  });

  it('rejects two values of one parameter, and a form of 1 MiB', async () => {
    const { code, verifier } = await obtainCode(test);
    const fields = `grant_type=authorization_code&code=${code}&redirect_uri=${REDIRECT_URI}&code_verifier=${verifier}`;
    const url = `${test.url}/auth/acme/oauth2/token`;
    expectRefused(await postForm(url, `${fields}&client_id=${CLIENT}&client_id=other`), 'invalid_request');
    expectRefused(await postForm(url, `${fields}&x=${'x'.repeat(1024 * 1024)}`), 'invalid_request', 413);
  });

  it('keeps service accounts apart from programs', async () => {
    const service = { client_id: 'etl', client_secret: secretOf('acme') };
    expectRefused(await redeem(test, await obtainCode(test), service), 'invalid_client', 401);
    const secretless = await postToken(test, { grant_type: 'client_credentials', client_id: CLIENT });
    expectRefused(secretless, 'invalid_client', 401);
  });
});

describe('POST /auth/{tenant}/oauth2/revoke', () => {
  const revoke = (fields: Record<string, string>, tenant = 'acme') =>
    postForm(`${test.url}/auth/${tenant}/oauth2/revoke`, fields);

  it('ends the session by either token, with a record', async () => {
    for (const kind of ['access_token', 'refresh_token']) {
      const tokens = await tokensOf();
      const answer = await revoke({ token: tokens[kind], client_id: CLIENT, token_type_hint: 'unknown_hint' });
      expect(answer.status).toBe(200);
      expect((await who(test, tokens.access_token)).status).toBe(401);
      expect(await recordsOf(answer)).toMatchObject([
        { action: 'LOGOUT', user_name: 'ann@example.com', session_id: sidOf(tokens.access_token) },
      ]);
    }
  });

  it('accepts a token that is unknown, used or of another tenant, and ends nothing', async () => {
    const tokens = await tokensOf();
    for (const token of ['x', 'a.b.c']) expect((await revoke({ token, client_id: CLIENT })).status).toBe(200);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await revoke({ token, client_id: CLIENT }, 'globex')).status).toBe(200);
    }
    expect((await who(test, tokens.access_token)).status).toBe(200);
    for (let time = 0; time < 2; time += 1) {
      expect((await revoke({ token: tokens.refresh_token, client_id: CLIENT })).status).toBe(200);
    }
  });

  it('rejects a token of another client, an unknown client, and a missing token', async () => {
    const { body } = await login(test.url);
    expectRefused(await revoke({ token: body.refresh_token, client_id: CLIENT }), 'invalid_grant');
    expectRefused(await revoke({ token: body.access_token, client_id: CLIENT }), 'invalid_grant');
    expect((await who(test, body.access_token)).status).toBe(200);
    expectRefused(await revoke({ token: body.refresh_token, client_id: 'other' }), 'invalid_client', 401);
    expectRefused(await revoke({ token: 'x', client_id: CLIENT, client_secret: 'x' }), 'invalid_client', 401);
    expectRefused(await revoke({ client_id: CLIENT }), 'invalid_request');
  });
});

it('a sign-in of the browser again ends no session of a program', async () => {
  const { jar, ...obtained } = await obtainCode(test);
  const { body } = await redeem(test, obtained);
  await signIn(test);
  expect((await who(test, body.access_token)).status).toBe(200);
});
