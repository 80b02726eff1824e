import { createClient, type Middleware } from '@sluice/client';
import type { Connection, GlobalOptions } from '../context.ts';
import { openStore } from '../credentials/choose-store.ts';
import type { TenantHosts } from '../credentials/renew-credentials.ts';
import { createStoredToken } from '../credentials/stored-token.ts';
import type { Environment } from '../environment.ts';
import { configFolder } from './config-folder.ts';
import { idleTimeoutMs } from './idle-timeout.ts';
import { openProfileFile } from './profile-file.ts';
import { resolveHosts, resolveLogin } from './resolve-login.ts';

/**
 * Requests the rows of queries without compression. The fetch of Node.js 20 decompresses a body as fast as it arrives, whether it is read
 * or not: 12 million rows that were printed slower than they arrived took 190 MB of buffers, and without compression 2 MB. The host
 * then also sends them in half the time.
 */
export const plainRows: Middleware = (request, next) => {
  if (request.operation === 'streamQuery') request.headers.set('accept-encoding', 'identity');
  return next();
};

/**
 * Returns a client for the account of the profile or of the environment. Nothing is sent.
 * @throws NotLoggedInError if neither has a login, UsageError if the environment is incomplete
 */
export async function connect(environment: Environment, globals: GlobalOptions): Promise<Connection> {
  const folder = configFolder(environment);
  const profiles = await openProfileFile(folder).read();
  const resolved = resolveLogin({ environment, profile: globals.profile, profiles });
  const { hosts } = resolved;
  const limit = idleTimeoutMs(environment);
  const options = { ...hosts, middleware: [plainRows], ...(limit === undefined ? {} : { idleTimeoutMs: limit }) };
  if (resolved.kind === 'environment') {
    const client = createClient({ ...options, auth: resolved.auth });
    return { ...hosts, client, login: { source: 'environment', profile: undefined, location: 'the environment' } };
  }
  const owner = { folder, profile: resolved.name };
  const store = openStore(resolved.login.store, owner);
  const client = createClient({ ...options, auth: { token: createStoredToken({ owner, store, hosts }) } });
  return { ...hosts, client, login: { source: store.kind, profile: owner.profile, location: store.location } };
}

/** Returns the names of the profiles, for completion. */
export const listProfiles = async (environment: Environment): Promise<readonly string[]> => [
  ...(await openProfileFile(configFolder(environment)).read()).byName.keys(),
];

/** Returns the hosts of the profile or of the environment, also without a login; undefined if an address is missing. */
export async function findHosts(environment: Environment, globals: GlobalOptions): Promise<TenantHosts | undefined> {
  const profiles = await openProfileFile(configFolder(environment)).read();
  return resolveHosts({ environment, profile: globals.profile, profiles });
}
