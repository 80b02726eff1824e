import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ReceivedResponse, reservePort, send } from '@sluice/testkit';
import { type Admin, adminOf } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let test: TestHost;
let admin: Admin;
let issuer: string;
/** Server of the keys of a client. */
const keys = { status: 200, body: '', requests: 0 };
const keyServer = createServer((_request, response) => {
  keys.requests += 1;
  response.writeHead(keys.status, { connection: 'close' }).end(keys.body);
});
let jwksUri: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => keyServer.listen(0, '127.0.0.1', resolve));
  const keyPort = (keyServer.address() as AddressInfo).port;
  jwksUri = `http://127.0.0.1:${keyPort}/jwks`;
  const port = await reservePort();
  issuer = `http://127.0.0.1:${port}/auth/acme`;
  test = await startTestHost({
    API_PORT: String(port),
    ISSUER_TEMPLATE: `http://127.0.0.1:${port}/auth/{tenant}`,
    SSO_PRIVATE_HOSTS: `127.0.0.1:${keyPort}`,
  });
  admin = await adminOf(test, test.acme);
}, 120_000);
afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  keyServer.close();
});

const pairOf = async (kid: string) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
};
type Pair = Awaited<ReturnType<typeof pairOf>>;

const create = async (pair: Pair, access: object = { jwks: { keys: [pair.jwk] } }) => {
  const clientId = `job-${randomUUID().slice(0, 8)}`;
  const body = { client_id: clientId, roles: ['service'], ...access };
  const made = await admin.ask({ method: 'POST', path: '/service-accounts', body });
  expect(made.status).toBe(201);
  return { pair, id: made.body.id as string, clientId, secret: made.body.client_secret as string };
};
type Account = Awaited<ReturnType<typeof create>>;

/** Signs an assertion, whose claims `changes` replace. */
const sign = ({ pair, clientId }: Pick<Account, 'pair' | 'clientId'>, changes: object = {}): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: clientId, sub: clientId, aud: issuer, iat: now, exp: now + 60, jti: randomUUID(), ...changes };
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: pair.kid }).sign(pair.privateKey);
};

