import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { integerText } from '../fields/integer-field.ts';
import { nameFilter, pageFields } from '../fields/page-query.ts';
import { nonBlankText } from '../fields/text-field.ts';
import { marketplaceGrants } from '../marketplace/marketplace-access.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
import { roleName, roleNames } from './admin-role.ts';
import { adminParams } from './admin-user.ts';
import { accessFields, hasOneKeySource, KEY_SOURCES_MESSAGE, shownAccess } from './service-account-access.ts';

export const CLIENT_SECRETS_MAX = 5;
const LABEL_CHARACTERS_MAX = 100;
const UNUSED_DAYS_MAX = 3650;

/** Used unescaped in forms, in HTTP Basic and as the engine's user. */
const CLIENT_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

export const clientIdText = z
  .string({ error: 'client_id must be a string' })
  .regex(CLIENT_ID, 'client_id must be 1 to 100 of letters, digits and ._-, and begin and end with a letter or digit')
  .refine(
    (text) => text.toLowerCase() !== 'operator',
    'client_id must not be operator: audit records use this name for the operator',
  )
  .meta({ not: { pattern: '^[Oo][Pp][Ee][Rr][Aa][Tt][Oo][Rr]$' } });

const serviceAccountBody = z
  .strictObject({ client_id: clientIdText, roles: roleNames.optional().describe('Default: none'), ...accessFields })
  .refine(hasOneKeySource, KEY_SOURCES_MESSAGE)
  .meta({ id: 'ServiceAccountRequest' });

const serviceAccountChangeBody = z
  .strictObject({
    roles: roleNames.optional(),
    disabled: z.boolean({ error: 'disabled must be true or false' }).optional(),
    ...accessFields,
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'send at least one field')
  .refine(hasOneKeySource, KEY_SOURCES_MESSAGE)
  .meta({ id: 'ServiceAccountChange', minProperties: 1 });

const { expires_ts } = marketplaceGrants.shape.grants.element.shape;

const clientSecretBody = z
  .strictObject({
    label: nonBlankText('label', LABEL_CHARACTERS_MAX).optional().describe('Purpose or holder of the secret'),
    expires_ts: expires_ts.describe('Epoch milliseconds, in the future. Null or absent: never'),
  })
  .meta({ id: 'ClientSecretRequest' });
export type ClientSecretRequest = z.infer<typeof clientSecretBody>;

const secretParams = z.strictObject({ id: z.string(), secret_id: z.string() });

export const serviceAccountsQuery = z.strictObject({
  q: nameFilter.describe('Part of the client id; case is ignored'),
  role: roleName.optional().describe('Only service accounts with this role'),
  unused_days: integerText('unused_days', { min: 1, max: UNUSED_DAYS_MAX })
    .optional()
    .describe('Only service accounts that got no token for at least this many days, or none since they were created'),
  ...pageFields,
});
export type ServiceAccountsQuery = z.infer<typeof serviceAccountsQuery>;

const secretRecord = z.object({
  secret_id: z.string(),
  label: z.string().nullable(),
  created_ts: epochMs.nullable().describe('Null if unknown'),
  created_by: z.string().nullable(),
  expires_ts: epochMs.nullable().describe('Null: never. An expired secret stays in the list until it is revoked'),
  last_used_ts: epochMs
    .nullable()
    .describe('Time of the last token issued with this secret, to the minute; null if never used'),
});

export const serviceAccount = z
  .object({
    id: z.string(),
    client_id: z.string(),
    roles: z.array(z.string()),
    disabled: z.boolean(),
    ...shownAccess,
    secrets: z.array(secretRecord).describe(`Secrets, oldest first; at most ${CLIENT_SECRETS_MAX}`),
    last_used_ts: epochMs
      .nullable()
      .describe('Time of the last token of the account, to some minutes; null if it never got one'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'ServiceAccount' });
export type ServiceAccountRecord = z.infer<typeof serviceAccount>;

const serviceAccounts = z
  .object({ total: z.int().min(0), data: z.array(serviceAccount).describe('Sorted by client id') })
  .meta({ id: 'ServiceAccounts' });

const serviceAccountWithSecret = z
  .object({ ...serviceAccount.shape, client_secret: z.string().describe('Shown once') })
  .meta({ id: 'ServiceAccountWithSecret' });

const addedSecret = z
  .object({
    secret_id: z.string(),
    label: z.string().nullable(),
    expires_ts: epochMs.nullable(),
    client_secret: z.string().describe('Shown once'),
  })
  .meta({ id: 'AddedSecret' });

const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => jsonResponse(description, serviceAccount);

const secretsBody = z.object({ data: z.array(secretRecord).describe('Oldest first') }).meta({ id: 'ClientSecrets' });

/** Service accounts of the caller's tenant: a client id with secrets. */
export const serviceAccountOperations = defineOperations('administration', FOR_ADMINS, {
  listServiceAccounts: {
    endpoint: 'GET /admin/service-accounts',
    summary: 'List the service accounts of the tenant, sorted by client id',
    query: serviceAccountsQuery,
    responses: { 200: jsonResponse('Service accounts', serviceAccounts) },
    problems: ['audit_unavailable'],
  },
  createServiceAccount: {
    endpoint: 'POST /admin/service-accounts',
    summary: 'Create a service account with its first secret',
    body: jsonBody(serviceAccountBody),
    responses: {
      201: jsonResponse('The new account and its secret', serviceAccountWithSecret),
    },
    problems: ['conflict', 'audit_unavailable'],
  },
  getServiceAccount: {
    endpoint: 'GET /admin/service-accounts/{id}',
    summary: 'Get a service account with the last use of each secret',
    params: adminParams,
    responses: { 200: one('The account') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateServiceAccount: {
    endpoint: 'PUT /admin/service-accounts/{id}',
    summary:
      'Change the roles or the rules of the access, disable or enable. Absent fields keep their value; If-Match prevents lost updates',
    params: adminParams,
    body: jsonBody(serviceAccountChangeBody),
    responses: { 200: one('The changed account') },
    problems: GUARDED,
  },
  deleteServiceAccount: {
    endpoint: 'DELETE /admin/service-accounts/{id}',
    summary: 'Delete a service account with all sessions and grants; If-Match prevents lost updates',
    params: adminParams,
    responses: { 204: { description: 'Deleted' } },
    problems: GUARDED,
  },
  listClientSecrets: {
    endpoint: 'GET /admin/service-accounts/{id}/secrets',
    summary: 'List the secrets of a service account with their last use, without the secrets themselves',
    params: adminParams,
    responses: { 200: jsonResponse('The secrets', secretsBody) },
    problems: ['not_found', 'audit_unavailable'],
  },
  addClientSecret: {
    endpoint: 'POST /admin/service-accounts/{id}/secrets',
    summary: 'Add a secret. The others remain valid',
    params: adminParams,
    body: { ...jsonBody(clientSecretBody), isOptional: true },
    responses: { 201: jsonResponse('The new secret', addedSecret) },
    problems: GUARDED,
  },
  revokeClientSecret: {
    endpoint: 'DELETE /admin/service-accounts/{id}/secrets/{secret_id}',
    summary: 'Revoke a secret and the tokens issued with it',
    params: secretParams,
    responses: { 204: { description: 'The secret was revoked' } },
    problems: GUARDED,
  },
});
