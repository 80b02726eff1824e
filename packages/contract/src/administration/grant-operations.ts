import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
import { grant, grantBody, grantChangeBody, grantParams, grants, grantsQuery } from './grant.ts';

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
