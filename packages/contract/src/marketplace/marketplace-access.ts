import { z } from 'zod';
import { EPOCH_MIN, epochMs, MILLISECONDS_EXPECTED } from '../fields/epoch-field.ts';
import { integerField } from '../fields/integer-field.ts';
import { listOf } from '../fields/list-of.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { named, pageFields } from './marketplace-fields.ts';

const REASON_CHARACTERS_MAX = 2_000;
const GRANTS_MAX = 1_000;
const LATEST_EXPIRY_MS = Date.UTC(9999, 11, 31);

const expiry = integerField('expires_ts', {
  min: EPOCH_MIN,
  max: LATEST_EXPIRY_MS,
  type: 'must be epoch milliseconds',
  tooSmall: MILLISECONDS_EXPECTED,
  tooLarge: 'must be before the year 10000',
})
  .nullable()
  .optional()
  .describe('Epoch milliseconds, in the future. Null or absent: never');

export const marketplaceGrants = z
  .strictObject({
    grants: listOf(
      z.strictObject({
        kind: z.enum(['role', 'user', 'client'], { error: 'kind must be role, user or client' }),
        name: named('name', 320).describe('Name of a role, e-mail of a user or client id of a service account'),
        expires_ts: expiry,
      }),
      { error: 'grants must be an array of objects with kind and name' },
    )
      .max(GRANTS_MAX, `grants must hold at most ${GRANTS_MAX}`)
      .superRefine(
        uniqueEntries('grants', {
          keyOf: ({ kind, name }) => `${kind} ${name.toLowerCase()}`,
          nameOf: ({ kind, name }) => `the ${kind} ${name}`,
        }),
      ),
  })
  .meta({ id: 'MarketplaceGrants' });
export type MarketplaceGrants = z.infer<typeof marketplaceGrants>;

export const marketplaceGrantsQuery = z.strictObject({
  dry_run: z
    .enum(['true', 'false'], { error: 'dry_run must be true or false' })
    .transform((value) => value === 'true')
    .optional()
    .describe('`true`: checks the grants, such as that their accounts and roles exist, and stores nothing'),
});

export const accessRequestParams = z.strictObject({ id: z.string(), request_id: z.string() });

export const accessRequestBody = z
  .strictObject({ reason: named('reason', REASON_CHARACTERS_MAX) })
  .meta({ id: 'AccessRequestRequest' });

export const accessApprovalBody = z.strictObject({ expires_ts: expiry }).meta({ id: 'AccessApproval' });
export const accessRefusalBody = z
  .strictObject({ note: named('note', REASON_CHARACTERS_MAX).optional() })
  .meta({ id: 'AccessRefusal' });

const ACCESS_REQUEST_STATES = ['PENDING', 'APPROVED', 'REFUSED'] as const;

export const accessRequest = z
  .object({
    request_id: z.string(),
    item_id: z.string(),
    user: z.string(),
    reason: z.string(),
    state: z.enum(ACCESS_REQUEST_STATES),
    created_ts: epochMs,
    decided_ts: epochMs.nullable(),
    decided_by: z.string().nullable(),
    expires_ts: epochMs.nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'AccessRequest' });
export type AccessRequest = z.infer<typeof accessRequest>;

export const accessRequests = z
  .object({ data: z.array(accessRequest).describe('Pending requests first, then by time, newest first') })
  .meta({ id: 'AccessRequests' });

/** Lists of requests: the caller's own, or those that the caller may decide. */
const ACCESS_REQUEST_SCOPES = ['own', 'inbox'] as const;

export const accessRequestsQuery = z.strictObject({
  scope: z
    .enum(ACCESS_REQUEST_SCOPES, { error: `scope must be one of ${ACCESS_REQUEST_SCOPES.join(', ')}` })
    .optional()
    .describe('`own`: your requests (default). `inbox`: requests for your items; for an admin, for all items'),
  state: z
    .enum(ACCESS_REQUEST_STATES, { error: `state must be one of ${ACCESS_REQUEST_STATES.join(', ')}` })
    .optional(),
  ...pageFields,
});
export type AccessRequestsQuery = z.infer<typeof accessRequestsQuery>;

const listedAccessRequest = accessRequest
  .extend({ item_title: z.string(), item_owner: z.string().describe('E-mail or client id, who decides') })
  .meta({ id: 'ListedAccessRequest' });
export type ListedAccessRequest = z.infer<typeof listedAccessRequest>;

export const accessRequestPage = z
  .object({
    total: z.int().min(0),
    data: z.array(listedAccessRequest).describe('Pending requests first, then by time, newest first'),
  })
  .meta({ id: 'AccessRequestPage' });

const count = (what: string) => z.int().min(0).describe(what);

export const accessRequestCounts = z
  .object({
    open: count('Undecided requests that you may decide'),
    inbox: count('All requests of the scope `inbox`'),
    own: count('Your requests'),
    own_open: count('Your requests that are not decided'),
  })
  .meta({ id: 'AccessRequestCounts' });
export type AccessRequestCounts = z.infer<typeof accessRequestCounts>;
