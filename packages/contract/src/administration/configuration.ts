import { z } from 'zod';
import { domainBody, domainNameKey } from '../catalog/domain.ts';
import { createDatamapBody } from '../datamaps/datamap.ts';
import { listOf } from '../fields/list-of.ts';
import { storableText } from '../fields/text-field.ts';
import { type UniqueEntriesOptions, uniqueEntries } from '../fields/unique-entries.ts';
import { marketplaceItemBody, marketplaceQueries, marketplaceQueryName } from '../marketplace/marketplace.ts';
import { marketplaceGrants } from '../marketplace/marketplace-access.ts';
import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { BODY_BYTES_MAX } from '../operations/operation.ts';
import { permissionList, roleName, roleNames } from './admin-role.ts';
import { auditSettingsBody } from './audit-settings.ts';
import { identityProviderBody } from './identity-provider.ts';
import { emailText, invitation } from './invitation.ts';
import { isAllowedForType, oauthClientFields, redirectsOfType } from './oauth-client.ts';
import { oauthSettingsBody } from './oauth-settings.ts';
import { clientIdText } from './service-account.ts';
import { accessFields, hasOneKeySource, KEY_SOURCES_MESSAGE } from './service-account-access.ts';
import { sessionSettingsBody } from './session-settings.ts';

const DOMAINS_OF_ITEM_MAX = 100;
const GRANTS = 'Replaces all grants. Absent: unchanged';

/** Same fields as the endpoints of each object, but references are names, because the author of a file does not know the ids. */
const configuredDomain = z.strictObject(domainBody.shape);

const configuredDatamap = z.strictObject({
  ...createDatamapBody.shape,
  id: storableText('id').optional().describe('Id of an existing datamap. Absent: it is found by name'),
  state: z
    .enum(['PUBLISHED', 'DRAFT'], { error: 'state must be PUBLISHED or DRAFT' })
    .optional()
    .describe('DRAFT: any state but published. Absent: unchanged, or DRAFT for a new datamap'),
});

const configuredItem = z.strictObject({
  ...marketplaceItemBody.shape,
  domains: listOf(storableText('a domain'), { error: 'domains must be an array of names' })
    .max(DOMAINS_OF_ITEM_MAX, `domains must hold at most ${DOMAINS_OF_ITEM_MAX} names`)
    .optional()
    .describe('Names of domains in the file or existing ones'),
  queries: marketplaceQueries(
    z.strictObject({
      name: marketplaceQueryName,
      datamap: storableText('datamap').describe('Name of a datamap in the file, or name or id of an existing one'),
    }),
    'datamap',
  ),
  grants: marketplaceGrants.shape.grants.optional().describe(`${GRANTS}, or none for a new item`),
});

const ROLES_MAX = 100;
const USERS_MAX = 500;
const SERVICE_ACCOUNTS_MAX = 100;
const OAUTH_CLIENTS_MAX = 100;
const DOMAINS_MAX = 500;
const DATAMAPS_MAX = 500;
const ITEMS_MAX = 200;

const disabled = z
  .boolean({ error: 'disabled must be true or false' })
  .optional()
  .describe('Absent: unchanged, or false for a new account');
const rolesOf = roleNames.optional().describe('Absent: unchanged, or none for a new account');

/** List of a configuration file. Its entries have unique keys. */
const section = <S extends z.ZodType>(
  name: string,
  entry: S,
  { max, ...key }: UniqueEntriesOptions<z.output<S>> & { readonly max: number },
) =>
  listOf(entry, { error: `${name} must be an array of objects` })
    .max(max, `${name} must hold at most ${max}`)
    .superRefine(uniqueEntries(name, key))
    .optional();

