import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientCredentialsAuth, PasswordAuth, ProvidedToken } from '@sluice/client';
import { type AccessToken, type Credentials, isFresh } from './credentials.ts';
import { withFileLock } from './file-lock.ts';
import { trackLocked } from './locked-actions.ts';
import {
  EndedLoginError,
  endSession,
  endStoredSession,
  openClientSession,
  openSession,
  renewCredentials,
  type TenantHosts,
} from './renew-credentials.ts';
import { renewUnderLock } from './renew-under-lock.ts';
import { openSealedFile, type SealedFile } from './sealed-file.ts';

/** Longest wait for the end of a session when a command ends. */
const CLOSE_MAX_MS = 1_500;

interface EnvironmentLogin {
  /** Folder of the configuration. */
  readonly folder: string;
  readonly hosts: TenantHosts;
  readonly auth: ClientCredentialsAuth | PasswordAuth;
}

/** Session of the credentials of the environment. It is opened when a request needs a token. */
interface EnvironmentSession {
  readonly token: () => Promise<ProvidedToken>;
  /**
   * Ends the session, unless it is kept for later commands. Never rejects.
   * @param isHurried - does not wait for a login that is under way and whose session would be kept
   */
  readonly close: (isHurried: boolean) => Promise<void>;
}

/** Returns the private file of the session, which only the secret opens: with another one, the host must decide. */
function sessionFile({ folder, hosts, auth }: EnvironmentLogin): SealedFile {
  const [account, secret] = 'clientId' in auth ? [auth.clientId, auth.clientSecret] : [auth.email, auth.password];
  const name = createHash('sha256')
    .update(JSON.stringify([hosts.apiUrl, hosts.tenant, account]))
    .digest('hex');
  return openSealedFile(join(folder, 'sessions', `${name.slice(0, 32)}.json`), secret);
}

const lockOf = ({ path }: SealedFile): string => `${path}.lock`;

const open = ({ hosts, auth }: EnvironmentLogin): Promise<Credentials> =>
  'clientId' in auth ? openClientSession(hosts, auth) : openSession(hosts, auth);

/** Exchanges the credentials of a session for new ones, and opens another session if that one has ended. */
async function renewOrOpen(login: EnvironmentLogin, before: Credentials | undefined): Promise<Credentials> {
  if (before?.kind !== 'session') return await open(login);
  try {
    const renewed = renewCredentials(login.hosts, before);
    trackLocked(renewed);
    return await renewed;
  } catch (error) {
    if (error instanceof EndedLoginError) return await open(login);
    throw error;
  }
}

/**
 * Creates the session of the credentials of the environment.
 * @param isKept - whether commands share one session in a private file
 */
export function createEnvironmentSession(login: EnvironmentLogin & { readonly isKept: boolean }): EnvironmentSession {
  const file = sessionFile(login);
  let { isKept } = login;
  let current: Credentials | undefined;
  let previous: string | undefined;
  let running: Promise<unknown> | undefined;

  // The client asks again when a token becomes old, or when a host has rejected it.
  const isUsable = (access: AccessToken): boolean => access.value !== previous && isFresh(access);

  const renewKept = async (): Promise<Credentials> => {
    let isLocked = false;
    const shared = {
      lock: lockOf(file),
      read: () => {
        isLocked = true;
        return file.read();
      },
      write: (after: Credentials) =>
        file.write(after).catch(() => {
          isKept = false;
        }),
      renew: (before: Credentials | undefined) => renewOrOpen(login, before),
    };
    try {
      // The process waits at its end for an exchange, which must not be lost, and not for a login.
      return await renewUnderLock(shared, { isUsable, isTracked: false });
    } catch (error) {
      if (isLocked) throw error;
      // A folder that cannot be used keeps no command from its work: the session ends with the command.
      isKept = false;
      return await renewOrOpen(login, current);
    }
  };

  const findCredentials = async (): Promise<Credentials> => {
    if (!isKept) return await renewOrOpen(login, current);
    const kept = await file.read();
    return kept !== undefined && isUsable(kept.access) ? kept : await renewKept();
  };

  return {
    token: async () => {
      const finding = findCredentials();
      running = finding.catch(() => undefined);
      current = await finding;
      previous = current.access.value;
      return { accessToken: current.access.value, expiresAt: current.access.expiresAt };
    },
    close: async (isHurried) => {
      if (isHurried && isKept) return;
      const limit = AbortSignal.timeout(CLOSE_MAX_MS);
      // A request that was cancelled may have begun a login.
      await Promise.race([running, delay(CLOSE_MAX_MS, undefined, { ref: false })]);
      if (isKept || current === undefined) return;
      await endSession(login.hosts, current, limit).catch(() => undefined);
    },
  };
}

/**
 * Ends the session that is kept for the credentials of the environment, and removes it. Returns whether there was one.
 * @param signal - of the requests to the hosts; undefined: the hosts are not asked, and the session ends by itself
 */
export async function endKeptSession(login: EnvironmentLogin, signal: AbortSignal | undefined): Promise<boolean> {
  const file = sessionFile(login);
  if ((await file.read()) === undefined) return false;
  await withFileLock(lockOf(file), async () => {
    const kept = await file.read();
    if (kept !== undefined && signal !== undefined) {
      await endStoredSession(login.hosts, kept, { write: file.write, signal });
    }
    await file.remove();
  });
  return true;
}
