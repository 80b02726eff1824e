import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import { postForm } from '@sluice/testkit/requests';
import * as openid from 'openid-client';
import { approve, CLIENT, createPkce, REDIRECT_URI, signIn, startAuthorizationServer, who } from './oauth-requests.ts';

/** The flows as a client library runs them that knows nothing of this service but its issuer. */
let test: TestHost;
let config: openid.Configuration;

beforeAll(async () => {
  test = await startAuthorizationServer();
  config = await openid.discovery(new URL(`${test.url}/auth/acme`), CLIENT, undefined, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

/** Logs in by a code, and returns the tokens. `change` alters the address to which the browser is sent. */
async function logIn(scope?: string, change: (callback: URL) => void = () => undefined) {
  const { verifier, challenge } = createPkce();
  const state = openid.randomState();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    ...(scope === undefined ? {} : { scope }),
  });
  const parameters = Object.fromEntries(url.searchParams);
  const callback = await approve(test, parameters, { jar: await signIn(test) });
  change(callback);
  return await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier, expectedState: state });
}

describe('openid-client', () => {
  it('finds the endpoints of the tenant by its issuer (RFC 8414)', () => {
    expect(config.serverMetadata()).toMatchObject({
      issuer: `${test.url}/auth/acme`,
      token_endpoint: `${test.url}/auth/acme/oauth2/token`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('is led there by a request without a credential (RFC 9728)', async () => {
    const { status, headers } = await send(`${test.url}/me`);
    const [, address = ''] =
      /^Bearer realm="sluice", resource_metadata="([^"]+)"$/.exec(headers['www-authenticate'] ?? '') ?? [];
    expect([status, address]).toEqual([401, `${test.url}/.well-known/oauth-protected-resource`]);
    expect((await send(address)).body).toMatchObject({
      resource: test.url,
      authorization_servers: [`${test.url}/auth/acme`],
      bearer_methods_supported: ['header'],
    });
    const ofGlobex = await send(address, { headers: { host: `globex-api.localhost:${test.host.port}` } });
    expect(ofGlobex.body.authorization_servers).toEqual([`${test.url}/auth/globex`]);
  });

  it('logs in by a code, with state and issuer of the response verified', async () => {
    const tokens = await logIn();
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'datamap:read marketplace:download query:run' });
    expect((await who(test, tokens.access_token)).body).toMatchObject({ user: 'ann@example.com', tenant: 'acme' });
  });

  it.each([
    ['another server (RFC 9207)', 'iss', 'globex', 'iss'],
    ['no server', 'iss', undefined, 'iss'],
    ['another request', 'state', 'another', 'state'],
  ])('does not redeem the code of a response of %s', async (_name, parameter, value, fault) => {
    const change = ({ searchParams }: URL): void => {
      if (value === undefined) searchParams.delete(parameter);
      else searchParams.set(parameter, value);
    };
    await expect(logIn(undefined, change)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining(fault) }),
    });
  });

  it('refreshes the tokens', async () => {
    const first = await logIn('query:run');
    const next = await openid.refreshTokenGrant(config, first.refresh_token ?? '');
    expect(next.refresh_token).not.toBe(first.refresh_token);
    expect(next.scope).toBe('query:run');
    expect((await who(test, next.access_token)).body.permissions).toEqual(['query:run']);
  });

  it.each(['access_token', 'refresh_token'] as const)('revokes by the %s', async (kind) => {
    const tokens = await logIn();
    await openid.tokenRevocation(config, tokens[kind] ?? '');
    expect((await who(test, tokens.access_token)).status).toBe(401);
    const refused = openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await expect(refused).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('logs a device in', async () => {
    const begun = await openid.initiateDeviceAuthorization(config, { scope: 'query:run datamap:read' });
    const cookie = [...(await signIn(test))].map(([name, value]) => `${name}=${value}`).join('; ');
    const page = `${test.url}/auth/device/acme`;
    const fields = { user_code: begun.user_code, account: test.acme.userId, decision: 'approve' };
    expect((await postForm(page, fields, { origin: test.url, cookie })).status).toBe(200);
    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0 });
    expect((await who(test, tokens.access_token)).body.permissions).toEqual(['datamap:read', 'query:run']);
  });
});
