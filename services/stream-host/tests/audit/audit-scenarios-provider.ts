import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { CLIENT_ID, CLIENT_SECRET, type OpenIdProvider, startOpenIdProvider } from '@sluice/testkit';
import { send } from '../client/requests.ts';
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

const toldOf = ({ issuer }: OpenIdProvider) => ({
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
      metadata: { before: null, after: toldOf(provider), client_secret_changed: true },
    }),
  });

const removeProvider = ({ act }: ScenarioRunner, by: Actor, provider: OpenIdProvider) =>
  act({
    action: 'DELETE_IDENTITY_PROVIDER',
    by,
    method: 'DELETE',
    path: PATH,
    status: 204,
    record: () => ({ target: provider.issuer, metadata: { before: toldOf(provider), after: null } }),
  });

/** Runs a step while acme has an identity provider. */
async function withProvider(
  walk: ScenarioRunner,
  work: (provider: OpenIdProvider, admin: Actor) => Promise<void>,
): Promise<void> {
  const admin = await walk.person(['admin']);
  await using provider = await startOpenIdProvider();
  await setProvider(walk, admin, provider);
  await work(provider, admin);
  await removeProvider(walk, admin, provider);
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
async function logInNewcomer(walk: ScenarioRunner, provider: OpenIdProvider): Promise<string> {
  const name = `newcomer-${randomUUID().slice(0, 8)}`;
  const email = `${name}@example.com`;
  const { issuer } = provider;
  provider.person = { sub: name, email, email_verified: true, groups: [GROUP] };
  const metadata = { user_id: expect.any(String), before: null, after: accountState(['analyst']), issuer };
  await walk.act({
    action: 'LOGIN',
    by: anonymous(email),
    ...(await callbackOf(walk)),
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
async function logInOfOtherGroups(walk: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const email = await logInNewcomer(walk, provider);
  provider.person = { ...provider.person, groups: [] };
  const { issuer } = provider;
  const metadata = { user_id: expect.any(String), before: accountState(['analyst']), after: accountState([]), issuer };
  await walk.act({
    action: 'LOGIN',
    by: anonymous(email),
    ...(await callbackOf(walk)),
    before: [{ action: 'UPDATE_USER', target: email, metadata }],
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.id_token),
      metadata: { method: METHOD, issuer },
    }),
  });
}

async function failToLogIn({ act, ...walk }: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const { issuer } = provider;
  provider.faults = { payload: (claims) => ({ ...claims, nonce: 'of another login' }) };
  await act({
    action: 'LOGIN_FAILED',
    by: anonymous('unknown'),
    ...(await callbackOf({ act, ...walk })),
    status: 401,
    record: ({ body }) => ({ target: 'unknown', metadata: { method: METHOD, issuer, reason: body.message } }),
  });
}

/** Logs in an admin at the provider for the first time, which requires the password. */
async function logInAdmin(walk: ScenarioRunner, provider: OpenIdProvider): Promise<void> {
  const { id, name: email, password } = await walk.person(['admin']);
  const { issuer } = provider;
  provider.person = { sub: id, email, email_verified: true };
  const { path, headers } = await callbackOf(walk);
  const stopped = await walk.act({
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
  await walk.act({
    action: 'LOGIN',
    by: anonymous(email),
    path: '/auth/link/acme',
    form: { link, password },
    headers: { ...headers, origin: walk.hosts.api.url },
    before: [{ action: 'UPDATE_USER', target: email, metadata }],
    record: ({ body }) => ({
      target: email,
      sessionId: sessionOf(body.id_token),
      metadata: { method: METHOD, issuer, linked: true, confirmed_by: 'password' },
    }),
  });
}

async function linkIdentities(walk: ScenarioRunner, provider: OpenIdProvider, by: Actor): Promise<void> {
  const { id, name } = await walk.person(['analyst']);
  let before: object | null = null;
  for (const after of [{ subject: 'one' }, { subject: 'other' }]) {
    const metadata = { user_id: id, issuer: provider.issuer, before, after };
    await walk.act({
      action: 'LINK_IDENTITY',
      by,
      path: `/admin/users/${id}/link-identity`,
      body: after,
      record: () => ({ target: name, metadata }),
    });
    before = after;
  }
}

/** Scenarios of single sign-on, each with a separate provider. */
export const atProvider = {
  logIn: (walk: ScenarioRunner) => withProvider(walk, async (provider) => void (await logInNewcomer(walk, provider))),
  logInAdmin: (walk: ScenarioRunner) => withProvider(walk, (provider) => logInAdmin(walk, provider)),
  logInOfOtherGroups: (walk: ScenarioRunner) => withProvider(walk, (provider) => logInOfOtherGroups(walk, provider)),
  failToLogIn: (walk: ScenarioRunner) => withProvider(walk, (provider) => failToLogIn(walk, provider)),
} as const;

export const providerScenarios: Scenarios = {
  READ_IDENTITY_PROVIDER: (walk) =>
    withProvider(walk, async (provider, by) => {
      const record = () => ({ target: provider.issuer, metadata: {} });
      await walk.act({ action: 'READ_IDENTITY_PROVIDER', by, path: PATH, record });
    }),
  UPDATE_IDENTITY_PROVIDER: (walk) => withProvider(walk, async () => undefined),
  DELETE_IDENTITY_PROVIDER: (walk) => withProvider(walk, async () => undefined),
  LINK_IDENTITY: (walk) => withProvider(walk, (provider, by) => linkIdentities(walk, provider, by)),
};
