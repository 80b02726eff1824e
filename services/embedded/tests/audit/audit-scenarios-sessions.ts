import { createHash, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { CLIENT_ASSERTION_TYPE } from '@sluice/auth';
import { type BuiltUser, send } from '@sluice/testkit';
import { basic, logIn, type Tokens } from '@sluice/testkit/requests';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ofProgram } from './audit-scenarios-programs.ts';
import { atProvider } from './audit-scenarios-provider.ts';
import { anonymous, type ScenarioRunner, type Scenarios, sessionOf } from './scenario-runner.ts';

const GRANT = 'client_credentials';
const DIGEST: string = expect.stringMatching(/^[0-9a-f]{64}$/) as never;

/** Logs in a user; returns the user and the refresh token of the session. */
async function loggedIn({ hosts }: ScenarioRunner) {
  const { email } = hosts.ann;
  const tokens: Tokens = await logIn(hosts, hosts.ann);
  return { email, tokens, sessionId: sessionOf(tokens.id_token) };
}

const refreshBy =
  ({ act }: ScenarioRunner, { email, sessionId }: { readonly email: string; readonly sessionId: string }) =>
  (token: string, metadata: object = {}) =>
    act({
      action: 'REFRESH_TOKEN',
      by: anonymous(email),
      path: '/auth/refresh/acme',
      form: { refresh_token: token },
      record: () => ({ target: email, sessionId, metadata: { ...metadata } }),
    });

const ANY_SESSION: string = expect.any(String) as never;

/** Returns a user who has logged in with another program. */
async function loggedInBefore(hosts: ScenarioRunner['hosts']): Promise<BuiltUser> {
  const user = await hosts.build.user(hosts.acme);
  await logIn(hosts, user);
  return user;
}

