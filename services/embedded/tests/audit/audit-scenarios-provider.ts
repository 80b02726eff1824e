import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { CLIENT_ID, CLIENT_SECRET, type OpenIdProvider, send, startOpenIdProvider } from '@sluice/testkit';
import { type Actor, anonymous, type ScenarioRunner, type Scenarios, sessionOf } from './scenario-runner.ts';
import { accountState } from './send-admin.ts';

const PATH = '/admin/identity-provider';
const METHOD = 'single_sign_on';
const GROUP = 'analysts';

const inputOf = ({ issuer }: OpenIdProvider) => ({
  issuer,
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  create_users: true,
  groups_claim: 'groups',
  role_mappings: [{ value: GROUP, roles: ['analyst'] }],
});

const presentProvider = ({ issuer }: OpenIdProvider) => ({
  issuer,
  client_id: CLIENT_ID,
  has_client_secret: true,
  scopes: ['openid', 'profile', 'email'],
  email_claim: 'email',
  groups_claim: 'groups',
  role_mappings: [{ value: GROUP, roles: ['analyst'] }],
  trust_email: false,
  create_users: true,
  return_to: [],
});

const setProvider = ({ act }: ScenarioRunner, by: Actor, provider: OpenIdProvider) =>
  act({
    action: 'UPDATE_IDENTITY_PROVIDER',
    by,
    method: 'PUT',
    path: PATH,
    body: inputOf(provider),
    record: () => ({
      target: provider.issuer,
      metadata: { before: null, after: presentProvider(provider), client_secret_changed: true },
    }),
  });

const removeProvider = ({ act }: ScenarioRunner, by: Actor, provider: OpenIdProvider) =>
  act({
    action: 'DELETE_IDENTITY_PROVIDER',
    by,
    method: 'DELETE',
    path: PATH,
    status: 204,
    record: () => ({ target: provider.issuer, metadata: { before: presentProvider(provider), after: null } }),
  });

/** Runs a step while acme has an identity provider. */
async function withProvider(
  runner: ScenarioRunner,
  work: (provider: OpenIdProvider, admin: Actor) => Promise<void>,
): Promise<void> {
  const admin = await runner.person(['admin']);
  await using provider = await startOpenIdProvider();
  await setProvider(runner, admin, provider);
  await work(provider, admin);
  await removeProvider(runner, admin, provider);
}

/** Returns the callback URL of a login and the cookie of its browser. */
async function callbackOf({ hosts }: ScenarioRunner) {
  const { url } = hosts.api;
  const started = await send(`${url}/auth/login/acme`);
  const back = await send(started.headers.location ?? '');
  const [cookie = ''] = started.headers['set-cookie'] ?? [];
  return { path: (back.headers.location ?? '').slice(url.length), headers: { cookie: cookie.split(';')[0] ?? '' } };
}

/** Logs in an unknown person, which creates a user. */
async function logInNewcomer(runner: ScenarioRunner, provider: OpenIdProvider): Promise<string> {
  const name = `newcomer-${randomUUID().slice(0, 8)}`;
  const email = `${name}@example.com`;
  const { issuer } = provider;
  provider.person = { sub: name, email, email_verified: true, groups: [GROUP] };
  const metadata = { user_id: expect.any(String), before: null, after: accountState(['analyst']), issuer };
  await runner.act({
    action: 'LOGIN',
    by: anonymous(email),
    ...(await callbackOf(runner)),
    before: [{ action: 'CREATE_USER', target: email, metadata }],
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.id_token),
      metadata: { method: METHOD, issuer, linked: true },
    }),
  });
  return email;
}

/** Logs in a new user whose roles have changed from the groups of the provider. */
async function logInOfOtherGroups(runner: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const email = await logInNewcomer(runner, provider);
  provider.person = { ...provider.person, groups: [] };
  const { issuer } = provider;
  const metadata = { user_id: expect.any(String), before: accountState(['analyst']), after: accountState([]), issuer };
  await runner.act({
    action: 'LOGIN',
    by: anonymous(email),
    ...(await callbackOf(runner)),
    before: [{ action: 'UPDATE_USER', target: email, metadata }],
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.id_token),
      metadata: { method: METHOD, issuer },
    }),
  });
}

async function failToLogIn({ act, ...runner }: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const { issuer } = provider;
  provider.faults = { payload: (claims) => ({ ...claims, nonce: 'of another login' }) };
  await act({
    action: 'LOGIN_FAILED',
    by: anonymous('unknown'),
    ...(await callbackOf({ act, ...runner })),
    status: 401,
    record: ({ body }) => ({ target: 'unknown', metadata: { method: METHOD, issuer, reason: body.message } }),
  });
}

