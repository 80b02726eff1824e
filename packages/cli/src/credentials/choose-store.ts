import type { Environment } from '../environment.ts';
import { CommandError, UsageError } from '../errors.ts';
import { credentialFile } from './credential-file.ts';
import type { CredentialStore, StoreKind, StoreOwner } from './credential-store.ts';
import { keyring, keyringProblem } from './keyring.ts';

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
