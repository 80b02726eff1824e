import { createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPasswords } from '@sluice/auth';
import { apiOperations, type Operation } from '@sluice/contract';
import { createAccountStore } from '@sluice/store/identity';
import { send } from '@sluice/testkit';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { AUDIENCE, startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { basicHeader, login, passwordOf, requestClientToken, secretOf } from '@sluice/testkit/requests';
import { decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';
import { forge, unsigned } from './forge-token.ts';

let test: TestHost;
let idToken: string;
let accessToken: string;
let refreshToken: string;
let machineToken: string;
/** A user with an unknown role, so without any permission. */
let nobody: LoggedIn;

beforeAll(async () => {
  test = await startTestHost();
  const { body } = await login(test.url);
  idToken = body.id_token;
  accessToken = body.access_token;
  refreshToken = body.refresh_token;
  machineToken = (await requestClientToken(test.url)).body.access_token;
  nobody = await logInAs(test, ['nobody'], test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const api = async (headers: Record<string, string> | string[]) => send(`${test.url}/test/api`, { headers });
const stream = async (headers: Record<string, string> | string[]) => send(`${test.url}/test/stream`, { headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ann = () => ({ authorization: basicHeader('ann@example.com', passwordOf('acme')) });

describe('a valid credential', () => {
  it('is accepted by the stream host in all three forms', async () => {
    expect((await stream({ idtoken: idToken })).body).toMatchObject({ name: 'ann@example.com', kind: 'user' });
    expect((await stream(bearer(accessToken))).body).toMatchObject({ name: 'ann@example.com', tenant: 'acme' });
    expect((await stream(bearer(machineToken))).body).toMatchObject({ name: 'etl', kind: 'client' });
    expect((await stream(ann())).body).toMatchObject({ name: 'ann@example.com', roles: ['analyst'] });
  });

  it('is an ID token, or an access token after Bearer, on the API host', async () => {
    expect((await api({ idtoken: idToken })).body).toMatchObject({ name: 'ann@example.com', kind: 'user' });
    expect((await api(bearer(accessToken))).body).toMatchObject({ name: 'ann@example.com', kind: 'user' });
    expect((await api(bearer(machineToken))).body).toMatchObject({ name: 'etl', kind: 'client', tenant: 'acme' });
  });

  it('is not Basic on the API host, which names the headers to send', async () => {
    const { status, body, headers } = await api(ann());
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      `Bearer realm="sluice", resource_metadata="${test.url}/.well-known/oauth-protected-resource"`,
    ]);
    expect(body.message).toBe(
      'This kind of credential is not accepted here. Send idtoken: <ID token of a login>, or Authorization: Bearer <access token>.',
    );
  });

  it('is not an access token without the audience of the API host', async () => {
    const { aud } = decodeJwt(machineToken);
    expect(aud).toEqual([AUDIENCE, `${AUDIENCE}-api`]);
    expect(decodeJwt(idToken).aud).toBe(AUDIENCE);
    for (const other of [AUDIENCE, [AUDIENCE], [AUDIENCE, 'other'], 'other', []]) {
      const { status, body } = await api(bearer(await forge(test, machineToken, { claims: { aud: other } })));
      expect([status, body.message]).toEqual([
        401,
        'The token is not valid: its claim aud is not accepted here. Log in again.',
      ]);
    }
    const only = await forge(test, machineToken, { claims: { aud: `${AUDIENCE}-api` } });
    expect((await api(bearer(only))).status).toBe(200);
  });

  it('gets 403 with an audit record without the permission', async () => {
    const answer = await send(`${test.url}/test/api-audit`, { headers: { idtoken: idToken } });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toContain('audit:read');
    const records = await test.rows('select action, metadata from audit_log where request_id = $1', [
      answer.headers['x-request-id'],
    ]);
    expect(records).toEqual([{ action: 'ACCESS_DENIED', metadata: { permission: 'audit:read' } }]);
  });
});

describe('every operation that needs a credential', () => {
  const guarded = Object.values<Operation>(apiOperations).filter(({ credentials }) => credentials.length > 0);
  const unnamed = '00000000-0000-4000-8000-000000000000';

  it.each(guarded.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'returns 401 without a token for it: %s',
    async (_name, { method, path, credentials }) => {
      const url = test.url + path.replaceAll(/\{\w+\}/g, unnamed);
      expect(credentials).toEqual(['idtoken', 'bearer']);
      for (const headers of [{}, bearer(idToken), ann(), { idtoken: accessToken }]) {
        expect((await send(url, { method, headers: headers as Record<string, string> })).status).toBe(401);
      }
    },
  );

  const permitted = guarded.filter(({ permission, id }) => permission !== undefined || id === 'importMetadata');
  it.each(permitted.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'returns 403 and writes ACCESS_DENIED for a user without permissions, whatever the body: %s',
    async (_name, { method, path }) => {
      const answer = await send(test.url + path.replaceAll(/\{\w+\}/g, unnamed), {
        method,
        headers: { idtoken: nobody.idToken, 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{"no":"such key"}' }),
      });
      expect([answer.status, answer.body.error]).toEqual([403, 'access_denied']);
      const records = await test.rows('select action, user_name from audit_log where request_id = $1', [
        answer.headers['x-request-id'],
      ]);
      expect(records).toEqual([{ action: 'ACCESS_DENIED', user_name: nobody.email }]);
    },
  );
});

describe('every operation on the audit log', () => {
  const operations = Object.values<Operation>(apiOperations).filter(({ path }) => path.startsWith('/audits/'));

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'returns 403 and writes ACCESS_DENIED without audit:read: %s',
    async (_name, { method, path }) => {
      const { status, body, headers } = await send(test.url + path, { method, headers: { idtoken: idToken } });
      expect([status, body.error]).toEqual([403, 'access_denied']);
      const records = await test.rows('select action, metadata from audit_log where request_id = $1', [
        headers['x-request-id'],
      ]);
      expect(records).toEqual([{ action: 'ACCESS_DENIED', metadata: { permission: 'audit:read' } }]);
    },
  );
});

describe('without a usable credential the response is 401', () => {
  it.each([
    ['none', {}],
    ['an empty idtoken', { idtoken: '' }],
    ['Bearer alone', { authorization: 'Bearer ' }],
    ['Basic alone', { authorization: 'Basic' }],
    ['malformed base64', { authorization: 'Basic !!!' }],
    ['base64 without a colon', { authorization: `Basic ${Buffer.from('ann').toString('base64')}` }],
    ['a user that is not UTF-8', { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0x61]).toString('base64')}` }],
    ['an unknown scheme', { authorization: 'Digest x' }],
    ['text as token', { idtoken: 'hello' }],
    ['a random handle as token', { idtoken: 'GmZ2Vp0wq2Y6nS2o3YkqkQ1r1c2Qd8d8d8d8d8d8d8d' }],
  ])('%s', async (_name, headers) => {
    for (const answer of [await api(headers), await stream(headers)]) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBeDefined();
      expect(answer.body.error).toBe('unauthorized');
    }
  });

  it('a token of the other use, in either header', async () => {
    for (const token of [accessToken, machineToken, refreshToken]) {
      expect((await stream({ idtoken: token })).status).toBe(401);
      expect((await api({ idtoken: token })).status).toBe(401);
    }
    for (const token of [idToken, refreshToken]) {
      expect((await stream(bearer(token))).status).toBe(401);
      expect((await api(bearer(token))).status).toBe(401);
    }
  });
});

describe('two credentials return 400', () => {
  it.each([
    ['of different kinds', () => ['idtoken', idToken, 'authorization', `Bearer ${accessToken}`]],
    ['idtoken twice', () => ['idtoken', idToken, 'idtoken', idToken]],
    ['Authorization twice', () => ['authorization', `Bearer ${accessToken}`, 'Authorization', `Bearer ${accessToken}`]],
  ])('%s', async (_name, headers) => {
    const raw = ['host', `127.0.0.1:${test.host.port}`, ...headers()];
    expect((await api(raw)).body.error).toBe('ambiguous_credentials');
    expect((await stream(raw)).status).toBe(400);
  });
});

describe('an invalid token signed by us returns 401', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const forgeries: [string, () => { claims?: Record<string, unknown>; header?: Record<string, unknown> }][] = [
    ['expired beyond the tolerance', () => ({ claims: { exp: now() - 31 } })],
    ['not valid yet', () => ({ claims: { nbf: now() + 60 } })],
    ['issued in the future', () => ({ claims: { iat: now() + 60 } })],
    ['without exp', () => ({ claims: { exp: undefined } })],
    ['without jti', () => ({ claims: { jti: undefined } })],
    ['without sid', () => ({ claims: { sid: undefined } })],
    ['without tenant', () => ({ claims: { tenant: undefined } })],
    ['without sub', () => ({ claims: { sub: undefined } })],
    ['with another audience', () => ({ claims: { aud: 'other' } })],
    ["with another tenant's issuer", () => ({ claims: { iss: 'https://globex.issuer.test' } })],
    ['with a slash after its issuer', () => ({ claims: { iss: 'https://acme.issuer.test/' } })],
    ['with http for https in its issuer', () => ({ claims: { iss: 'http://acme.issuer.test' } })],
    ['of another tenant than its session', () => ({ claims: { tenant: 'globex', iss: 'https://globex.issuer.test' } })],
    ['of another account than its session', () => ({ claims: { sub: test.acme.clientId } })],
    ['with a sub that is not a UUID', () => ({ claims: { sub: "' or 1=1" } })],
    ['with token_use access', () => ({ claims: { token_use: 'access' } })],
    ['typed as an access token', () => ({ header: { typ: 'at+jwt' } })],
    ['typed as JWT', () => ({ header: { typ: 'JWT' } })],
    ['without typ', () => ({ header: { typ: undefined } })],
    ['without kid', () => ({ header: { kid: undefined } })],
    ['with an unknown kid', () => ({ header: { kid: 'unknown' } })],
    ['with a path as kid', () => ({ header: { kid: '../../dev/null' } })],
    ['with a kid of 6 kB', () => ({ header: { kid: 'k'.repeat(6000) } })],
    ['with an unknown crit', () => ({ header: { crit: ['x'], x: 1 } })],
  ];

  it.each(forgeries)('%s', async (_name, changes) => {
    const answer = await stream({ idtoken: await forge(test, idToken, changes()) });
    expect([answer.status, answer.body.error]).toEqual([401, 'unauthorized']);
  });

  it('is accepted when valid, so the cases above fail for their own reasons', async () => {
    expect((await stream({ idtoken: await forge(test, idToken, {}) })).status).toBe(200);
  });

  it('is accepted within the clock tolerance', async () => {
    expect((await stream({ idtoken: await forge(test, idToken, { claims: { exp: now() - 20 } }) })).status).toBe(200);
  });
});

describe('a token not signed by us returns 401', () => {
  it.each(['none', 'NoNe', 'ES256', 'HS256'])('alg %s with an empty signature', async (alg) => {
    expect((await stream({ idtoken: unsigned(idToken, alg) })).status).toBe(401);
  });

  it('signed with HS256 under the public key in any encoding', async () => {
    const { body } = await send(`${test.url}/.well-known/jwks.json`);
    const jwk = body.keys.find(({ kid }: { kid: string }) => kid === decodeProtectedHeader(idToken).kid);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const writings = [
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      jwk.x,
    ];
    for (const writing of writings) {
      const secret = new Uint8Array(Buffer.from(writing));
      const forged = await forge(test, idToken, { header: { alg: 'HS256' }, key: secret });
      expect((await stream({ idtoken: forged })).status).toBe(401);
    }
  });

  it('signed with a key that it names itself; nothing is fetched', async () => {
    let fetched = 0;
    const listener = createServer((_request, response) => {
      fetched += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/keys`;
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = createPublicKey({ key: await crypto.subtle.exportKey('jwk', publicKey), format: 'jwk' } as never);
    const headers = [{ jwk: jwk.export({ format: 'jwk' }) }, { jku: url }, { x5u: url }];
    for (const header of headers) {
      const forged = await forge(test, idToken, { header, key: privateKey });
      expect((await stream({ idtoken: forged })).status).toBe(401);
    }
    listener.close();
    expect(fetched).toBe(0);
  });

  it('whose signature is of another token', async () => {
    const [header, payload] = idToken.split('.');
    const signature = (await forge(test, idToken, {})).split('.')[2];
    expect((await stream({ idtoken: `${header}.${payload}.${signature}` })).status).toBe(401);
  });

  it('of 10 kB; a header over the limit returns 431', async () => {
    expect((await stream({ idtoken: `${idToken}${'A'.repeat(10_000)}` })).status).toBe(401);
    expect((await stream({ idtoken: 'A'.repeat(17_000) })).status).toBe(431);
  });
});

describe('isolation of tenants', () => {
  it("a token at another tenant's address returns 401", async () => {
    const host = { host: `globex-api.localhost:${test.host.port}` };
    expect((await stream({ ...host, idtoken: idToken })).status).toBe(401);
    expect((await stream({ ...host, ...bearer(machineToken) })).status).toBe(401);
    expect((await api({ ...host, ...bearer(machineToken) })).status).toBe(401);
    expect((await stream({ ...host, ...ann() })).status).toBe(401);
    expect(
      (await stream({ ...host, authorization: basicHeader('ann@example.com', passwordOf('globex')) })).status,
    ).toBe(200);
  });

  it('a forwarded host from an untrusted proxy is ignored', async () => {
    const headers = { idtoken: idToken, 'x-forwarded-host': 'globex-api.localhost' };
    expect((await stream(headers)).body.tenant).toBe('acme');
  });
});

describe('Basic', () => {
  it('accepts a password with colons', async () => {
    const accounts = createAccountStore(test.database);
    const passwords = createPasswords({ memoryKib: 64, passes: 1 });
    const { tenantId } = test.acme;
    for (const [email, password] of [
      ['colon@example.com', ':starts:and:holds:colons'],
      ['umlaut@example.com', 'pässwörd 漢字'],
    ] as const) {
      await accounts.putUser({ tenantId, email, passwordHash: await passwords.hash(password), roles: ['analyst'] });
      expect((await stream({ authorization: basicHeader(email, password) })).status).toBe(200);
      expect((await stream({ authorization: basicHeader(email, password.slice(0, -1)) })).status).toBe(401);
    }
  });

  it('rejects client secrets', async () => {
    expect((await stream({ authorization: basicHeader('etl', secretOf('acme')) })).status).toBe(401);
  });

  it('does not open a password dialog for a script', async () => {
    const answer = await stream({ 'sec-fetch-mode': 'cors' });
    expect(answer.headers['www-authenticate']).not.toContain('Basic');
  });
});