/** Logs in an admin at the provider for the first time, which requires the password. */
async function logInAdmin(runner: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const { id, name: email, password } = await runner.person(['admin']);
  const { issuer } = provider;
  await runner.knowPrograms(id);
  provider.person = { sub: id, email, email_verified: true };
  const { path, headers } = await callbackOf(runner);
  const stopped = await runner.act({
    action: 'LOGIN_FAILED',
    by: anonymous(email),
    path,
    headers: { ...headers, accept: 'text/html' },
    status: 403,
    record: () => ({
      target: email,
      metadata: { method: METHOD, issuer, subject: id, reason: expect.stringContaining('administers') },
    }),
  });
  const [, link = ''] = /name="link" value="([^"]+)"/.exec(stopped.text) ?? [];
  const metadata = { user_id: id, before: accountState(['admin']), after: accountState([]), issuer };
  await runner.act({
    action: 'LOGIN',
    by: anonymous(email),
    path: '/auth/link/acme',
    form: { link, password },
    headers: { ...headers, origin: runner.hosts.api.url },
    before: [{ action: 'UPDATE_USER', target: email, metadata }],
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.id_token),
      metadata: { method: METHOD, issuer, linked: true, confirmed_by: 'password' },
    }),
  });
}

async function linkIdentities(runner: ScenarioRunner, provider: OpenIdProvider, by: Actor): Promise<void> {
  const { id, name } = await runner.person(['analyst']);
  let before: object | null = null;
  for (const after of [{ subject: 'one' }, { subject: 'other' }]) {
    const metadata = { user_id: id, issuer: provider.issuer, before, after };
    await runner.act({
      action: 'LINK_IDENTITY',
      by,
      path: `/admin/users/${id}/link-identity`,
      body: after,
      record: () => ({ target: name, metadata }),
    });
    before = after;
  }
}

/** Ends a session as the provider does when the person logs out there. */
async function logOut(runner: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const email = await logInNewcomer(runner, provider);
  const [session] = await runner.hosts.rows<{ sid: string }>(
    'select s.sid from sessions s join users u on u.id = s.account_id where u.email = $1',
    [email],
  );
  const { issuer, person } = provider;
  const now = Math.floor(Date.now() / 1000);
  const logout_token = await provider.sign({
    ...{ iss: issuer, aud: CLIENT_ID, sub: String(person['sub']), iat: now, exp: now + 60, jti: randomUUID() },
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  await runner.act({
    action: 'LOGOUT',
    by: anonymous(email),
    path: '/auth/backchannel-logout/acme',
    form: { logout_token },
    record: () => ({ target: email, sessionId: session?.sid ?? '', metadata: { issuer } }),
  });
}

/** Scenarios of single sign-on, each with a separate provider. */
export const atProvider = {
  logIn: (runner: ScenarioRunner) =>
    withProvider(runner, async (provider) => void (await logInNewcomer(runner, provider))),
  logInAdmin: (runner: ScenarioRunner) => withProvider(runner, (provider) => logInAdmin(runner, provider)),
  logInOfOtherGroups: (runner: ScenarioRunner) =>
    withProvider(runner, (provider) => logInOfOtherGroups(runner, provider)),
  logOut: (runner: ScenarioRunner) => withProvider(runner, (provider) => logOut(runner, provider)),
  failToLogIn: (runner: ScenarioRunner) => withProvider(runner, (provider) => failToLogIn(runner, provider)),
} as const;

export const providerScenarios: Scenarios = {
  READ_IDENTITY_PROVIDER: (runner) =>
    withProvider(runner, async (provider, by) => {
      const record = () => ({ target: provider.issuer, metadata: {} });
      await runner.act({ action: 'READ_IDENTITY_PROVIDER', by, path: PATH, record });
    }),
  TEST_IDENTITY_PROVIDER: (runner) =>
    withProvider(runner, async (provider, by) => {
      const record = () => ({ target: provider.issuer, metadata: {} });
      await runner.act({
        action: 'TEST_IDENTITY_PROVIDER',
        by,
        method: 'POST',
        path: `${PATH}/test-login`,
        status: 201,
        record,
      });
    }),
  UPDATE_IDENTITY_PROVIDER: (runner) => withProvider(runner, async () => undefined),
  DELETE_IDENTITY_PROVIDER: (runner) => withProvider(runner, async () => undefined),
  LINK_IDENTITY: (runner) => withProvider(runner, (provider, by) => linkIdentities(runner, provider, by)),
};
