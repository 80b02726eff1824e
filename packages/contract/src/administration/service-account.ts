import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { nameFilter, pageFields } from '../fields/page-query.ts';
import { roleName, roleNames } from './admin-role.ts';

export const CLIENT_SECRETS_MAX = 2;

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

export const serviceAccountBody = z
  .strictObject({ client_id: clientIdText, roles: roleNames.optional().describe('Default: none') })
  .meta({ id: 'ServiceAccountRequest' });

export const serviceAccountChangeBody = z
  .strictObject({
    roles: roleNames.optional(),
    disabled: z.boolean({ error: 'disabled must be true or false' }).optional(),
  })
  .refine(({ roles, disabled }) => roles !== undefined || disabled !== undefined, 'send roles, disabled or both')
  .meta({ id: 'ServiceAccountChange', minProperties: 1 });

export const secretParams = z.strictObject({ id: z.string(), secret_id: z.string() });

export const serviceAccountsQuery = z.strictObject({
  q: nameFilter.describe('Part of the client id; case is ignored'),
  role: roleName.optional().describe('Only service accounts with this role'),
  ...pageFields,
});
export type ServiceAccountsQuery = z.infer<typeof serviceAccountsQuery>;

const secretRecord = z.object({
  secret_id: z.string(),
  created_ts: epochMs.nullable().describe('Null if unknown'),
  created_by: z.string().nullable(),
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
    secrets: z.array(secretRecord).describe('Valid secrets, oldest first; at most two'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'ServiceAccount' });
export type ServiceAccountRecord = z.infer<typeof serviceAccount>;

export const serviceAccounts = z
  .object({ total: z.int().min(0), data: z.array(serviceAccount).describe('Sorted by client id') })
  .meta({ id: 'ServiceAccounts' });

export const serviceAccountWithSecret = z
  .object({ ...serviceAccount.shape, client_secret: z.string().describe('Shown once') })
  .meta({ id: 'ServiceAccountWithSecret' });

export const addedSecret = z
  .object({ secret_id: z.string(), client_secret: z.string().describe('Shown once') })
  .meta({ id: 'AddedSecret' });
