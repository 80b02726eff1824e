import {
  choice,
  duration,
  list,
  type Secret,
  SettingsError,
  type SettingsOf,
  secret,
  string,
  url,
} from '@sluice/config';
import type { Tenant } from '@sluice/contract';
import { checkTrinoProfile, type TrinoCredentials, type TrinoProfile } from '@sluice/engine';
import type { EngineResolver } from './engine-resolver.ts';
import { parseTenantOverrides, type TenantOverride } from './tenant-overrides.ts';
import { checkUserTemplate, templateForTenant, USER_TEMPLATE_DEFAULT } from './user-template.ts';

const PEM = 'in PEM format';

/** Settings of the Trino that runs the queries. Without an address DuckDB runs them. */
export const trinoSettings = {
  engineUrl: url('ENGINE_URL', {
    description: 'Address of the Trino that runs the queries: scheme, host and port. If unset, DuckDB runs them.',
    optional: true,
  }),
  engineCatalogs: list('ENGINE_CATALOGS', {
    description:
      'Trino catalogs of the tenants that ENGINE_TENANTS does not name. The first is the default catalog of unqualified names.',
    pattern: /^[A-Za-z_][\w-]*$/,
    form: 'names of catalogs, separated by commas',
    optional: true,
  }),
  engineSchema: string('ENGINE_SCHEMA', {
    description: 'Default schema of unqualified names, in the first catalog.',
    optional: true,
  }),
  engineUser: string('ENGINE_USER', {
    description:
      'Trino account of this service, which must be allowed to impersonate the users. Requires ENGINE_PASSWORD.',
    optional: true,
  }),
  engineUserTemplate: string('ENGINE_USER_TEMPLATE', {
    description:
      'Template of the Trino user that a statement runs as: `{tenant}` is the tenant’s name, `{user}` the e-mail or client id. Without `{tenant}`, two tenants may have the same Trino user.',
    default: USER_TEMPLATE_DEFAULT,
  }),
  enginePassword: secret('ENGINE_PASSWORD', { description: 'Password of ENGINE_USER.', optional: true }),
  engineToken: secret('ENGINE_TOKEN', {
    description: 'JWT with which this service authenticates to Trino.',
    optional: true,
  }),
  engineCertificate: secret('ENGINE_CERTIFICATE', {
    description: `Client certificate for Trino, ${PEM}. Requires ENGINE_KEY.`,
    optional: true,
  }),
  engineKey: secret('ENGINE_KEY', { description: `Private key of ENGINE_CERTIFICATE, ${PEM}.`, optional: true }),
  engineKeyPassphrase: secret('ENGINE_KEY_PASSPHRASE', { description: 'Passphrase of ENGINE_KEY.', optional: true }),
  engineCa: secret('ENGINE_CA', {
    description: `Certificate authority of Trino’s certificate, if the system does not trust it, ${PEM}.`,
    optional: true,
  }),
  engineTenants: secret('ENGINE_TENANTS', {
    description:
      'JSON object of settings by tenant: `{"acme": {"catalogs": ["sales"], "schema": "public"}}`. Further keys: `user_template`; `url`, and with it `user` and `password`, `token`, or `certificate`, `key` and `passphrase`, and `ca`. The credentials above are never sent to another address.',
    optional: true,
  }),
  engineSpooling: choice('ENGINE_SPOOLING', {
    description: 'Whether results are fetched by the spooled protocol if Trino supports it.',
    values: ['offered', 'off'],
    default: 'offered',
  }),
  engineSegmentOrigins: list('ENGINE_SEGMENT_ORIGINS', {
    description: 'Additional origins that spooled segments may be fetched from, such as Trino’s object store.',
    pattern: /^https?:\/\/[^/]+$/,
    form: 'origins such as `https://store.example:9000`, separated by commas',
    optional: true,
  }),
  engineAnswerTimeoutMs: duration('ENGINE_ANSWER_TIMEOUT', {
    description: 'A request to Trino fails when no byte arrives for this long.',
    min: '100ms',
    max: '1h',
    default: '20s',
  }),
  engineHeartbeatMs: duration('ENGINE_HEARTBEAT', {
    description:
      'Interval of heartbeats to Trino while a client does not read. Must be less than half of Trino’s query.client.timeout, after which Trino drops the query.',
    min: '100ms',
    max: '1h',
    default: '30s',
  }),
} as const;

type TrinoSettings = SettingsOf<typeof trinoSettings>;

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
export function createTrinoResolver(settings: TrinoSettings, engineUrl: string): EngineResolver {
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

function sharedProfile(settings: TrinoSettings, baseUrl: string): TrinoProfile {
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
