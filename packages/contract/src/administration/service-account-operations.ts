import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
import { adminParams } from './admin-user.ts';
import {
  addedSecret,
  secretParams,
  serviceAccount,
  serviceAccountBody,
  serviceAccountChangeBody,
  serviceAccounts,
  serviceAccountsQuery,
  serviceAccountWithSecret,
} from './service-account.ts';

const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => jsonResponse(description, serviceAccount);

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
    summary: 'Change the roles, disable or enable. Absent fields keep their value; If-Match prevents lost updates',
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
  addClientSecret: {
    endpoint: 'POST /admin/service-accounts/{id}/secrets',
    summary: 'Add a second secret. The first remains valid',
    params: adminParams,
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
