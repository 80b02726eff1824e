import { describe, expect, it } from '@jest/globals';
import { readSettings } from '@sluice/config';
import type { Tenant } from '@sluice/contract';
import type { EngineSpec } from '@sluice/engine';
import { tenantEngineSettings } from './create-engine-resolver.ts';
import { createTrinoResolver } from './create-trino-resolver.ts';
import { trinoAccountWarnings } from './trino-account-warnings.ts';

const URL = 'https://trino.example:8443';
const NEEDED = { ENGINE_URL: URL };
const tenant = (name: string): Tenant => ({ id: `id of ${name}`, name, state: 'active', settings: {} });

function resolveEngine(name: string, environment: Readonly<Record<string, string>>): EngineSpec {
  const { settings } = readSettings(tenantEngineSettings, { ...NEEDED, ...environment });
  return createTrinoResolver(settings, URL)(tenant(name));
}

const profileOf = (name: string, environment: Readonly<Record<string, string>>) => {
  const spec = resolveEngine(name, environment);
  if (spec.kind !== 'trino') throw new Error('The engine is not Trino.');
  return spec.profile;
};

const tenants = (value: object): Readonly<Record<string, string>> => ({ ENGINE_TENANTS: JSON.stringify(value) });

const KEY = { url: URL, token: 'another' };

describe('the Trino users of a tenant', () => {
  it('contain the tenant name, unless the operator sets another template', () => {
    expect(profileOf('acme', {}).userTemplate).toBe('acme/{user}');
    expect(profileOf('acme', { ENGINE_USER_TEMPLATE: '{user}' }).userTemplate).toBe('{user}');
    const own = tenants({ globex: { user_template: 'g:{user}' }, acme: { catalogs: ['sales'] } });
    expect([profileOf('globex', own).userTemplate, profileOf('acme', own).userTemplate]).toEqual([
      'g:{user}',
      'acme/{user}',
    ]);
  });

  it.each([
    [{ ENGINE_USER_TEMPLATE: '{tenant}-{user}' }, /ENGINE_USER_TEMPLATE must have a character between/],
    [tenants({ globex: { user_template: 'g' } }), /ENGINE_TENANTS must contain \{user\} once/],
  ])('cannot have an ambiguous template: %j', (environment, message) => {
    expect(() => profileOf('acme', environment)).toThrow(message);
  });

  const warningsWith = (environment: Readonly<Record<string, string>>) => {
    const { settings } = readSettings(tenantEngineSettings, { ...NEEDED, ...environment });
    const engines = createTrinoResolver(settings, URL);
    return trinoAccountWarnings(engines, [tenant('acme'), tenant('globex'), tenant('initech')]);
  };

  it('cause a warning when tenants share an account or a template', () => {
    const shared = warningsWith({ ENGINE_TOKEN: 'jwt', ...tenants({ initech: KEY }) });
    expect(shared).toEqual([expect.stringMatching(/^The tenants acme, globex share one account at one Trino/)]);
    expect(shared.join()).not.toContain('jwt');
    const own = tenants({
      acme: { ...KEY, token: 'a' },
      globex: { ...KEY, token: 'g' },
      initech: { ...KEY, token: 'i' },
    });
    expect(warningsWith(own)).toEqual([]);
    expect(warningsWith({ ...own, ENGINE_USER_TEMPLATE: '{user}' })).toEqual([
      expect.stringMatching(/^The tenants acme, globex, initech have the same template/),
    ]);
  });
});

describe('the Trino of a tenant', () => {
  it('is the common one with the common catalogs by default', () => {
    const environment = { ENGINE_CATALOGS: 'sales, hr', ENGINE_SCHEMA: 'public', ENGINE_TOKEN: 'jwt' };
    expect(resolveEngine('acme', environment)).toMatchObject({ kind: 'trino', key: 'id of acme' });
    expect(profileOf('acme', environment)).toMatchObject({
      baseUrl: URL,
      catalogs: ['sales', 'hr'],
      defaultCatalog: 'sales',
      defaultSchema: 'public',
      credentials: { kind: 'jwt', token: 'jwt' },
      clientTags: ['tenant=acme'],
    });
  });

  it('can have its own catalogs on the common Trino, without the common default schema', () => {
    const own = tenants({ globex: { catalogs: ['wells'] } });
    const profile = profileOf('globex', {
      ...own,
      ENGINE_CATALOGS: 'sales',
      ENGINE_SCHEMA: 'public',
      ENGINE_TOKEN: 'jwt',
    });
    expect(profile).toMatchObject({ baseUrl: URL, catalogs: ['wells'], defaultCatalog: 'wells' });
    expect(profile.defaultSchema).toBeUndefined();
    expect(profile.credentials).toEqual({ kind: 'jwt', token: 'jwt' });
  });

  it('gets no common credentials at another address', () => {
    const common = { ENGINE_CATALOGS: 'sales', ENGINE_USER: 'sluice', ENGINE_PASSWORD: 'secret' };
    const url = 'https://other.example';
    const bare = profileOf('globex', { ...common, ...tenants({ globex: { url, catalogs: ['wells'] } }) });
    expect(bare).toMatchObject({ baseUrl: url, credentials: { kind: 'none' } });
    expect(bare.authority).toBeUndefined();
    const own = profileOf('globex', { ...common, ...tenants({ globex: { url, user: 'g', password: 'p' } }) });
    expect(own.credentials).toEqual({ kind: 'password', user: 'g', password: 'p' });
  });

  it('has no catalogs by default', () => {
    expect(profileOf('acme', {}).catalogs).toEqual([]);
  });
});

describe('invalid settings are rejected without showing their values', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['two kinds of credentials', { ENGINE_TOKEN: 's3cret', ENGINE_USER: 'a', ENGINE_PASSWORD: 's3cret' }, 'one kind'],
    ['incomplete credentials', { ENGINE_PASSWORD: 's3cret' }, 'complete credentials'],
    ['an invalid certificate', { ENGINE_CERTIFICATE: 's3cret', ENGINE_KEY: 's3cret' }, 'complete and in PEM format'],
    [
      'an invalid authority',
      { ENGINE_CA: '-----BEGIN CERTIFICATE-----\ns3cret\n-----END CERTIFICATE-----' },
      'in PEM format',
    ],
    ['tenants that are not JSON', { ENGINE_TENANTS: '{s3cret' }, 'ENGINE_TENANTS must be a JSON object'],
    ['an unknown key', tenants({ acme: { catalogues: ['s3cret'] } }), 'acme has the unknown key catalogues'],
    ['a wrong value', tenants({ acme: { catalogs: 's3cret' } }), 'acme.catalogs is invalid'],
    [
      'credentials without an address',
      tenants({ acme: { user: 'a', password: 's3cret' } }),
      'must set an address for acme',
    ],
    ['credentials over plain HTTP', tenants({ acme: { url: 'http://t.example', token: 's3cret' } }), 'https:// only'],
  ])('%s', (_what, environment, sentence) => {
    let message = '';
    try {
      profileOf('acme', environment);
    } catch (thrown) {
      message = (thrown as Error).message;
    }
    expect(message).toContain(sentence);
    expect(message).not.toContain('s3cret');
  });
});
