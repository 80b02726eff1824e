import { type MasterKeys, parseMasterKey } from '@sluice/auth';
import { type Secret, SettingsError } from '@sluice/config';

interface MasterKeySettings {
  readonly masterKey: Secret;
  readonly masterKeyPrevious: Secret | undefined;
}

const parse = (name: string, key: Secret): Uint8Array => {
  try {
    return parseMasterKey(key.reveal());
  } catch (thrown) {
    throw new SettingsError([`${name} ${thrown instanceof Error ? thrown.message : 'is not valid'}`]);
  }
};

/** Parses the master keys. Throws SettingsError. */
export const masterKeysOf = ({ masterKey, masterKeyPrevious }: MasterKeySettings): MasterKeys => ({
  current: parse('SLUICE_MASTER_KEY', masterKey),
  previous: masterKeyPrevious === undefined ? undefined : parse('SLUICE_MASTER_KEY_PREVIOUS', masterKeyPrevious),
});
