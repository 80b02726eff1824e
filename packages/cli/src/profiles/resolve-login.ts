import type { TenantHosts } from '../credentials/renew-credentials.ts';
import { type Environment, readVariable } from '../environment.ts';
import { NotLoggedInError, UsageError } from '../errors.ts';
import { readBaseUrl } from './base-url.ts';
import { type EnvironmentAuth, readEnvironmentLogin } from './environment-login.ts';
import { DEFAULT_PROFILE, type Profile, type ProfileLogin, type Profiles, requireProfileName } from './profile-file.ts';

/** Account that a command works as: the account of the environment, or the login of a profile. */
export type ResolvedLogin =
  | { readonly kind: 'environment'; readonly hosts: TenantHosts; readonly auth: EnvironmentAuth }
  | { readonly kind: 'profile'; readonly hosts: TenantHosts; readonly name: string; readonly login: ProfileLogin };

interface ResolveInput {
  readonly environment: Environment;
  /** `--profile`. */
  readonly profile: string | undefined;
  readonly profiles: Profiles;
}

/** Returns the name of the profile: `--profile`, SLUICE_PROFILE, the one chosen by `sluice profile use`. */
export const profileNameOf = ({ environment, profile, profiles }: ResolveInput): string =>
  requireProfileName(profile ?? readVariable(environment, 'SLUICE_PROFILE') ?? profiles.current);

const ADDRESS_VARIABLES = {
  apiUrl: 'SLUICE_API_URL',
  streamUrl: 'SLUICE_STREAM_URL',
  tenant: 'SLUICE_TENANT',
} as const;
type AddressName = keyof typeof ADDRESS_VARIABLES;
const ADDRESS_NAMES = Object.keys(ADDRESS_VARIABLES) as AddressName[];

function readAddress(environment: Environment, name: AddressName): string | undefined {
  const variable = ADDRESS_VARIABLES[name];
  const text = readVariable(environment, variable);
  return text === undefined || name === 'tenant' ? text : readBaseUrl(variable, text);
}

const readAddresses = (environment: Environment, profile: Profile | undefined) =>
  ADDRESS_NAMES.map((name) => [name, readAddress(environment, name) ?? profile?.[name]] as const);

/** Addresses of the environment, and of the profile where the environment has none. */
function environmentHosts(environment: Environment, profile: Profile | undefined): TenantHosts {
  const found = readAddresses(environment, profile);
  const missing = found.filter(([, value]) => value === undefined).map(([name]) => ADDRESS_VARIABLES[name]);
  if (missing.length > 0) throw new UsageError(`Set ${missing.join(' and ')} in the environment too.`);
  return Object.fromEntries(found) as unknown as TenantHosts;
}

/** A login is sent to its own hosts only, so an address of the environment that says otherwise is a violation. */
function requireSameHosts(environment: Environment, name: string, profile: Profile): void {
  for (const address of ADDRESS_NAMES) {
    const text = readAddress(environment, address);
    if (text === undefined || text === profile[address]) continue;
    const variable = ADDRESS_VARIABLES[address];
    throw new UsageError(
      `${variable} is ${text}, but the profile ${name} is logged in at ${profile[address]}. Unset ${variable}, or choose a profile with --profile.`,
    );
  }
}

/** @throws NotLoggedInError if there is no such profile */
export function requireKnownProfile({ byName }: Profiles, name: string): Profile {
  const found = byName.get(name);
  if (found !== undefined) return found;
  if (name === DEFAULT_PROFILE)
    throw new NotLoggedInError(
      'You are not logged in. Run `sluice login`, or set SLUICE_CLIENT_ID and SLUICE_CLIENT_SECRET, or SLUICE_TOKEN.',
    );
  const others = byName.size === 0 ? '' : ` The profiles are: ${[...byName.keys()].join(', ')}.`;
  throw new NotLoggedInError(`There is no profile ${name}.${others} Run \`${loginCommand(name)}\` to add it.`);
}

/** Returns the words that log in to a profile. */
const loginCommand = (name: string): string =>
  name === DEFAULT_PROFILE ? 'sluice login' : `sluice login --profile ${name}`;

/**
 * Decides who a command works as. In this order: the profile of `--profile`; the credentials of the environment; the profile of
 * SLUICE_PROFILE; the current profile.
 * @throws NotLoggedInError without a login, UsageError if the environment is incomplete or contradicts the profile
 */
export function resolveLogin(input: ResolveInput): ResolvedLogin {
  const { environment, profiles } = input;
  const name = profileNameOf(input);
  const auth = input.profile === undefined ? readEnvironmentLogin(environment) : undefined;
  if (auth !== undefined)
    return { kind: 'environment', auth, hosts: environmentHosts(environment, profiles.byName.get(name)) };
  const profile = requireKnownProfile(profiles, name);
  if (input.profile === undefined) requireSameHosts(environment, name, profile);
  const { login, ...hosts } = profile;
  if (login === undefined)
    throw new NotLoggedInError(`You are not logged in to the profile ${name}. Run \`${loginCommand(name)}\`.`);
  return { kind: 'profile', name, hosts, login };
}

/** Returns the hosts without a login; undefined if an address is missing. */
export function resolveHosts(input: ResolveInput): TenantHosts | undefined {
  const profile = input.profiles.byName.get(profileNameOf(input));
  const found = readAddresses(input.profile === undefined ? input.environment : {}, profile);
  if (found.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(found) as unknown as TenantHosts;
}

/** Returns the API host without a login; undefined if neither the environment nor the profile has one. */
export function resolveApiUrl(input: ResolveInput): string | undefined {
  const profile = input.profiles.byName.get(profileNameOf(input));
  const configured = input.profile === undefined ? readAddress(input.environment, 'apiUrl') : undefined;
  return configured ?? profile?.apiUrl;
}