export const sessionScenarios: Scenarios = {
  async LOGIN(runner) {
    const { act, hosts } = runner;
    const { email, password } = hosts.ann;
    await act({
      action: 'LOGIN',
      by: anonymous(email),
      path: '/auth/login/acme',
      body: { email, password },
      record: ({ body }) => ({ target: email, sessionId: sessionOf(body.id_token), metadata: { method: 'password' } }),
    });
    await atProvider.logIn(runner);
    await atProvider.logInAdmin(runner);
    await ofProgram.logIn(runner);
  },
  async NEW_DEVICE({ act, hosts }) {
    const { email, password } = await loggedInBefore(hosts);
    await act({
      action: 'NEW_DEVICE',
      by: anonymous(email),
      path: '/auth/login/acme',
      body: { email, password },
      before: [{ action: 'LOGIN', target: email, sessionId: ANY_SESSION, metadata: { method: 'password' } }],
      record: ({ body }) => ({ target: email, sessionId: sessionOf(body.id_token), metadata: { device: 'scenario' } }),
    });
  },
  async LOGIN_FAILED(runner) {
    const { act, hosts } = runner;
    const { email } = hosts.ann;
    await act({
      action: 'LOGIN_FAILED',
      by: anonymous(email),
      path: '/auth/login/acme',
      body: { email, password: 'wrong' },
      status: 401,
      record: () => ({ target: email, metadata: { method: 'password' } }),
    });
    await act({
      action: 'LOGIN_FAILED',
      by: anonymous('unknown'),
      path: '/auth/acme/oauth2/token',
      form: { grant_type: GRANT, client_id: 'no-client', client_secret: 'wrong' },
      status: 401,
      record: () => ({ target: DIGEST, metadata: { method: 'client_secret', name_digest: DIGEST } }),
    });
    await act({
      action: 'LOGIN_FAILED',
      by: { ...anonymous('unknown'), credential: basic('nobody@example.com', 'wrong') },
      host: 'stream',
      path: '/query',
      body: { sql: 'SELECT 1' },
      status: 401,
      record: () => ({ target: DIGEST, metadata: { method: 'basic', name_digest: DIGEST } }),
    });
    await ofProgram.failToAsk(runner);
    await atProvider.failToLogIn(runner);
    await atProvider.logInAdmin(runner);
  },
  async REFRESH_TOKEN(runner) {
    const session = await loggedIn(runner);
    const refresh = refreshBy(runner, session);
    await refresh(session.tokens.refresh_token);
    await refresh(session.tokens.refresh_token, { repeated: true });
  },
  async REFRESH_TOKEN_REUSED(runner) {
    const session = await loggedIn(runner);
    const spent = session.tokens.refresh_token;
    await refreshBy(runner, session)(spent);
    await runner.hosts.rows(
      `update refresh_tokens set rotated_at = rotated_at - interval '11 seconds' where token_hash = $1`,
      [createHash('sha256').update(spent).digest()],
    );
    await runner.act({
      action: 'REFRESH_TOKEN_REUSED',
      by: anonymous(session.email),
      path: '/auth/refresh/acme',
      form: { refresh_token: spent },
      status: 400,
      record: () => ({ target: session.email, sessionId: session.sessionId, metadata: {} }),
    });
  },
  async ISSUE_TOKEN({ act, hosts }) {
    const { clientId, secret } = await hosts.build.client(hosts.acme);
    await act({
      action: 'ISSUE_TOKEN',
      by: anonymous(clientId),
      path: '/auth/acme/oauth2/token',
      form: { grant_type: GRANT, client_id: clientId, client_secret: secret },
      record: ({ body }) => ({
        target: clientId,
        sessionId: sessionOf(body.access_token),
        metadata: { grant: GRANT },
      }),
    });
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const jwks = JSON.stringify({ keys: [await exportJWK(publicKey)] });
    await hosts.rows('update clients set jwks = $2 where client_id = $1', [clientId, jwks]);
    const { body: server } = await send(`${hosts.api.url}/.well-known/oauth-authorization-server/auth/acme`);
    const assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience(server.issuer)
      .setExpirationTime('1m')
      .sign(privateKey);
    await act({
      action: 'ISSUE_TOKEN',
      by: anonymous(clientId),
      path: '/auth/acme/oauth2/token',
      form: {
        grant_type: GRANT,
        client_assertion_type: CLIENT_ASSERTION_TYPE,
        client_assertion: assertion,
        scope: 'query:run',
      },
      record: ({ body }) => ({
        target: clientId,
        sessionId: sessionOf(body.access_token),
        metadata: { grant: GRANT, method: 'private_key_jwt', scope: ['query:run'] },
      }),
    });
  },
  async CHANGE_PASSWORD({ act, person }) {
    const by = await person(['analyst']);
    await act({
      action: 'CHANGE_PASSWORD',
      by,
      path: '/me/change-password',
      body: { current_password: by.password, new_password: 'a password of many characters' },
      status: 204,
      record: () => ({ target: by.name, metadata: { user_id: by.id, ended_sessions: 0 } }),
    });
  },
  async UPDATE_NOTIFICATIONS({ act, person }) {
    const by = await person(['analyst']);
    const before = {
      language: 'en',
      access_requests: true,
      access_decisions: true,
      grant_endings: true,
      new_devices: true,
    };
    const body = {
      language: 'de',
      access_requests: false,
      access_decisions: true,
      grant_endings: false,
      new_devices: false,
    };
    await act({
      action: 'UPDATE_NOTIFICATIONS',
      by,
      method: 'PUT',
      path: '/me/notifications',
      body,
      record: () => ({ target: by.name, metadata: { before, after: body } }),
    });
  },
  async LOGOUT(runner) {
    const { act, person } = runner;
    const by = await person(['analyst']);
    await act({
      action: 'LOGOUT',
      by,
      path: '/auth/logout/acme',
      status: 302,
      record: () => ({ target: by.name, metadata: {} }),
    });
    await atProvider.logOut(runner);
  },
};
