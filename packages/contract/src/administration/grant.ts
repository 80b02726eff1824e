import { z } from 'zod';
import { pageFields } from '../fields/page-query.ts';
import { boundedText } from '../fields/text-field.ts';
import { marketplaceGrants } from '../marketplace/marketplace.ts';
import { roleName } from './admin-role.ts';

const NAME_CHARACTERS_MAX = 320;

/** As many as can be put in the place of all grants of an item. */
export const ITEM_GRANTS_MAX = 1_000;

/** A grant as the grants of an item have it. */
const { kind, name, expires_ts } = marketplaceGrants.shape.grants.element.shape;

const wanted = (field: string) => boundedText(field, NAME_CHARACTERS_MAX);

export const grantsQuery = z
  .strictObject({
    role: roleName.optional().describe('Only those to this role'),
    user: wanted('user').optional().describe('Only those to the user of this e-mail, in whatever case'),
    client: wanted('client').optional().describe('Only those to the service account of this client id'),
    item: wanted('item').optional().describe('Only those for the item of this id'),
    expired: z
      .enum(['true', 'false'], { error: 'expired must be true or false' })
      .transform((text) => text === 'true')
      .optional()
      .describe('Only those that are over, or only those that hold'),
    ...pageFields,
  })
  .refine(
    ({ role, user, client }) => [role, user, client].filter((each) => each !== undefined).length <= 1,
    'name one of role, user and client: a grant is to one of them',
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

/** Who has a grant for an item has no other for it. */
export const grantParams = z.strictObject({ item_id: z.string(), kind: z.string(), name: z.string() });
export type GrantParams = z.infer<typeof grantParams>;

const epochMs = z.int().describe('Epoch milliseconds');

export const grant = z
  .object({
    item_id: z.string(),
    item_title: z.string(),
    kind,
    name: z.string().describe('Of the role; the e-mail of a user; the id of a client'),
    expires_ts: epochMs.nullable().describe('Null: never'),
    is_expired: z.boolean().describe('An expired grant stays to be seen, and grants nothing'),
    granted_ts: epochMs,
    granted_by: z.string(),
  })
  .meta({ id: 'Grant' });
export type GrantRecord = z.infer<typeof grant>;

export const grants = z
  .object({ total: z.int().min(0), data: z.array(grant).describe('By item, then by kind and name') })
  .meta({ id: 'Grants' });