const requestToken = (assertion: string, changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  postForm(
    `${test.url}/auth/acme/oauth2/token`,
    { grant_type: 'client_credentials', client_assertion_type: TYPE, client_assertion: assertion, ...changes },
    headers,
  );

const who = async (token: string): Promise<number> =>
  (await send(`${test.url}/test/stream`, { headers: { authorization: `Bearer ${token}` } })).status;

const recordsOf = ({ headers }: ReceivedResponse) =>
  test.rows<{ action: string; user_name: string; metadata: Record<string, unknown> }>(
    'select action, user_name, metadata from audit_log where request_id = $1',
    [headers['x-request-id']],
  );

const change = ({ id }: Account, body: object) => admin.ask({ method: 'PUT', path: `/service-accounts/${id}`, body });

const expectRefused = async (answer: ReceivedResponse, user: string): Promise<void> => {
  expect([answer.status, answer.body.error, answer.headers['cache-control']]).toEqual([
    401,
    'invalid_client',
    'no-store',
  ]);
  expect(await recordsOf(answer)).toMatchObject([
    { action: 'LOGIN_FAILED', user_name: user, metadata: { method: 'private_key_jwt' } },
  ]);
};

describe('an assertion', () => {
  it('gets an access token, with a record', async () => {
    const account = await create(await pairOf('one'));
    for (const aud of [issuer, `${issuer}/oauth2/token`]) {
      const answer = await requestToken(await sign(account, { aud }), { scope: 'query:run' });
      expect([answer.status, Object.keys(answer.body).sort()]).toEqual([
        200,
        ['access_token', 'expires_in', 'scope', 'token_type'],
      ]);
      expect(await who(answer.body.access_token)).toBe(200);
      expect(await recordsOf(answer)).toMatchObject([
        {
          action: 'ISSUE_TOKEN',
          user_name: account.clientId,
          metadata: { grant: 'client_credentials', method: 'private_key_jwt', scope: ['query:run'] },
        },
      ]);
    }
  });

  it('is accepted once, also under parallel requests and by the jti of another assertion', async () => {
    const account = await create(await pairOf('one'));
    const assertion = await sign(account);
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestToken(assertion)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
    const again = await requestToken(assertion);
    await expectRefused(again, account.clientId);
    expect(again.body.error_description).toContain('used before');
    const jti = randomUUID();
    expect((await requestToken(await sign(account, { jti }))).status).toBe(200);
    await expectRefused(
      await requestToken(await sign(account, { jti, aud: `${issuer}/oauth2/token` })),
      account.clientId,
    );
    const other = await create(await pairOf('one'));
    expect((await requestToken(await sign(other, { jti }))).status).toBe(200);
  });

  it.each<readonly [string, object]>([
    ['of another audience', { aud: 'https://other.example' }],
    ['of another tenant', { aud: 'GLOBEX' }],
    ['that names a Host header', { aud: 'http://evil.example/auth/acme/oauth2/token' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['that is valid for an hour', { exp: Math.floor(Date.now() / 1000) + 3600 }],
    ['that another client issued', { iss: 'etl' }],
  ])('%s is refused', async (_what, changes) => {
    const account = await create(await pairOf('one'));
    const aud = 'aud' in changes && changes.aud === 'GLOBEX' ? { aud: issuer.replace('acme', 'globex') } : {};
    const answer = await requestToken(await sign(account, { ...changes, ...aud }), {}, { host: 'evil.example' });
    await expectRefused(answer, account.clientId);
  });

  it('of an unknown, keyless or disabled client is refused as one with a wrong signature', async () => {
    const pair = await pairOf('one');
    const account = await create(pair);
    const disabled = await create(pair);
    await change(disabled, { disabled: true });
    const keyless = await create(pair, {});
    const wrong = { ...account, pair: await pairOf('one') };
    const unknown = { clientId: 'no-such-client', pair };
    const messages = new Set<string>();
    for (const each of [disabled, keyless, wrong, unknown]) {
      const answer = await requestToken(await sign(each));
      await expectRefused(answer, each === unknown ? 'unknown' : each.clientId);
      messages.add(answer.body.error_description);
    }
    expect([...messages]).toEqual(['The client assertion is not valid: it is not signed with a key of this client.']);
    const [record] = await recordsOf(await requestToken(await sign(unknown)));
    expect(record?.metadata).toMatchObject({ name_digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('is the only credential of its request', async () => {
    const account = await create(await pairOf('one'));
    const { clientId, secret } = account;
    const both = await requestToken(await sign(account), { client_id: clientId, client_secret: secret });
    const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` };
    const header = await requestToken(await sign(account), {}, basic);
    expect([both.body.error, header.body.error]).toEqual(['invalid_request', 'invalid_request']);
    expect((await requestToken(await sign(account), { client_id: clientId })).status).toBe(200);
    await expectRefused(await requestToken(await sign(account), { client_id: 'etl' }), clientId);
  });

  it.each<readonly [string, Record<string, string>]>([
    ['another type', { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }],
    ['no assertion', { client_assertion: '' }],
    ['no JWT', { client_assertion: 'x.y' }],
  ])('with %s is invalid_client', async (_what, changes) => {
    const answer = await requestToken('unused', changes);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  it('is refused outside of the networks of its client', async () => {
    const pair = await pairOf('one');
    const account = await create(pair, { jwks: { keys: [pair.jwk] }, allowed_networks: ['203.0.113.0/24'] });
    const answer = await requestToken(await sign(account));
    await expectRefused(answer, account.clientId);
    expect(answer.body.error_description).toContain('127.0.0.1');
  });

  it('leaves the id of an expired one to be forgotten', async () => {
    const account = await create(await pairOf('one'));
    await requestToken(await sign(account));
    const [row] = await test.rows<{ seconds: number }>(
      'select extract(epoch from expires - now())::float8 as seconds from client_assertions where client_id = $1',
      [account.clientId],
    );
    expect(row?.seconds).toBeGreaterThan(60);
    expect(row?.seconds).toBeLessThanOrEqual(91);
  });
});

describe('a session of an assertion', () => {
  it('ends when the keys change, and that of a secret does not', async () => {
    const account = await create(await pairOf('one'));
    const token = (await requestToken(await sign(account))).body.access_token;
    const fields = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.secret };
    const bySecret = (await postForm(`${test.url}/auth/acme/oauth2/token`, fields)).body.access_token;
    await change(account, { roles: ['analyst'] });
    expect([await who(token), await who(bySecret)]).toEqual([200, 200]);
    const next = await pairOf('two');
    const changed = await change(account, { jwks: { keys: [next.jwk] } });
    expect(changed.body.jwks.keys).toEqual([next.jwk]);
    expect([await who(token), await who(bySecret)]).toEqual([401, 200]);
    await expectRefused(await requestToken(await sign(account)), account.clientId);
    expect((await requestToken(await sign({ ...account, pair: next }))).status).toBe(200);
  });
});

describe('keys at an address', () => {
  it('are fetched, kept for a while, and never replaced by older ones during an outage', async () => {
    const pair = await pairOf('remote');
    Object.assign(keys, { status: 200, requests: 0, body: JSON.stringify({ keys: [pair.jwk] }) });
    const account = await create(pair, { jwks_uri: jwksUri });
    for (const _ of [1, 2]) expect((await requestToken(await sign(account))).status).toBe(200);
    expect(keys.requests).toBe(1);
    await expectRefused(await requestToken(await sign({ ...account, pair: await pairOf('remote') })), account.clientId);
    const inline = await change(account, { jwks: { keys: [pair.jwk] } });
    expect([inline.body.jwks_uri, inline.body.jwks.keys]).toEqual([null, [pair.jwk]]);
  });

  it('that cannot be fetched are 503, without a session or a used jti', async () => {
    const pair = await pairOf('remote');
    keys.status = 500;
    const account = await create(pair, { jwks_uri: `${jwksUri}/down` });
    const answer = await requestToken(await sign(account));
    expect([answer.status, answer.body.error, answer.headers['retry-after']]).toEqual([
      503,
      'temporarily_unavailable',
      '5',
    ]);
    const rows = await test.rows(
      `select 1 from sessions where account_id = $1 union all select 1 from client_assertions where client_id = $2`,
      [account.id, account.clientId],
    );
    expect(rows).toEqual([]);
  });
});

it('is described in the metadata of the server', async () => {
  const { body } = await send(`${test.url}/.well-known/oauth-authorization-server/auth/acme`);
  expect(body).toMatchObject({
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA'],
    introspection_endpoint: `${test.url}/auth/acme/oauth2/introspect`,
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    introspection_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'EdDSA'],
  });
});
