import type { Profile, ProfileFile } from '../profiles/profile-file.ts';
import { openStore } from './choose-store.ts';
import type { CredentialStore, StoreOwner } from './credential-store.ts';
import type { Credentials } from './credentials.ts';
import { endSession } from './renew-credentials.ts';
import { withCredentialLock } from './stored-token.ts';

interface NewLogin {
  readonly owner: StoreOwner;
  readonly store: CredentialStore;
  readonly credentials: Credentials;
  readonly profile: Profile;
}

/** Ends the session of credentials that are no longer needed. One that cannot be ended now ends by itself later. */
async function endQuietly(hosts: Profile, credentials: Credentials | undefined): Promise<void> {
  if (credentials?.kind === 'session') await endSession(hosts, credentials).catch(() => undefined);
}

/**
 * Stores a login and makes it the login of its profile. The session of the profile's previous login is ended.
 * @throws CommandError if it cannot be stored; then the new session is ended too
 */
export async function saveLogin(profiles: ProfileFile, login: NewLogin): Promise<void> {
  const { owner, store, credentials, profile } = login;
  const before = (await profiles.read()).byName.get(owner.profile);
  const previous = before?.login === undefined ? undefined : openStore(before.login.store, owner);
  try {
    await withCredentialLock(owner, async () => {
      // What cannot be read is replaced all the same: that is how a user gets rid of it.
      const replaced = await previous?.read().catch(() => undefined);
      await store.write(credentials);
      if (previous !== undefined && previous.kind !== store.kind) await previous.remove().catch(() => undefined);
      if (before !== undefined) await endQuietly(before, replaced);
    });
    await profiles.change(({ current, byName }) => ({
      current: byName.has(current) ? current : owner.profile,
      byName: new Map(byName).set(owner.profile, profile),
    }));
  } catch (error) {
    await endQuietly(profile, credentials);
    throw error;
  }
}
