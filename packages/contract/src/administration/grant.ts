import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { pageFields } from '../fields/page-query.ts';
import { boundedText } from '../fields/text-field.ts';
import { marketplaceGrants } from '../marketplace/marketplace-access.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
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

const grantChangeBody = z.strictObject({ expires_ts: expires_ts.unwrap() }).meta({ id: 'GrantChange' });

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

const grants = z
  .object({ total: z.int().min(0), data: z.array(grant).describe('Sorted by item, kind and name') })
  .meta({ id: 'Grants' });

const GUARDED: readonly ProblemCode[] = ['not_found', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => jsonResponse(description, grant);

/** Grants of all items of the caller's tenant, for admins. The owner of an item uses the endpoints of the item. */
export const grantOperations = defineOperations('administration', FOR_ADMINS, {
  listGrants: {
    endpoint: 'GET /admin/grants',
    summary: 'List the grants of all marketplace items of the tenant, sorted by item',
    query: grantsQuery,
    responses: { 200: jsonResponse('Grants', grants) },
    problems: ['audit_unavailable'],
  },
  createGrant: {
    endpoint: 'POST /admin/grants',
    summary: 'Grant a marketplace item to a role, a user or a service account. Existing grants remain',
    body: jsonBody(grantBody),
    responses: { 201: one('The new grant') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getGrant: {
    endpoint: 'GET /admin/grants/{item_id}/{kind}/{name}',
    summary: 'Get a grant',
    params: grantParams,
    responses: { 200: one('The grant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateGrant: {
    endpoint: 'PUT /admin/grants/{item_id}/{kind}/{name}',
    summary: 'Change the expiry of a grant; If-Match prevents lost updates',
    params: grantParams,
    body: jsonBody(grantChangeBody),
    responses: { 200: one('The changed grant') },
    problems: GUARDED,
  },
  deleteGrant: {
    endpoint: 'DELETE /admin/grants/{item_id}/{kind}/{name}',
    summary: 'Delete a grant; If-Match prevents lost updates',
    params: grantParams,
    responses: { 204: { description: 'Deleted' } },
    problems: GUARDED,
  },
});
