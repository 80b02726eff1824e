import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import { goOauth2 } from './oauth-clients/go-client.ts';
import { oauth4webapi } from './oauth-clients/oauth4webapi-client.ts';
import { authlib, requestsOauthlib } from './oauth-clients/python-clients.ts';
import type { ClientTokens, ServerAddresses, TestedClient } from './oauth-clients/tested-client.ts';
import { approve, CLIENT, openRequest, REDIRECT_URI, signIn, startAuthorizationServer, who } from './oauth-requests.ts';

const SCOPE = 'datamap:read query:run';
/** Go downloads and builds the module, and pip the packages, the first time. */
const INSTALL_MS = 300_000;

let test: TestHost;
let addresses: ServerAddresses;

beforeAll(async () => {
  test = await startAuthorizationServer();
  const metadata = `${test.url}/.well-known/oauth-authorization-server/auth/acme`;
  addresses = (await send(metadata)).body as ServerAddresses;
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const CLIENTS: readonly TestedClient[] = [oauth4webapi, authlib, requestsOauthlib, goOauth2];

describe.each(CLIENTS)('$name', ({ has, install, steps, stop }) => {
  beforeAll(async () => {
    await install();
    await steps.start({ ...addresses, client_id: CLIENT, redirect_uri: REDIRECT_URI });
  }, INSTALL_MS);
  afterAll(stop);

  /** Lets the user consent in the browser, and returns the address to which it is sent. */
  async function callbackOf(scope = SCOPE): Promise<string> {
    const { searchParams } = new URL(await steps.authorize({ scope }));
    return (await approve(test, Object.fromEntries(searchParams), { jar: await signIn(test) })).href;
  }
  const logIn = async (): Promise<ClientTokens> => await steps.redeem({ callback: await callbackOf() });

  it('logs in by a code with PKCE, and gets the scope that it asked for', async () => {
    const tokens = await logIn();
    const { status, body } = await who(test, tokens.access_token);
    expect([status, body.user, body.permissions]).toEqual([200, 'ann@example.com', SCOPE.split(' ')]);
  });

  it('refreshes the tokens', async () => {
    const first = await logIn();
    const next = await steps.refresh(first);
    expect(next.refresh_token).not.toBe(first.refresh_token);
    expect((await who(test, next.access_token)).body.permissions).toEqual(SCOPE.split(' '));
  });

  it('cannot use the session once it is revoked', async () => {
    const tokens = await logIn();
    const form = { token: tokens.refresh_token, client_id: CLIENT };
    if (has.revocation) await steps.revoke({ token: tokens.refresh_token });
    else expect((await postForm(addresses.revocation_endpoint, form)).status).toBe(200);
    expect((await who(test, tokens.access_token)).status).toBe(401);
    await expect(steps.refresh(tokens)).rejects.toThrow(/invalid_grant/);
  });

  it('logs a device in, which the user approves elsewhere', async () => {
    const userCode = await steps.beginDevice({ scope: SCOPE });
    const cookie = [...(await signIn(test))].map(([name, value]) => `${name}=${value}`).join('; ');
    const fields = { user_code: userCode, account: test.acme.userId, decision: 'approve' };
    const page = await postForm(`${test.url}/auth/device/acme`, fields, { origin: test.url, cookie });
    expect(page.status).toBe(200);
    const tokens = await steps.finishDevice();
    expect((await who(test, tokens.access_token)).body.permissions).toEqual(SCOPE.split(' '));
  });

  it('reports that a code was used before', async () => {
    const callback = await callbackOf();
    await steps.redeem({ callback });
    await expect(steps.redeem({ callback })).rejects.toThrow(/invalid_grant/);
  });

  it('reports that a scope is unknown', async () => {
    const { searchParams } = new URL(await steps.authorize({ scope: 'everything' }));
    const { headers } = await openRequest(test, Object.fromEntries(searchParams));
    await expect(steps.redeem({ callback: headers.location ?? '' })).rejects.toThrow();
  });

  it('does not redeem a response with another state', async () => {
    const callback = new URL(await callbackOf());
    callback.searchParams.set('state', 'another');
    await expect(steps.redeem({ callback: callback.href })).rejects.toThrow(/state/i);
  });

  if (has.issuerCheck) {
    it('does not redeem a response of another server (RFC 9207)', async () => {
      const callback = new URL(await callbackOf());
      callback.searchParams.set('iss', `${test.url}/auth/globex`);
      await expect(steps.redeem({ callback: callback.href })).rejects.toThrow(/iss/);
    });
  }
});
