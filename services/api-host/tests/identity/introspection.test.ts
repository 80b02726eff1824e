import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountStore } from '@sluice/store/identity';
import type { ReceivedResponse } from '@sluice/testkit';
import { type Admin, adminOf } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';
import { basicHeader, login, postForm, requestClientToken, secretOf } from '@sluice/testkit/requests';
import { decodeJwt } from 'jose';
import { CLIENT, obtainCode, postToken, redeem, startAuthorizationServer } from './oauth-requests.ts';

interface Account {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string;
}

let test: TestHost;
let admin: Admin;
let introspector: Account;

const create = async (access: object): Promise<Account> => {
  const clientId = `resource-${randomUUID().slice(0, 8)}`;
  const made = await admin.ask({ method: 'POST', path: '/service-accounts', body: { client_id: clientId, ...access } });
  return { id: made.body.id, clientId, secret: made.body.client_secret };
};

beforeAll(async () => {
  test = await startAuthorizationServer();
  admin = await adminOf(test, test.acme);
  introspector = await create({ may_introspect: true });
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const introspect = (token: string, { clientId, secret } = introspector, tenant = 'acme') =>
  postForm(`${test.url}/auth/${tenant}/oauth2/introspect`, { token, client_id: clientId, client_secret: secret });

const recordsOf = ({ headers }: ReceivedResponse) =>
  test.rows<{ action: string; user_name: string; target: string; metadata: object }>(
    'select action, user_name, target, metadata from audit_log where request_id = $1',
    [headers['x-request-id']],
  );

const expectInactive = async (token: string): Promise<void> => {
  const answer = await introspect(token);
  expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([200, { active: false }, 'no-store']);
  expect(await recordsOf(answer)).toEqual([
    { action: 'INTROSPECT_TOKEN', user_name: introspector.clientId, target: 'unknown', metadata: { active: false } },
  ]);
};

const programTokens = async (changes = {}) => (await redeem(test, await obtainCode(test, changes))).body;

describe('an active token', () => {
  it('of a program is described, with a record', async () => {
    const { access_token } = await programTokens({ scope: 'query:run datamap:read' });
    const answer = await introspect(access_token);
    const { iss, aud, iat, exp, jti, sid } = decodeJwt(access_token);
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([
      200,
      {
        active: true,
        token_use: 'access',
        token_type: 'Bearer',
        scope: 'datamap:read query:run',
        client_id: CLIENT,
        username: 'ann@example.com',
        sub: test.acme.userId,
        ...{ iss, aud, iat, exp, jti },
      },
      'no-store',
    ]);
    expect(await recordsOf(answer)).toEqual([
      {
        action: 'INTROSPECT_TOKEN',
        user_name: introspector.clientId,
        target: 'ann@example.com',
        metadata: { active: true, session_id: sid },
      },
    ]);
  });

  it('of a service account names it as the client', async () => {
    const { body } = await requestClientToken(test.url);
    expect((await introspect(body.access_token)).body).toMatchObject({
      active: true,
      client_id: 'etl',
      username: 'etl',
    });
  });

  it('that is a refresh token says so', async () => {
    const { refresh_token } = await programTokens({ scope: 'query:run' });
    const { body } = await introspect(refresh_token);
    expect(body).toEqual({
      active: true,
      token_use: 'refresh',
      scope: 'query:run',
      client_id: CLIENT,
      username: 'ann@example.com',
      sub: test.acme.userId,
      iss: `${test.url}/auth/acme`,
      exp: expect.any(Number),
    });
    const next = await postToken(test, { grant_type: 'refresh_token', client_id: CLIENT, refresh_token });
    await expectInactive(refresh_token);
    expect((await introspect(next.body.refresh_token)).body.active).toBe(true);
  });

  it('follows the roles of its account', async () => {
    const { access_token } = await programTokens();
    const accounts = createAccountStore(test.database);
    const account = { tenantId: test.acme.tenantId, kind: 'user', id: test.acme.userId } as const;
    await accounts.setRoles(account, ['auditor']);
    expect((await introspect(access_token)).body.scope.split(' ').sort()).toEqual(['audit:read', 'datamap:read']);
    await accounts.setRoles(account, ['analyst']);
  });
});

describe('a token is not active, without a reason,', () => {
  it('when it is not a token', async () => {
    for (const token of ['x', 'a.b.c', `${'x'.repeat(8000)}`, secretOf('acme')]) await expectInactive(token);
  });

  it('when its session has ended', async () => {
    const tokens = await programTokens();
    await postForm(`${test.url}/auth/acme/oauth2/revoke`, { token: tokens.refresh_token, client_id: CLIENT });
    await expectInactive(tokens.access_token);
    await expectInactive(tokens.refresh_token);
  });

  it('when it belongs to another tenant', async () => {
    const { body } = await login(test.url, 'globex');
    await expectInactive(body.access_token);
    await expectInactive(body.refresh_token);
  });

  it('when it is an ID token', async () => {
    const { body } = await login(test.url);
    await expectInactive(body.id_token);
    expect((await introspect(body.access_token)).body.active).toBe(true);
  });

  it('when its account is disabled', async () => {
    const account = await create({ roles: ['service'] });
    const fields = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.secret };
    const { body } = await postForm(`${test.url}/auth/acme/oauth2/token`, fields);
    expect((await introspect(body.access_token)).body.active).toBe(true);
    await admin.ask({ method: 'PUT', path: `/service-accounts/${account.id}`, body: { disabled: true } });
    await expectInactive(body.access_token);
  });
});

describe('a caller may introspect', () => {
  it('only as a service account that an admin has allowed to', async () => {
    const { body } = await requestClientToken(test.url);
    const account = await create({ roles: ['admin'] });
    const refused = await introspect(body.access_token, account);
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied']);
    expect(await recordsOf(refused)).toEqual([
      {
        action: 'ACCESS_DENIED',
        user_name: account.clientId,
        target: 'introspectToken',
        metadata: { reason: 'may_introspect' },
      },
    ]);
    await admin.ask({ method: 'PUT', path: `/service-accounts/${account.id}`, body: { may_introspect: true } });
    expect((await introspect(body.access_token, account)).body.active).toBe(true);
  });

  it('only with its credential, and at its tenant', async () => {
    const wrong = await introspect('x', { ...introspector, secret: 'wrong' });
    const elsewhere = await introspect('x', introspector, 'globex');
    for (const answer of [wrong, elsewhere])
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    const url = `${test.url}/auth/acme/oauth2/introspect`;
    expect((await postForm(url, { token: 'x', client_id: CLIENT })).body.error).toBe('invalid_client');
    expect((await postForm(url, { token: 'x' })).body.error).toBe('invalid_client');
    const { access_token } = (await requestClientToken(test.url)).body;
    const bearer = await postForm(url, { token: 'x' }, { authorization: `Bearer ${access_token}` });
    expect([bearer.status, bearer.body.error]).toEqual([401, 'invalid_client']);
  });

  it('with HTTP Basic, and not without a token', async () => {
    const url = `${test.url}/auth/acme/oauth2/introspect`;
    const authorization = basicHeader(introspector.clientId, introspector.secret);
    expect((await postForm(url, { token: 'x', token_type_hint: 'other' }, { authorization })).body).toEqual({
      active: false,
    });
    expect((await postForm(url, {}, { authorization })).body.error).toBe('invalid_request');
  });
});
