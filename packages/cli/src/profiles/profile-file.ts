import { join } from 'node:path';
import type { StoreKind } from '../credentials/credential-store.ts';
import { withFileLock } from '../credentials/file-lock.ts';
import { readPrivateFile, writePrivateFile } from '../credentials/private-file.ts';
import { CommandError, UsageError } from '../errors.ts';

/** A login that a profile has. Its tokens are in the credential store. */
export interface ProfileLogin {
  readonly kind: 'session' | 'client';
  /** E-mail address or client id. */
  readonly account: string;
  readonly store: StoreKind;
}

/** A named tenant with its hosts. It stays after a logout, so that the next login needs no addresses. */
export interface Profile {
  readonly apiUrl: string;
  readonly streamUrl: string;
  readonly tenant: string;
  readonly login?: ProfileLogin | undefined;
}

/** Content of the profile file. */
export interface Profiles {
  /** Profile that is used if none is named. */
  readonly current: string;
  readonly byName: ReadonlyMap<string, Profile>;
}

/** The profile file and the folder that it is in. */
export interface ProfileFile {
  readonly folder: string;
  readonly path: string;
  /** @throws CommandError if the file cannot be read or is damaged */
  readonly read: () => Promise<Profiles>;
  /** Changes the file while no other process does. */
  readonly change: (change: (before: Profiles) => Profiles) => Promise<void>;
}

export const DEFAULT_PROFILE = 'default';

interface StoredProfile {
  readonly api_url: string;
  readonly stream_url: string;
  readonly tenant: string;
  readonly login?: ProfileLogin | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isLogin(value: unknown): value is ProfileLogin {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, account, store } = value as Record<string, unknown>;
  return (kind === 'session' || kind === 'client') && isText(account) && (store === 'keyring' || store === 'file');
}

function isStoredProfile(value: unknown): value is StoredProfile {
  if (typeof value !== 'object' || value === null) return false;
  const { api_url, stream_url, tenant, login } = value as Record<string, unknown>;
  const areUrls = [api_url, stream_url].every((url) => isText(url) && URL.canParse(url));
  return areUrls && isText(tenant) && (login === undefined || isLogin(login));
}

function parse(path: string, text: string): Profiles {
  const damaged = new CommandError(`${path} is damaged. Correct it, or remove it and log in again.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged;
  }
  if (typeof value !== 'object' || value === null) throw damaged;
  const { current, profiles } = value as Record<string, unknown>;
  if (!isText(current) || typeof profiles !== 'object' || profiles === null) throw damaged;
  const byName = new Map<string, Profile>();
  for (const [name, stored] of Object.entries(profiles)) {
    if (!isStoredProfile(stored) || !isProfileName(name)) throw damaged;
    const { api_url: apiUrl, stream_url: streamUrl, tenant, login } = stored;
    byName.set(name, { apiUrl, streamUrl, tenant, login });
  }
  return { current, byName };
}

function format({ current, byName }: Profiles): string {
  const profiles = Object.fromEntries(
    [...byName].map(([name, { apiUrl, streamUrl, tenant, login }]): [string, StoredProfile] => [
      name,
      { api_url: apiUrl, stream_url: streamUrl, tenant, login },
    ]),
  );
  return `${JSON.stringify({ current, profiles }, undefined, 2)}\n`;
}

/** Names are parts of file names, so they have no slash and do not begin with a dot or hyphen. */
const isProfileName = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(name);

/** @throws UsageError if the text cannot be the name of a profile */
export function requireProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new UsageError(
    'The name of a profile has at most 64 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
  );
}

/** Opens the file of profiles in a folder of configuration. It need not exist. */
export function openProfileFile(folder: string): ProfileFile {
  const path = join(folder, 'profiles.json');
  const read = async (): Promise<Profiles> => {
    const text = await readPrivateFile(path);
    return text === undefined ? { current: DEFAULT_PROFILE, byName: new Map() } : parse(path, text);
  };
  return {
    folder,
    path,
    read,
    change: (change) =>
      withFileLock(`${path}.lock`, async () => await writePrivateFile(path, format(change(await read())))),
  };
}
