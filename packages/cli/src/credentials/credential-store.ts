import type { Credentials } from './credentials.ts';

export type StoreKind = 'keyring' | 'file';

/** Storage of the credentials of one profile. */
export interface CredentialStore {
  readonly kind: StoreKind;
  /** Path of the file, or name of the keyring, for messages. */
  readonly location: string;
  /**
   * Returns the credentials; undefined if none are stored.
   * @throws CommandError if the store cannot be read, or what it holds is damaged
   */
  readonly read: () => Promise<Credentials | undefined>;
  readonly write: (credentials: Credentials) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A profile below a folder of configuration, which has its own credentials. */
export interface StoreOwner {
  readonly folder: string;
  readonly profile: string;
}
