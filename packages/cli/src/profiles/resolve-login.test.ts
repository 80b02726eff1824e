import { describe, expect, it } from '@jest/globals';
import { NotLoggedInError, UsageError } from '../errors.ts';
import type { Profile, Profiles } from './profile-file.ts';
import { resolveLogin } from './resolve-login.ts';

const profile = (tenant: string, changes: Partial<Profile> = {}): Profile => ({
  apiUrl: `https://${tenant}-api.example.com`,
  streamUrl: `https://${tenant}-stream.example.com`,
  tenant,
  login: { kind: 'session', account: `ann@${tenant}.example`, store: 'file' },
  ...changes,
});

const PROFILES: Profiles = {
  current: 'default',
  byName: new Map([
    ['default', profile('acme')],
    ['other', profile('globex')],
    ['out', profile('initech', { login: undefined })],
  ]),
};

const SECRET = { SLUICE_CLIENT_ID: 'etl', SLUICE_CLIENT_SECRET: 's' };
const resolve = (environment: Record<string, string>, flag?: string, profiles = PROFILES) =>
  resolveLogin({ environment, profile: flag, profiles });

describe('the login that a command uses', () => {
  it('is that of --profile, whatever the environment has', () => {
    const environment = { ...SECRET, SLUICE_PROFILE: 'default', SLUICE_API_URL: 'https://elsewhere.example.com' };
    expect(resolve(environment, 'other')).toMatchObject({
      kind: 'profile',
      name: 'other',
      hosts: { tenant: 'globex' },
    });
  });

  it('is that of the environment before SLUICE_PROFILE and the current profile', () => {
    const expected = { kind: 'environment', auth: { clientId: 'etl', clientSecret: 's' } };
    expect(resolve(SECRET)).toMatchObject({ ...expected, hosts: { tenant: 'acme' } });
    expect(resolve({ ...SECRET, SLUICE_PROFILE: 'other' })).toMatchObject({ ...expected, hosts: { tenant: 'globex' } });
  });

  it('is that of SLUICE_PROFILE before the current one', () => {
    expect(resolve({ SLUICE_PROFILE: 'other' })).toMatchObject({ kind: 'profile', name: 'other' });
    expect(resolve({})).toMatchObject({ kind: 'profile', name: 'default' });
    expect(resolve({ SLUICE_PROFILE: '' })).toMatchObject({ kind: 'profile', name: 'default' });
  });

  it('has addresses of the environment before those of the profile', () => {
    const { hosts } = resolve({ ...SECRET, SLUICE_TENANT: 'umbrella', SLUICE_API_URL: 'api.example.com/' });
    const { streamUrl } = profile('acme');
    expect(hosts).toEqual({ tenant: 'umbrella', apiUrl: 'https://api.example.com', streamUrl });
  });
});

const EMPTY: Profiles = { current: 'default', byName: new Map() };

it.each([
  ['without any login', {}, undefined, EMPTY, /^You are not logged in\. Run `sluice login`/],
  [
    'for a profile without a login',
    {},
    'out',
    PROFILES,
    /^You are not logged in to the profile out\. Run `sluice login --profile out`\.$/,
  ],
  [
    'for an unknown profile',
    { SLUICE_PROFILE: 'x' },
    undefined,
    PROFILES,
    /^There is no profile x\. The profiles are: default, other, out\./,
  ],
])('throws NotLoggedInError %s', (_what, environment, flag, profiles, message) => {
  const run = () => resolve(environment as Record<string, string>, flag, profiles);
  expect(run).toThrow(NotLoggedInError);
  expect(run).toThrow(message);
});

it.each([
  ['half of a pair', { SLUICE_CLIENT_ID: 'etl' }, undefined, /^SLUICE_CLIENT_ID is set without SLUICE_CLIENT_SECRET\./],
  ['the other half', { SLUICE_PASSWORD: 'x' }, undefined, /^SLUICE_PASSWORD is set without SLUICE_EMAIL\./],
  [
    'no addresses',
    { ...SECRET, SLUICE_PROFILE: 'new', SLUICE_TENANT: 'a' },
    undefined,
    /^Set SLUICE_API_URL and SLUICE_STREAM_URL in the environment too\.$/,
  ],
  [
    'other hosts than the login',
    { SLUICE_TENANT: 'globex' },
    undefined,
    /^SLUICE_TENANT is globex, but the profile default is logged in at acme\./,
  ],
  ['a bad URL', { ...SECRET, SLUICE_API_URL: 'ftp://x' }, undefined, /^SLUICE_API_URL must be an http or https URL/],
  ['a profile name with a slash', {}, '../x', /^The name of a profile has/],
])('throws UsageError for %s', (_what, environment, flag, message) => {
  const run = () => resolve(environment as unknown as Record<string, string>, flag);
  expect(run).toThrow(UsageError);
  expect(run).toThrow(message);
});
