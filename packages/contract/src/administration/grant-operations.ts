import { API_CREDENTIALS, jsonBody, type Operation } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
import { grant, grantBody, grantChangeBody, grantParams, grants, grantsQuery } from './grant.ts';

const admin = { credentials: API_CREDENTIALS, permission: 'admin' } as const;
const json = 'application/json';
const GUARDED: readonly ProblemCode[] = ['not_found', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => ({ description, mediaType: json, schema: grant });

/** Grants of all items of the caller's tenant, for admins. The owner of an item uses the endpoints of the item. */
export const grantOperations = {
  listGrants: {
    ...admin,
    id: 'listGrants',
    subject: 'administration',
    method: 'GET',
    path: '/admin/grants',
    summary: 'List the grants of all marketplace items of the tenant, sorted by item',
    query: grantsQuery,
    responses: { 200: { description: 'Grants', mediaType: json, schema: grants } },
    problems: ['audit_unavailable'],
  },
  createGrant: {
    ...admin,
    id: 'createGrant',
    subject: 'administration',
    method: 'POST',
    path: '/admin/grants',
    summary: 'Grant a marketplace item to a role, a user or a service account. Existing grants remain',
    body: jsonBody(grantBody),
    responses: { 201: one('The new grant') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getGrant: {
    ...admin,
    id: 'getGrant',
    subject: 'administration',
    method: 'GET',
    path: '/admin/grants/{item_id}/{kind}/{name}',
    summary: 'Get a grant',
    params: grantParams,
    responses: { 200: one('The grant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateGrant: {
    ...admin,
    id: 'updateGrant',
    subject: 'administration',
    method: 'PUT',
    path: '/admin/grants/{item_id}/{kind}/{name}',
    summary: 'Change the expiry of a grant; If-Match prevents lost updates',
    params: grantParams,
    body: jsonBody(grantChangeBody),
    responses: { 200: one('The changed grant') },
    problems: GUARDED,
  },
  deleteGrant: {
    ...admin,
    id: 'deleteGrant',
    subject: 'administration',
    method: 'DELETE',
    path: '/admin/grants/{item_id}/{kind}/{name}',
    summary: 'Delete a grant; If-Match prevents lost updates',
    params: grantParams,
    responses: { 204: { description: 'Deleted' } },
    problems: GUARDED,
  },
} as const satisfies Record<string, Operation>;
