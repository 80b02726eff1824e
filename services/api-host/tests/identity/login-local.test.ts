import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountStore } from '@sluice/store/identity';
import { send } from '@sluice/testkit';
import { AUDIENCE, startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, passwordOf, postJson, refresh, requestClientToken } from '@sluice/testkit/requests';
import { decodeJwt, decodeProtectedHeader } from 'jose';

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

describe('POST /auth/login/{tenant} succeeds', () => {
  it('returns all five fields and is never cached', async () => {
    const answer = await login(test.url);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'token_type',
    ]);
    expect(answer.body).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('signs ES256 tokens with every claim and a type for each use', async () => {
    const { body } = await login(test.url);
    const header = decodeProtectedHeader(body.id_token);
    expect(header).toMatchObject({ alg: 'ES256', typ: 'id+jwt' });
    expect(header.kid).toMatch(/^[\w-]{43}$/);
    expect(decodeProtectedHeader(body.access_token).typ).toBe('at+jwt');
    const claims = decodeJwt(body.id_token);
    expect(claims).toMatchObject({
      iss: 'https://acme.issuer.test',
      aud: AUDIENCE,
      sub: test.acme.userId,
      tenant: 'acme',
      email: 'ann@example.com',
      roles: ['analyst'],
      token_use: 'id',
    });
    for (const name of ['sid', 'jti', 'iat', 'nbf', 'exp']) expect(claims).toHaveProperty(name);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
    expect(decodeJwt(body.access_token)['sid']).toBe(claims['sid']);
  });

  it('accepts the e-mail address in any case', async () => {
    const body = { email: 'ANN@Example.com', password: passwordOf('acme') };
    expect((await postJson(`${test.url}/auth/login/acme`, body)).status).toBe(200);
  });

  it('uses the tenant of the host name and rejects another one in the path', async () => {
    const body = { email: 'ann@example.com', password: passwordOf('acme') };
    const host = { host: `acme-api.localhost:${test.host.port}` };
    expect((await postJson(`${test.url}/auth/login/acme`, body, host)).status).toBe(200);
    expect((await postJson(`${test.url}/auth/login/globex`, body, host)).status).toBe(404);
    expect((await postJson(`${test.url}/auth/login/acme`, body, { host: 'nobody-api.localhost' })).status).toBe(404);
  });

  it('records LOGIN with user, session, request and address, and no secret', async () => {
    const { headers } = await login(test.url);
    const records = await test.rows('select * from audit_log where request_id = $1', [headers['x-request-id']]);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      action: 'LOGIN',
      user_name: 'ann@example.com',
      address: '127.0.0.1',
      record_id: null,
    });
    expect(JSON.stringify(records)).not.toContain('battery');
  });
});

