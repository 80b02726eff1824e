import { type Secret, SettingsError } from '@sluice/config';
import type { Tenant } from '@sluice/contract';
import { checkTrinoProfile, type TrinoCredentials, type TrinoProfile } from '@sluice/engine';
import type { TenantEngineSettings } from '../settings/tenant-engine-settings.ts';
import type { EngineResolver } from './engine-resolver.ts';
import { parseTenantOverrides, type TenantOverride } from './tenant-overrides.ts';
import { checkUserTemplate, templateForTenant } from './user-template.ts';

/** Credentials of this service for Trino; at most one kind may be set. */
interface GivenCredentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
}

/**
 * Creates the resolver for Trino. Each tenant has its catalogs; a tenant with its own address uses only its own credentials. Throws
 * a SettingsError for invalid settings.
 */
export function createTrinoResolver(settings: TenantEngineSettings, engineUrl: string): EngineResolver {
  const shared = withSettingName('ENGINE_URL', () => sharedProfile(settings, engineUrl));
  const texts = settings.engineTenants?.reveal();
  const given =
    texts === undefined
      ? new Map<string, TenantOverride>()
      : withSettingName('ENGINE_TENANTS', () => parseTenantOverrides(texts));
  const own = new Map(
    [...given].map(([name, engine]) => [
      name,
      withSettingName('ENGINE_TENANTS', () => tenantProfile(shared, name, engine)),
    ]),
  );
  const template = withSettingName('ENGINE_USER_TEMPLATE', () => checkUserTemplate(settings.engineUserTemplate));
  return (tenant) => ({
    kind: 'trino',
    key: tenant.id,
    profile: profileOfTenant(own.get(tenant.name) ?? shared, template, tenant),
  });
}

/** Adds the tenant's name, by which Trino separates tenants: resource groups by the tag, access control by the user. */
const profileOfTenant = (profile: TrinoProfile, template: string, tenant: Tenant): TrinoProfile => ({
  ...profile,
  clientTags: [`tenant=${tenant.name}`],
  userTemplate: templateForTenant(profile.userTemplate ?? template, tenant.name),
});

function sharedProfile(settings: TenantEngineSettings, baseUrl: string): TrinoProfile {
  return checkProfile({
    baseUrl,
    ...catalogsOf(settings.engineCatalogs ?? [], settings.engineSchema),
    credentials: credentialsOf({
      user: settings.engineUser,
      password: settings.enginePassword?.reveal(),
      token: settings.engineToken?.reveal(),
      certificate: settings.engineCertificate?.reveal(),
      key: settings.engineKey?.reveal(),
      passphrase: settings.engineKeyPassphrase?.reveal(),
    }),
    ...authorityOf(settings.engineCa),
    spooling: settings.engineSpooling,
    segmentOrigins: settings.engineSegmentOrigins ?? [],
    limits: { answerTimeoutMs: settings.engineAnswerTimeoutMs, heartbeatMs: settings.engineHeartbeatMs },
  });
}

function tenantProfile(shared: TrinoProfile, name: string, own: TenantOverride): TrinoProfile {
  const {
    url,
    catalogs = shared.catalogs,
    schema = own.catalogs === undefined ? shared.defaultSchema : undefined,
  } = own;
  const userTemplate = own.user_template === undefined ? {} : { userTemplate: checkUserTemplate(own.user_template) };
  const names = { ...catalogsOf(catalogs, schema), ...userTemplate };
  const { defaultSchema: _, ...common } = shared;
  if (url !== undefined) {
    const { authority: __, ...rest } = common;
    const authority = own.ca === undefined ? {} : { authority: own.ca };
    return checkProfile({ ...rest, ...names, ...authority, baseUrl: url, credentials: credentialsOf(own) });
  }
  if (credentialsOf(own).kind !== 'none' || own.ca !== undefined) {
    throw new Error(`must set an address for ${name} when it sets credentials`);
  }
  return { ...common, ...names };
}

const catalogsOf = (
  catalogs: readonly string[],
  schema: string | undefined,
): Pick<TrinoProfile, 'catalogs' | 'defaultCatalog' | 'defaultSchema'> => ({
  catalogs,
  defaultCatalog: catalogs[0] ?? '',
  ...(schema === undefined ? {} : { defaultSchema: schema }),
});

const authorityOf = (ca: Secret | undefined): Pick<TrinoProfile, 'authority'> =>
  ca === undefined ? {} : { authority: ca.reveal() };

function credentialsOf(given: GivenCredentials): TrinoCredentials {
  const { user, password, token, certificate, key, passphrase } = given;
  const kinds = [user ?? password, token, certificate ?? key].filter((part) => part !== undefined);
  if (kinds.length > 1) throw new Error('must have only one kind of credentials: a password, a token or a certificate');
  if (token !== undefined) return { kind: 'jwt', token };
  if (user !== undefined && password !== undefined) return { kind: 'password', user, password };
  if (certificate !== undefined && key !== undefined) {
    return { kind: 'certificate', certificate, key, ...(passphrase === undefined ? {} : { passphrase }) };
  }
  if (kinds.length > 0) throw new Error('must have complete credentials: user and password, or certificate and key');
  return { kind: 'none' };
}

function checkProfile(profile: TrinoProfile): TrinoProfile {
  checkTrinoProfile(profile);
  return profile;
}

/** Converts an error of a step to a SettingsError with the name of the setting. */
function withSettingName<T>(name: string, step: () => T): T {
  try {
    return step();
  } catch (thrown) {
    throw new SettingsError([`${name} ${(thrown as Error).message}`]);
  }
}
