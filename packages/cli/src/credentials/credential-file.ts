import { join } from 'node:path';
import { CommandError } from '../errors.ts';
import type { CredentialStore, StoreOwner } from './credential-store.ts';
import { parseCredentials } from './credentials.ts';
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts';

/** Folder of the credential files and of the locks of renewals. */
export const credentialFolder = (folder: string): string => join(folder, 'credentials');

/** Creates a store of one file of mode 0600 in a folder of mode 0700, for computers without a keyring. */
export function credentialFile({ folder, profile }: StoreOwner): CredentialStore {
  const path = join(credentialFolder(folder), `${profile}.json`);
  return {
    kind: 'file',
    location: path,
    read: async () => {
      const text = await readPrivateFile(path);
      if (text === undefined) return undefined;
      const credentials = parseCredentials(text);
      if (credentials === undefined)
        throw new CommandError(`${path} does not contain a login of sluice. Log in again to replace it.`);
      return credentials;
    },
    write: (credentials) => writePrivateFile(path, `${JSON.stringify(credentials)}\n`),
    remove: () => removePrivateFile(path),
  };
}
