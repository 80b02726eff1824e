import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { pageFields } from '../fields/page-query.ts';
import { boundedText } from '../fields/text-field.ts';
import { marketplaceGrants } from '../marketplace/marketplace-access.ts';
import { roleName } from './admin-role.ts';

const NAME_CHARACTERS_MAX = 320;

/** Equals the maximum that one PUT of all grants of an item accepts. */
export const ITEM_GRANTS_MAX = 1_000;

/** Fields of a grant as in the grants of an item. */
const { kind, name, expires_ts } = marketplaceGrants.shape.grants.element.shape;

const wanted = (field: string) => boundedText(field, NAME_CHARACTERS_MAX);

export const grantsQuery = z
  .strictObject({
    role: roleName.optional().describe('Only grants to this role'),
    user: wanted('user').optional().describe('Only grants to the user with this e-mail; case is ignored'),
    client: wanted('client').optional().describe('Only grants to the service account with this client id'),
    item: wanted('item').optional().describe('Only grants of the item with this id'),
    expired: z
      .enum(['true', 'false'], { error: 'expired must be true or false' })
      .transform((text) => text === 'true')
      .optional()
      .describe('true: only expired grants. false: only valid grants'),
    ...pageFields,
  })
  .refine(
    ({ role, user, client }) => [role, user, client].filter((each) => each !== undefined).length <= 1,
    'send at most one of role, user and client: a grant has one recipient',
  );
export type GrantsQuery = z.infer<typeof grantsQuery>;

export const grantBody = z
  .strictObject({
    item_id: boundedText('item_id', NAME_CHARACTERS_MAX),
    kind,
    name,
    expires_ts,
  })
  .meta({ id: 'GrantRequest' });
export type GrantRequest = z.infer<typeof grantBody>;

export const grantChangeBody = z.strictObject({ expires_ts: expires_ts.unwrap() }).meta({ id: 'GrantChange' });

/** A recipient has at most one grant per item. */
export const grantParams = z.strictObject({ item_id: z.string(), kind: z.string(), name: z.string() });
export type GrantParams = z.infer<typeof grantParams>;

export const grant = z
  .object({
    item_id: z.string(),
    item_title: z.string(),
    kind,
    name: z.string().describe('Name of a role, e-mail of a user or client id of a service account'),
    expires_ts: epochMs.nullable().describe('Null: never'),
    is_expired: z.boolean().describe('An expired grant is still listed but has no effect'),
    granted_ts: epochMs,
    granted_by: z.string(),
  })
  .meta({ id: 'Grant' });
export type GrantRecord = z.infer<typeof grant>;

export const grants = z
  .object({ total: z.int().min(0), data: z.array(grant).describe('Sorted by item, kind and name') })
  .meta({ id: 'Grants' });
