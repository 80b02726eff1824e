import { join } from 'node:path';
import type { ProvidedToken } from '@sluice/client';
import { NotLoggedInError } from '../errors.ts';
import { credentialFolder } from './credential-file.ts';
import type { CredentialStore, StoreOwner } from './credential-store.ts';
import type { AccessToken, Credentials } from './credentials.ts';
import { withFileLock } from './file-lock.ts';
import { EndedLoginError, renewCredentials, type TenantHosts } from './renew-credentials.ts';

/** A token is replaced after this share of its lifetime, as the client does. */
const LIFETIME_SHARE = 0.8;

/** Returns whether a token is not about to end. */
export const isFresh = ({ obtainedAt, expiresAt }: AccessToken): boolean =>
  Date.now() < obtainedAt + (expiresAt - obtainedAt) * LIFETIME_SHARE;

/** The lock under which the credentials of a profile are read, renewed and stored. */
export const withCredentialLock = <Result>(owner: StoreOwner, action: () => Promise<Result>): Promise<Result> =>
  withFileLock(join(credentialFolder(owner.folder), `${owner.profile}.lock`), action);

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

/** Renews the credentials unless another process has done so since they were rejected or became old. */
const renew = (login: StoredLogin, isUsable: (access: AccessToken) => boolean): Promise<Credentials> =>
  withCredentialLock(login.owner, async () => {
    const before = await requireCredentials(login);
    if (isUsable(before.access)) return before;
    try {
      const after = await renewCredentials(login.hosts, before);
      await login.store.write(after);
      return after;
    } catch (error) {
      // A used refresh token is of no more use, and sending it again is recorded as a theft.
      if (error instanceof EndedLoginError && before.kind === 'session') await login.store.remove();
      throw error;
    }
  });

/** Returns the stored credentials with an access token that is not about to end. */
export async function freshCredentials(login: StoredLogin): Promise<Credentials> {
  const stored = await requireCredentials(login);
  return isFresh(stored.access) ? stored : await renew(login, isFresh);
}

/**
 * Creates the token function of a client from stored credentials. All processes share one refresh: refresh tokens work once, and a
 * second use would end the session.
 */
export function createStoredToken(login: StoredLogin): () => Promise<ProvidedToken> {
  let previous: string | undefined;
  // The client asks again when a token becomes old, or when a host has rejected it.
  const isUsable = (access: AccessToken): boolean => access.value !== previous && isFresh(access);
  return async () => {
    const stored = await requireCredentials(login);
    const { access } = isUsable(stored.access) ? stored : await renew(login, isUsable);
    previous = access.value;
    return { accessToken: access.value, expiresAt: access.expiresAt };
  };
}
