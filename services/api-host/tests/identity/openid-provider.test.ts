import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as openid from 'openid-client';
import {
  approve,
  CLIENT,
  createPkce,
  obtainCode,
  postToken,
  redeem,
  signIn,
  startAuthorizationServer,
  who,
} from './oauth-requests.ts';
import { logInProgram, type ProgramRegistry, programRegistry, type RegisteredProgram } from './registered-programs.ts';

let test: TestHost;
let registry: ProgramRegistry;
beforeAll(async () => {
  test = await startAuthorizationServer();
  registry = await programRegistry(test);
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

const inIdtoken = (token: string) => send(`${test.url}/me`, { headers: { idtoken: token } });

/** Logs ann in to a program as a library does that knows the issuer, the client id and the secret alone. */
async function logInByLibrary({ clientId, secret, redirectUri }: RegisteredProgram, scope = 'openid query:run') {
  const config = await openid.discovery(new URL(`${test.url}/auth/acme`), clientId, undefined, undefined, {
    execute: [openid.allowInsecureRequests],
  });
  const client = new openid.Configuration(
    config.serverMetadata(),
    clientId,
    undefined,
    openid.ClientSecretBasic(secret ?? ''),
  );
  openid.allowInsecureRequests(client);
  // Verifies the signature with the keys of the host too.
  openid.enableNonRepudiationChecks(client);
  const { verifier, challenge } = createPkce();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    nonce,
    prompt: 'consent',
  });
  const callback = await approve(test, Object.fromEntries(url.searchParams), { jar: await signIn(test) });
  return await openid.authorizationCodeGrant(client, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    maxAge: 600,
    idTokenExpected: true,
  });
}

describe('an OpenID library', () => {
  it('logs a user in, and verifies the ID token with nonce and time of the login', async () => {
    const program = await registry.register();
    const tokens = await logInByLibrary(program);
    expect(tokens.scope).toBe('openid query:run');
    expect(tokens.claims()).toEqual({
      iss: `${test.url}/auth/acme`,
      sub: test.acme.userId,
      aud: program.clientId,
      azp: program.clientId,
      email: 'ann@example.com',
      nonce: expect.any(String),
      auth_time: expect.any(Number),
      sid: expect.any(String),
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: expect.any(Number),
      exp: expect.any(Number),
    });
    const [login] = await test.rows<{ seconds: number }>(
      `select floor(extract(epoch from b.created))::int as seconds from authorization_codes c
       join sessions b on b.sid = c.approved_in where c.sid = $1`,
      [decodeJwt(tokens.access_token)['sid']],
    );
    expect(tokens.claims()?.auth_time).toBe(login?.seconds);
    expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    expect((await who(test, tokens.access_token)).body.permissions).toEqual(['query:run']);
  });

  it('finds the same description by either address', async () => {
    const [one, other] = [
      await send(`${test.url}/auth/acme/.well-known/openid-configuration`),
      await send(`${test.url}/.well-known/oauth-authorization-server/auth/acme`),
    ];
    expect(one.body).toEqual(other.body);
    expect(one.body).toMatchObject({
      issuer: `${test.url}/auth/acme`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      scopes_supported: expect.arrayContaining(['openid', 'query:run']),
      request_uri_parameter_supported: false,
    });
    expect((await send(`${test.url}/auth/nobody/.well-known/openid-configuration`)).status).toBe(404);
  });
});

describe('an ID token of a program', () => {
  it('is never a credential: not as idtoken, not as Bearer, not for a program that is named as the audience', async () => {
    const program = await registry.register({ client_id: 'another-audience' });
    const { body } = await logInProgram(test, program, { scope: 'openid query:run' });
    expect((await inIdtoken(body.id_token)).status).toBe(401);
    expect((await who(test, body.id_token)).status).toBe(401);
    // Even if the audience were that of the hosts, the type is not.
    const impostor = await startAuthorizationServer({ TOKEN_AUDIENCE: 'portal' });
    try {
      const { register } = await programRegistry(impostor);
      const ofAudience = await register({ client_id: 'portal' });
      const tokens = (await logInProgram(impostor, ofAudience, { scope: 'openid' })).body;
      expect(decodeJwt(tokens.id_token).aud).toBe('portal');
      for (const headers of [{ idtoken: tokens.id_token }, { authorization: `Bearer ${tokens.id_token}` }])
        expect((await send(`${impostor.url}/me`, { headers })).status).toBe(401);
    } finally {
      await impostor[Symbol.asyncDispose]();
    }
  }, 60_000);

  it('comes with the scope openid alone, which gives no permission', async () => {
    const program = await registry.register();
    const without = await logInProgram(test, program, { scope: 'query:run' });
    expect(without.body).not.toHaveProperty('id_token');
    expect((await logInProgram(test, program)).body).not.toHaveProperty('id_token');
    const { body } = await logInProgram(test, program, { scope: 'openid' });
    expect(body.scope).toBe('openid');
    expect((await who(test, body.access_token)).body.permissions).toEqual([]);
    expect(decodeJwt(body.id_token)).not.toHaveProperty('nonce');
    expect(decodeJwt(body.id_token)).not.toHaveProperty('roles');
  });

  it('is not repeated at a refresh, which keeps the scope', async () => {
    const { body } = await redeem(test, await obtainCode(test, { scope: 'openid query:run' }));
    expect(decodeJwt(body.id_token)).toMatchObject({ aud: CLIENT, azp: CLIENT });
    const refresh = { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: body.refresh_token };
    const next = await postToken(test, refresh);
    expect([next.body.scope, next.body.id_token]).toEqual(['openid query:run', undefined]);
  });
});