describe('POST /auth/login/{tenant} rejects', () => {
  it('a wrong password, an unknown user and a disabled one alike', async () => {
    const accounts = createAccountStore(test.database);
    const { tenantId } = test.acme;
    const id = await accounts.putUser({ tenantId, email: 'gone@example.com', passwordHash: null, roles: [] });
    await accounts.disable({ tenantId, kind: 'user', id });
    const answers = await Promise.all(
      ['Ann@Example.com', 'nobody@example.com', 'gone@example.com'].map((email) =>
        postJson(`${test.url}/auth/login/acme`, { email, password: 'wrong' }),
      ),
    );
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect({ ...body, request_id: '' }).toEqual({ ...answers[0]?.body, request_id: '' });
      expect(headers['www-authenticate']).toBe('Bearer realm="sluice", header="idtoken"');
    }
    const failed = await test.rows(`select user_name from audit_log where action = 'LOGIN_FAILED' order by user_name`);
    expect(failed).toEqual([
      { user_name: 'ann@example.com' },
      { user_name: 'gone@example.com' },
      { user_name: 'unknown' },
    ]);
  });

  it('the password of the same e-mail in another tenant', async () => {
    const body = { email: 'ann@example.com', password: passwordOf('acme') };
    expect((await postJson(`${test.url}/auth/login/globex`, body)).status).toBe(401);
  });

  it('an unknown tenant with 404, for GET and POST', async () => {
    expect((await postJson(`${test.url}/auth/login/nobody`, { email: 'a', password: 'b' })).status).toBe(404);
    expect((await send(`${test.url}/auth/login/nobody`)).status).toBe(404);
  });

  it('an invalid body, with every problem named', async () => {
    const { status, body } = await postJson(`${test.url}/auth/login/acme`, { email: 7, extra: true });
    expect(status).toBe(400);
    expect(body.details.map(({ path }: { path: string }) => path).sort()).toEqual([
      'body.email',
      'body.extra',
      'body.password',
    ]);
  });

  it.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
  ])('an e-mail with %s with 400', async (_name, email) => {
    expect((await postJson(`${test.url}/auth/login/acme`, { email, password: 'x' })).status).toBe(400);
  });

  it('a form, which a foreign page could send, with 415', async () => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'email=a' };
    expect((await send(`${test.url}/auth/login/acme`, sent)).status).toBe(415);
  });

  it('any login of a suspended tenant with 403', async () => {
    await test.rows(`update tenants set state = 'suspended' where name = 'globex'`);
    expect((await login(test.url, 'globex')).status).toBe(403);
    await test.rows(`update tenants set state = 'active' where name = 'globex'`);
    expect((await login(test.url, 'globex')).status).toBe(200);
  });
});

describe('sessions of one account', () => {
  const liveOf = async (accountId: string) => {
    const [row] = await test.rows<{ live: number }>(
      `select count(*)::int as live from sessions where account_id = $1 and revoked_at is null and expires > now()`,
      [accountId],
    );
    return row?.live;
  };
  const whoIs = async (header: Record<string, string>, host: 'api' | 'stream') =>
    (await send(`${test.url}/test/${host}`, { headers: header })).status;

  it('are at most 50 under concurrent logins: the oldest is revoked, other accounts keep theirs', async () => {
    const { body: other } = await login(test.url, 'globex');
    const { body: first } = await login(test.url);
    for (let group = 0; group < 5; group += 1) {
      const answers = await Promise.all(Array.from({ length: 11 }, () => login(test.url)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 11 }, () => 200));
    }
    expect(await liveOf(test.acme.userId)).toBe(50);
    expect(await whoIs({ idtoken: first.id_token }, 'api')).toBe(401);
    expect((await refresh(test.url, first.refresh_token)).body.error).toBe('invalid_grant');
    const { body: last } = await login(test.url);
    expect(await whoIs({ idtoken: last.id_token }, 'api')).toBe(200);
    expect(await whoIs({ idtoken: other.id_token }, 'api')).toBe(200);
    expect(await test.rows(`select distinct revoke_reason from sessions where revoked_at is not null`)).toEqual([
      { revoke_reason: 'too many sessions' },
    ]);
  });

  it('count for service accounts too, one per token', async () => {
    const tokens: string[] = [];
    for (let count = 0; count < 51; count += 1) tokens.push((await requestClientToken(test.url)).body.access_token);
    expect(await liveOf(test.acme.clientId)).toBe(50);
    const statuses = await Promise.all(
      [tokens[0], tokens[1], tokens[50]].map((token) => whoIs({ authorization: `Bearer ${token}` }, 'stream')),
    );
    expect(statuses).toEqual([401, 200, 200]);
  });

  it('that have ended do not count: the newest 50 live ones stay', async () => {
    await test.rows(`update sessions set expires = now() - interval '1 second' where account_id = $1`, [
      test.acme.userId,
    ]);
    const { body } = await login(test.url);
    expect([await liveOf(test.acme.userId), await whoIs({ idtoken: body.id_token }, 'api')]).toEqual([1, 200]);
  });
});
