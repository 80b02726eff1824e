import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPasswords } from '@sluice/auth';
import { createAccountStore, createSigningKeyStore } from '@sluice/store/identity';
import { send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { basicHeader, login, passwordOf, requestClientToken } from '@sluice/testkit/requests';
import { decodeProtectedHeader } from 'jose';
import { openKeyRing } from '../identity/forge-token.ts';

let test: TestHost;
let idToken: string;
let accessToken: string;
let machineToken: string;

beforeAll(async () => {
  test = await startTestHost();
  const { body } = await login(test.url);
  idToken = body.id_token;
  accessToken = body.access_token;
  machineToken = (await requestClientToken(test.url)).body.access_token;
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const stream = async (headers: Record<string, string>) => send(`${test.url}/test/stream`, { headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ann = () => ({ authorization: basicHeader('ann@example.com', passwordOf('acme')) });

describe('a change in the store applies immediately:', () => {
  const accounts = () => createAccountStore(test.database);
  const account = () => ({ tenantId: test.acme.tenantId, kind: 'user' as const, id: test.acme.userId });

  it('a removed role returns 403', async () => {
    await accounts().setRoles(account(), ['auditor']);
    for (const headers of [{ idtoken: idToken }, bearer(accessToken), ann()]) {
      expect((await stream(headers)).status).toBe(403);
    }
    await accounts().setRoles(account(), ['analyst']);
    expect((await stream({ idtoken: idToken })).status).toBe(200);
  });

  it('a suspended tenant returns 403', async () => {
    await test.rows(`update tenants set state = 'suspended' where name = 'acme'`);
    for (const headers of [{ idtoken: idToken }, bearer(machineToken), ann()]) {
      expect((await stream(headers)).status).toBe(403);
    }
    await test.rows(`update tenants set state = 'active' where name = 'acme'`);
  });

  it('a changed password ends Basic and every session', async () => {
    expect((await stream(ann())).status).toBe(200);
    const passwords = createPasswords({ memoryKib: 64, passes: 1 });
    const before = await login(test.url);
    await accounts().setPasswordHash(
      { tenantId: test.acme.tenantId, id: test.acme.userId },
      await passwords.hash('new'),
    );
    expect((await stream(ann())).status).toBe(401);
    expect((await stream({ idtoken: before.body.id_token })).status).toBe(401);
    const hash = await passwords.hash(passwordOf('acme'));
    await accounts().setPasswordHash({ tenantId: test.acme.tenantId, id: test.acme.userId }, hash);
    expect((await stream(ann())).status).toBe(200);
  });

  it('a disabled user or client returns 401', async () => {
    const { body } = await login(test.url);
    await accounts().disable(account());
    await accounts().disable({ ...account(), kind: 'client', id: test.acme.clientId });
    for (const headers of [{ idtoken: body.id_token }, bearer(body.access_token), bearer(machineToken), ann()]) {
      expect((await stream(headers)).status).toBe(401);
    }
    await accounts().enable(account());
    await accounts().enable({ ...account(), kind: 'client', id: test.acme.clientId });
    // Sessions that ended do not come back.
    expect((await stream({ idtoken: body.id_token })).status).toBe(401);
  });

  it('a revoked key returns 401, and its published successor signs next', async () => {
    const { body } = await login(test.url);
    expect((await stream({ idtoken: body.id_token })).status).toBe(200);
    const published = (await send(`${test.url}/.well-known/jwks.json`)).body.keys.map(
      (key: { kid: string }) => key.kid,
    );
    await createSigningKeyStore(test.database).revoke(decodeProtectedHeader(body.id_token).kid ?? '');
    expect((await stream({ idtoken: body.id_token })).status).toBe(401);
    const next = (await openKeyRing(test)).signer();
    expect(published).toContain(next.kid);
    // The host reloads its keys every 5 s; until then it signs with the revoked one.
    const deadline = Date.now() + 60_000;
    let token = '';
    do token = (await login(test.url)).body.id_token;
    while (decodeProtectedHeader(token).kid !== next.kid && Date.now() < deadline);
    expect((await stream({ idtoken: token })).status).toBe(200);
  });
});