export const configurationBody = z
  .strictObject({
    dry_run: z
      .boolean({ error: 'dry_run must be true or false' })
      .optional()
      .describe('True: reports the changes without making them'),
    roles: section('roles', z.strictObject({ name: roleName, permissions: permissionList }), {
      keyOf: ({ name }) => name,
      max: ROLES_MAX,
    }),
    users: section('users', z.strictObject({ email: emailText('email'), roles: rolesOf, disabled }), {
      keyOf: ({ email }) => email,
      max: USERS_MAX,
    }),
    service_accounts: section(
      'service_accounts',
      z
        .strictObject({ client_id: clientIdText, roles: rolesOf, disabled, ...accessFields })
        .refine(hasOneKeySource, KEY_SOURCES_MESSAGE),
      { keyOf: ({ client_id }) => client_id, max: SERVICE_ACCOUNTS_MAX },
    ),
    oauth_clients: section(
      'oauth_clients',
      z.strictObject(oauthClientFields).refine(isAllowedForType, redirectsOfType),
      { keyOf: ({ client_id }) => client_id, max: OAUTH_CLIENTS_MAX },
    ),
    domains: section('domains', configuredDomain, {
      keyOf: ({ name }) => domainNameKey(name),
      nameOf: ({ name }) => name,
      max: DOMAINS_MAX,
    }),
    datamaps: section('datamaps', configuredDatamap, { keyOf: ({ name }) => name, max: DATAMAPS_MAX }),
    marketplace_items: section('marketplace_items', configuredItem, { keyOf: ({ id }) => id, max: ITEMS_MAX }),
    identity_provider: identityProviderBody
      .optional()
      .describe('Same fields as PUT /admin/identity-provider. Absent: unchanged'),
    audit: z
      .strictObject(auditSettingsBody.shape, { error: 'audit must be an object of settings' })
      .optional()
      .describe('Same fields as PUT /admin/audit-settings. Absent: unchanged'),
    sessions: z
      .strictObject(sessionSettingsBody.shape, { error: 'sessions must be an object of settings' })
      .optional()
      .describe('Same fields as PUT /admin/session-settings. Absent: unchanged'),
    oauth: z
      .strictObject(oauthSettingsBody.shape, { error: 'oauth must be an object of settings' })
      .optional()
      .describe('Same fields as PUT /admin/oauth-settings. Absent: unchanged'),
  })
  .meta({ id: 'Configuration' });
export type Configuration = z.infer<typeof configurationBody>;

/** The file is the whole body, so a program that sends one as it is asks for a dry run here. */
const applyQuery = z.strictObject({
  dry_run: z
    .enum(['true', 'false'], { error: 'dry_run must be true or false' })
    .transform((text) => text === 'true')
    .optional()
    .describe('`true`: reports the changes without making them, whatever `dry_run` of the body is'),
});

const CONFIGURED_KINDS = [
  'role',
  'user',
  'service_account',
  'oauth_client',
  'identity_provider',
  'audit_settings',
  'session_settings',
  'oauth_settings',
  'domain',
  'datamap',
  'marketplace_item',
  'marketplace_grants',
] as const;

const appliedChange = z.object({
  kind: z.enum(CONFIGURED_KINDS),
  name: z
    .string()
    .describe(
      'E-mail of a user, client id of a service account and of a program, issuer of an identity provider, tenant of settings, id of an item and of its grants',
    ),
  action: z.enum(['create', 'update', 'none']),
  before: z.unknown().describe('Null for a new object'),
  after: z.unknown(),
  invitation: invitation.nullable().describe('Only for a new user. Shown once, never by a dry run'),
  client_secret: z
    .string()
    .nullable()
    .describe('Only for a new service account or confidential program. Shown once, never by a dry run'),
});

export const appliedConfiguration = z
  .object({
    dry_run: z.boolean(),
    created_count: z.int().min(0),
    updated_count: z.int().min(0),
    unchanged_count: z.int().min(0),
    changes: z
      .array(appliedChange)
      .describe(
        'In this order: roles, users, service accounts, programs, identity provider, audit settings, session settings, settings of programs, domains, datamaps, items with their grants',
      ),
  })
  .meta({ id: 'AppliedConfiguration' });
export type AppliedConfiguration = z.infer<typeof appliedConfiguration>;
export type AppliedChange = AppliedConfiguration['changes'][number];

const VALUES_MAX = 50_000;

/** Administration of a tenant by one configuration file. */
export const configurationOperations = defineOperations('administration', FOR_API, {
  applyConfiguration: {
    endpoint: 'POST /admin/apply',
    summary:
      'Apply a configuration of roles, accounts, programs, identity provider, audit and session settings, domains, datamaps and marketplace items in one transaction',
    permission: 'admin',
    query: applyQuery,
    body: {
      schema: configurationBody,
      mediaTypes: ['application/json', 'application/yaml'],
      bytesMax: BODY_BYTES_MAX,
      valuesMax: VALUES_MAX,
      reportsLines: true,
    },
    responses: {
      200: jsonResponse('The changes, or the changes that a dry run would make', appliedConfiguration),
    },
    problems: ['conflict', 'audit_unavailable'],
  },
});
