import { type BasicCredentials, createClient, type Middleware } from '@sluice/client';
import type { Connection, GlobalOptions } from '../context.ts';
import { openStore } from '../credentials/choose-store.ts';
import { createEnvironmentSession } from '../credentials/environment-session.ts';
import type { TenantHosts } from '../credentials/renew-credentials.ts';
import { createStoredToken } from '../credentials/stored-token.ts';
import type { Environment } from '../environment.ts';
import { namesTenant } from './base-url.ts';
import { configFolder } from './config-folder.ts';
import { type EnvironmentCredentials, keepsSession } from './environment-login.ts';
import { idleTimeoutMs } from './idle-timeout.ts';
import { openProfileFile } from './profile-file.ts';
import { resolveHosts, resolveLogin } from './resolve-login.ts';
import { useProxies } from './use-proxies.ts';

/**
 * Requests the rows of queries without compression. The fetch of Node.js 20 decompresses a body as fast as it arrives, whether it is read
 * or not: 12 million rows that were printed slower than they arrived took 190 MB of buffers, and without compression 2 MB. The host
 * then also sends them in half the time.
 */
export const plainRows: Middleware = (request, next) => {
  if (request.operation === 'streamQuery' || request.operation === 'resumeEvents')
    request.headers.set('accept-encoding', 'identity');
  return next();
};

const ENVIRONMENT_LOGIN = { source: 'environment', profile: undefined, location: 'the environment' } as const;

/** Returns the credentials that requests to the stream host carry instead of a token, which would need a session. */
function basicOf({ streamUrl, tenant }: TenantHosts, auth: EnvironmentCredentials): BasicCredentials | undefined {
  if (!('email' in auth) || !namesTenant(streamUrl, tenant)) return undefined;
  const { email, password } = auth;
  // RFC 7617 section 2 allows neither.
  return email.includes(':') || /\p{Cc}/u.test(email + password) ? undefined : { email, password };
}

/**
 * Returns a client for the account of the profile or of the environment. Nothing is sent.
 * @throws NotLoggedInError if neither has a login, UsageError if the environment is incomplete
 */
export async function connect(environment: Environment, globals: GlobalOptions): Promise<Connection> {
  const folder = configFolder(environment);
  const profiles = await openProfileFile(folder).read();
  const resolved = resolveLogin({ environment, profile: globals.profile, profiles });
  const hosts = await useProxies(environment, resolved.hosts);
  const limit = idleTimeoutMs(environment);
  const options = { ...hosts, middleware: [plainRows], ...(limit === undefined ? {} : { idleTimeoutMs: limit }) };
  if (resolved.kind === 'environment') {
    const { auth } = resolved;
    if ('token' in auth) {
      const client = createClient({ ...options, auth: { token: () => auth.token } });
      return { ...hosts, client, login: ENVIRONMENT_LOGIN, close: async () => undefined };
    }
    const { token, close } = createEnvironmentSession({ folder, hosts, auth, isKept: keepsSession(environment) });
    const client = createClient({ ...options, auth: { token, basic: basicOf(hosts, auth) } });
    return { ...hosts, client, login: ENVIRONMENT_LOGIN, close };
  }
  const owner = { folder, profile: resolved.name };
  const store = openStore(resolved.login.store, owner);
  const client = createClient({ ...options, auth: { token: createStoredToken({ owner, store, hosts }) } });
  const login = { source: store.kind, profile: owner.profile, location: store.location };
  return { ...hosts, client, login, close: async () => undefined };
}

/** Returns the names of the profiles, for completion. */
export const listProfiles = async (environment: Environment): Promise<readonly string[]> => [
  ...(await openProfileFile(configFolder(environment)).read()).byName.keys(),
];

/** Returns the hosts of the profile or of the environment, also without a login; undefined if an address is missing. */
export async function findHosts(environment: Environment, globals: GlobalOptions): Promise<TenantHosts | undefined> {
  const profiles = await openProfileFile(configFolder(environment)).read();
  const hosts = resolveHosts({ environment, profile: globals.profile, profiles });
  return hosts && (await useProxies(environment, hosts));
}
