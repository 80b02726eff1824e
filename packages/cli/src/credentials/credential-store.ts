import type { Environment } from '../context.ts';
import { CommandError, UsageError } from '../errors.ts';
import { credentialFile } from './credential-file.ts';
import type { Credentials } from './credentials.ts';
import { keyring, keyringProblem } from './keyring.ts';

export type StoreKind = 'keyring' | 'file';

/** Where the credentials of one profile are kept. */
export interface CredentialStore {
  readonly kind: StoreKind;
  /** For messages: the path of the file, or the name of the keyring. */
  readonly place: string;
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

/** Returns the store in which the credentials of a profile were put at its login. */
export const openStore = (kind: StoreKind, owner: StoreOwner): CredentialStore =>
  kind === 'keyring' ? keyring(owner) : credentialFile(owner);

/** A store for a new login, and why it is not the keyring. */
export interface ChosenStore {
  readonly store: CredentialStore;
  readonly fallbackReason?: string;
}

/**
 * Chooses the store of a new login: the keyring where it works, else a file. SLUICE_CREDENTIAL_STORE demands one of them.
 * @throws UsageError if that variable has another value, CommandError if it demands a keyring that does not work
 */
export async function chooseStore(owner: StoreOwner, environment: Environment): Promise<ChosenStore> {
  const wanted = environment['SLUICE_CREDENTIAL_STORE'] ?? '';
  if (!['', 'keyring', 'file'].includes(wanted))
    throw new UsageError('SLUICE_CREDENTIAL_STORE must be keyring or file.');
  if (wanted === 'file') return { store: openStore('file', owner) };
  const fallbackReason = await keyringProblem(owner);
  if (fallbackReason === undefined) return { store: openStore('keyring', owner) };
  if (wanted === 'keyring') throw new CommandError(`The login cannot be kept in the keyring: ${fallbackReason}.`);
  return { store: openStore('file', owner), fallbackReason };
}
