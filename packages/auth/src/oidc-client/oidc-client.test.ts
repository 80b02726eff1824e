import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CLIENT_ID, CLIENT_SECRET, type OpenIdProvider, startOpenIdProvider } from '@sluice/testkit';
import { type AuthorizationInput, createOidcClient, type OidcClient, type OidcProvider } from './oidc-client.ts';

let server: OpenIdProvider;
let client: OidcClient;
let provider: OidcProvider;

beforeAll(async () => {
  server = await startOpenIdProvider();
  client = createOidcClient({ privateHosts: ['127.0.0.1:*'], timeoutMs: 60_000 });
  provider = {
    issuer: server.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scopes: ['openid', 'email'],
    emailClaim: 'email',
    groupsClaim: null,
  };
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.faults = {};
  server.inUserInfo = [];
  server.person = { sub: 'ann', email: 'ann@example.com', email_verified: true };
  server.requestedPaths.length = 0;
});

const input: AuthorizationInput = {
  redirectUri: 'https://api.example.com/auth/callback/acme',
  state: 'state of the login',
  nonce: 'nonce of the login',
  codeVerifier: 'v'.repeat(64),
};

/** Logs in at the provider and returns the query of the callback. */
async function logIn(change: Partial<OidcProvider> = {}): Promise<URLSearchParams> {
  const url = await client.authorizationUrl({ ...provider, ...change }, input);
  const { headers } = await fetch(url, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams;
}

const redeem = async (change: Partial<OidcProvider & AuthorizationInput> = {}) =>
  client.redeem({ ...provider, ...change }, { ...input, ...change }, await logIn(change));

describe('authorizationUrl', () => {
  it('asks for a code with PKCE, the state and the nonce, and never contains the verifier or the secret', async () => {
    const url = await client.authorizationUrl(provider, input);
    expect([url.origin, url.pathname]).toEqual([server.issuer, '/authorize']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: input.redirectUri,
      scope: 'openid email',
      state: input.state,
      nonce: input.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain(input.codeVerifier);
  });
});

describe('redeem', () => {
  it('returns the identity of the signed ID token, without a request for user info if no claim is missing', async () => {
    expect(await redeem()).toMatchObject({
      issuer: server.issuer,
      subject: 'ann',
      claims: { email: 'ann@example.com', email_verified: true },
      idToken: server.issued.at(-1),
    });
    expect(server.requestedPaths).not.toContain('/userinfo');
  });

  it('adds the user info if the token lacks a configured claim, and signed claims override it', async () => {
    server.person = { sub: 'ann', email: 'ann@example.com', groups: ['finance'], name: 'Ann' };
    server.inUserInfo = ['groups'];
    server.faults.userInfo = (claims) => ({ ...claims, email: 'eve@example.com' });
    const { claims } = await redeem({ groupsClaim: 'groups' });
    expect(claims).toMatchObject({ groups: ['finance'], email: 'ann@example.com' });
  });

  it.each([
    ['another nonce', { nonce: 'other' }],
    ['another state', { state: 'other' }],
    ['another verifier', { codeVerifier: 'w'.repeat(64) }],
    ['another redirect address', { redirectUri: 'https://api.example.com/other' }],
  ])('throws unauthorized for %s', async (_name, change) => {
    const callback = await logIn();
    await expect(client.redeem(provider, { ...input, ...change }, callback)).rejects.toMatchObject({
      code: 'unauthorized',
    });
  });

  it('throws unauthorized for a code that was redeemed before', async () => {
    const callback = await logIn();
    await client.redeem(provider, input, callback);
    await expect(client.redeem(provider, input, callback)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['an expiry in the past', { exp: 1 }],
    ['a control character in the subject', { sub: 'ann\u0000' }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['a subject with half of a surrogate pair', { sub: '\ud83d' }],
  ])('throws unauthorized for an ID token with %s', async (_name, change) => {
    server.faults.payload = (claims) => ({ ...claims, ...change });
    await expect(redeem()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('throws unauthorized for an ID token that the provider did not sign', async () => {
    await using other = await startOpenIdProvider();
    server.faults.idToken = (claims) => other.sign(claims);
    await expect(redeem()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('throws unauthorized for user info of another subject', async () => {
    server.inUserInfo = ['email'];
    server.faults.userInfo = (claims) => ({ ...claims, sub: 'eve' });
    await expect(redeem()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('throws service_unavailable, which names the cause, for a wrong client secret', async () => {
    const callback = await logIn();
    await expect(client.redeem({ ...provider, clientSecret: 'wrong' }, input, callback)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('invalid_client'),
    });
  });

  it('throws unauthorized if the user cancels the login, and service_unavailable for a temporary error', async () => {
    const callbackOf = (error: string) => new URLSearchParams({ error, state: input.state, iss: server.issuer });
    for (const [error, code] of [
      ['access_denied', 'unauthorized'],
      ['temporarily_unavailable', 'service_unavailable'],
    ] as const) {
      await expect(client.redeem(provider, input, callbackOf(error))).rejects.toMatchObject({ code });
    }
  });
});

describe('checkIssuer', () => {
  it('accepts an issuer with a discovery document of its own', async () => {
    await expect(client.checkIssuer(server.issuer)).resolves.toBeUndefined();
  });

  it.each([
    ['another issuer', { issuer: 'https://other.example' }, 'of another issuer'],
    ['no token endpoint', { token_endpoint: undefined }, 'without a valid token_endpoint'],
    ['an endpoint that is not a URL', { userinfo_endpoint: 'x' }, 'without a valid userinfo_endpoint'],
  ])('throws invalid_request for a document with %s', async (_name, change, message) => {
    server.faults.discovery = (document) => ({ ...document, ...change });
    await expect(client.checkIssuer(server.issuer)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(message),
    });
  });

  it('throws invalid_request for an address in a private network that is not configured', async () => {
    await using strict = createOidcClient({ privateHosts: [], timeoutMs: 60_000 });
    await expect(strict.checkIssuer('https://10.0.0.1')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('throws invalid_request for a provider that does not respond in time', async () => {
    await using impatient = createOidcClient({ privateHosts: ['127.0.0.1:*'], timeoutMs: 50 });
    server.faults.discovery = () => undefined;
    await expect(impatient.checkIssuer(server.issuer)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('cannot be reached: ask the operator'),
    });
  });
});

describe('endSessionUrl', () => {
  const urlOf = (idToken: string) =>
    client.endSessionUrl(provider, { idToken, redirectUri: 'https://api.example.com/bye' });

  it('names the session by its ID token, unless that is too long for a URL', async () => {
    const short = await urlOf('token');
    expect(short?.href).toContain(`${server.issuer}/logout?`);
    expect(Object.fromEntries(short?.searchParams ?? [])).toEqual({
      client_id: CLIENT_ID,
      id_token_hint: 'token',
      post_logout_redirect_uri: 'https://api.example.com/bye',
    });
    expect((await urlOf('x'.repeat(6001)))?.searchParams.has('id_token_hint')).toBe(false);
  });

  it('is undefined for a provider without such an endpoint', async () => {
    server.faults.discovery = (document) => ({ ...document, end_session_endpoint: undefined });
    expect(await urlOf('token')).toBeUndefined();
  });
});
