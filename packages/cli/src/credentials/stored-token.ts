import { join } from 'node:path';
import type { ProvidedToken } from '@sluice/client';
import { NotLoggedInError } from '../errors.ts';
import { credentialFolder } from './credential-file.ts';
import type { CredentialStore, StoreOwner } from './credential-store.ts';
import { type AccessToken, type Credentials, isFresh } from './credentials.ts';
import { withFileLock } from './file-lock.ts';
import { EndedLoginError, renewCredentials, type TenantHosts } from './renew-credentials.ts';
import { renewUnderLock } from './renew-under-lock.ts';

const lockOf = ({ folder, profile }: StoreOwner): string => join(credentialFolder(folder), `${profile}.lock`);

/** The lock under which the credentials of a profile are read, renewed, stored and ended. */
export const withCredentialLock = <Result>(owner: StoreOwner, action: () => Promise<Result>): Promise<Result> =>
  withFileLock(lockOf(owner), action);

interface StoredLogin {
  readonly owner: StoreOwner;
  readonly store: CredentialStore;
  readonly hosts: TenantHosts;
}

async function requireCredentials({ store, owner }: StoredLogin): Promise<Credentials> {
  const credentials = await store.read();
  if (credentials !== undefined) return credentials;
  throw new NotLoggedInError(
    `The login of the profile ${owner.profile} is no longer in ${store.location}. Run \`sluice login\`.`,
  );
}

/** Exchanges credentials for new ones, and removes those of a session that has ended. */
async function renewOrRemove({ hosts, store }: StoredLogin, before: Credentials): Promise<Credentials> {
  try {
    return await renewCredentials(hosts, before);
  } catch (error) {
    // A used refresh token is of no more use, and sending it again is recorded as a theft.
    if (error instanceof EndedLoginError && before.kind === 'session') await store.remove();
    throw error;
  }
}

/** Creates the token function of a client from stored credentials, which all processes renew together. */
export function createStoredToken(login: StoredLogin): () => Promise<ProvidedToken> {
  let previous: string | undefined;
  // The client asks again when a token becomes old, or when a host has rejected it.
  const isUsable = (access: AccessToken): boolean => access.value !== previous && isFresh(access);
  const shared = {
    lock: lockOf(login.owner),
    read: () => requireCredentials(login),
    write: login.store.write,
    renew: (before: Credentials) => renewOrRemove(login, before),
  };
  return async () => {
    const stored = await requireCredentials(login);
    const { access } = isUsable(stored.access) ? stored : await renewUnderLock(shared, { isUsable });
    previous = access.value;
    return { accessToken: access.value, expiresAt: access.expiresAt };
  };
}
