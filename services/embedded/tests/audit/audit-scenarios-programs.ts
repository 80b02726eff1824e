import { expect } from '@jest/globals';
import { authorizeProgram, logIn, postForm } from '@sluice/testkit/requests';
import { type Actor, anonymous, type ScenarioRunner, type Scenarios, sessionOf } from './scenario-runner.ts';
import { nameOf, sendAdmin } from './send-admin.ts';

const PATH = '/auth/acme/oauth2/token';
const CLIENT = 'sluice-cli';
const SCOPE = 'query:run';

/** Logs a program of ann in, and returns the form that it sent. */
async function logInProgram({ act, hosts }: ScenarioRunner): Promise<Readonly<Record<string, string>>> {
  const { email } = hosts.ann;
  const form = await authorizeProgram(hosts.api.url, hosts.ann, SCOPE, { resource: hosts.api.url });
  await act({
    action: 'LOGIN',
    by: anonymous(email),
    path: PATH,
    form,
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.access_token),
      metadata: {
        method: 'authorization_code',
        client: CLIENT,
        scope: [SCOPE],
        targets: ['api'],
        approved_in: expect.any(String),
      },
    }),
  });
  return form;
}

/** Sends the user to an address that is not registered. */
const askWrongly = ({ act }: ScenarioRunner) =>
  act({
    action: 'LOGIN_FAILED',
    by: anonymous('unknown'),
    path: `/auth/acme/oauth2/authorize?${new URLSearchParams({ client_id: CLIENT, redirect_uri: 'https://evil.example/' })}`,
    status: 400,
    record: () => ({
      target: CLIENT,
      metadata: { method: 'authorize', reason: expect.stringContaining('not registered for it') },
    }),
  });

/** Steps of the scenarios of other actions. */
export const ofProgram = { logIn: logInProgram, failToAsk: askWrongly };

const CONTENT = { name: 'Portal', type: 'confidential', redirect_uris: ['https://portal.example.com/callback'] };
const STATE = { ...CONTENT, scopes: null, home_page: null };

async function register(runner: ScenarioRunner, admin: Actor) {
  const clientId = nameOf('app');
  const { body } = await sendAdmin(runner, admin, {
    action: 'CREATE_OAUTH_CLIENT',
    path: '/oauth-clients',
    body: { client_id: clientId, ...CONTENT },
    status: 201,
    record: (answer) => ({
      target: clientId,
      metadata: { oauth_client_id: answer.body.id, before: null, after: STATE },
    }),
  });
  return { id: body.id as string, clientId };
}

/** Lets ann consent to the login of a new program. */
async function consent(runner: ScenarioRunner): Promise<string> {
  const { act, hosts } = runner;
  const { clientId } = await register(runner, await runner.person(['admin']));
  const { id, email, password } = hosts.ann;
  const origin = hosts.api.url;
  const signedIn = await postForm(`${origin}/auth/sign-in/acme`, { email, password }, { origin });
  const cookie = (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const [row] = await hosts.rows<{ sid: string }>(
    'select sid from sessions where cookie_hash is not null order by created desc limit 1',
  );
  await act({
    action: 'GRANT_CONSENT',
    by: anonymous(email),
    path: '/auth/acme/oauth2/consent',
    form: {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CONTENT.redirect_uris[0] ?? '',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      scope: SCOPE,
      account: id,
      decision: 'approve',
    },
    headers: { origin, cookie },
    status: 303,
    record: () => ({ target: clientId, metadata: { scope: [SCOPE] }, sessionId: row?.sid ?? '' }),
  });
  return clientId;
}

export const programScenarios: Scenarios = {
  async AUTHORIZATION_CODE_REUSED(runner) {
    const form = await logInProgram(runner);
    const { email } = runner.hosts.ann;
    await runner.act({
      action: 'AUTHORIZATION_CODE_REUSED',
      by: anonymous(email),
      path: PATH,
      form,
      status: 400,
      record: () => ({ target: email, metadata: { client: CLIENT } }),
    });
  },

  async READ_OAUTH_CLIENTS(runner) {
    const admin = await runner.person(['admin']);
    const { id, clientId } = await register(runner, admin);
    await sendAdmin(runner, admin, {
      action: 'READ_OAUTH_CLIENTS',
      path: '/oauth-clients?q=app&from=0&size=5',
      record: () => ({ target: 'oauth_clients', metadata: { q: 'app', from: 0, size: 5 } }),
    });
    await sendAdmin(runner, admin, {
      action: 'READ_OAUTH_CLIENTS',
      path: `/oauth-clients/${id}`,
      record: () => ({ target: clientId, metadata: { oauth_client_id: id } }),
    });
  },

  CREATE_OAUTH_CLIENT: async (runner) => void (await register(runner, await runner.person(['admin']))),

  async UPDATE_OAUTH_CLIENT(runner) {
    const admin = await runner.person(['admin']);
    const { id, clientId } = await register(runner, admin);
    const change = { action: 'UPDATE_OAUTH_CLIENT', path: `/oauth-clients/${id}` } as const;
    await sendAdmin(runner, admin, {
      ...change,
      path: `${change.path}/secret`,
      method: 'POST',
      record: () => ({
        target: clientId,
        metadata: { oauth_client_id: id, before: STATE, after: STATE, secret_replaced: true },
      }),
    });
    const scopes = [SCOPE];
    await sendAdmin(runner, admin, {
      ...change,
      method: 'PUT',
      body: { scopes },
      record: () => ({
        target: clientId,
        metadata: { oauth_client_id: id, before: STATE, after: { ...STATE, scopes }, ended_sessions: 0 },
      }),
    });
  },

  async DELETE_OAUTH_CLIENT(runner) {
    const admin = await runner.person(['admin']);
    const { id, clientId } = await register(runner, admin);
    await sendAdmin(runner, admin, {
      action: 'DELETE_OAUTH_CLIENT',
      path: `/oauth-clients/${id}`,
      method: 'DELETE',
      status: 204,
      record: () => ({
        target: clientId,
        metadata: { oauth_client_id: id, before: STATE, after: null, ended_sessions: 0 },
      }),
    });
  },

  async READ_OAUTH_SETTINGS(runner) {
    await sendAdmin(runner, await runner.person(['admin']), {
      action: 'READ_OAUTH_SETTINGS',
      path: '/oauth-settings',
      record: () => ({ target: 'acme', metadata: {} }),
    });
  },

  async UPDATE_OAUTH_SETTINGS(runner) {
    const refused = { client_metadata_documents: 'refused' };
    await sendAdmin(runner, await runner.person(['admin']), {
      action: 'UPDATE_OAUTH_SETTINGS',
      path: '/oauth-settings',
      method: 'PUT',
      body: refused,
      record: () => ({ target: 'acme', metadata: { before: refused, after: refused, ended_sessions: 0 } }),
    });
  },

  GRANT_CONSENT: async (runner) => void (await consent(runner)),

  async WITHDRAW_CONSENT(runner) {
    const clientId = await consent(runner);
    const [row] = await runner.hosts.rows<{ id: string }>('select id from oauth_consents where oauth_client = $1', [
      clientId,
    ]);
    const { id_token: idtoken } = await logIn(runner.hosts, runner.hosts.ann);
    await runner.act({
      action: 'WITHDRAW_CONSENT',
      by: { name: runner.hosts.ann.email, credential: { idtoken }, sessionId: sessionOf(idtoken) },
      path: `/me/consents/${row?.id}`,
      method: 'DELETE',
      status: 204,
      record: () => ({ target: clientId, metadata: { scope: [SCOPE], ended_sessions: 0 } }),
    });
  },
};
