import { API_CREDENTIALS, jsonBody, type Operation } from '../operations/operation.ts';
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

const admin = { credentials: API_CREDENTIALS, permission: 'admin' } as const;
const json = 'application/json';
const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => ({ description, mediaType: json, schema: serviceAccount });

/** Service accounts of the caller's tenant: a client id with secrets. */
export const serviceAccountOperations = {
  listServiceAccounts: {
    ...admin,
    id: 'listServiceAccounts',
    subject: 'administration',
    method: 'GET',
    path: '/admin/service-accounts',
    summary: 'List the service accounts of the tenant, sorted by client id',
    query: serviceAccountsQuery,
    responses: { 200: { description: 'Service accounts', mediaType: json, schema: serviceAccounts } },
    problems: ['audit_unavailable'],
  },
  createServiceAccount: {
    ...admin,
    id: 'createServiceAccount',
    subject: 'administration',
    method: 'POST',
    path: '/admin/service-accounts',
    summary: 'Create a service account with its first secret',
    body: jsonBody(serviceAccountBody),
    responses: {
      201: { description: 'The new account and its secret', mediaType: json, schema: serviceAccountWithSecret },
    },
    problems: ['conflict', 'audit_unavailable'],
  },
  getServiceAccount: {
    ...admin,
    id: 'getServiceAccount',
    subject: 'administration',
    method: 'GET',
    path: '/admin/service-accounts/{id}',
    summary: 'Get a service account with the last use of each secret',
    params: adminParams,
    responses: { 200: one('The account') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateServiceAccount: {
    ...admin,
    id: 'updateServiceAccount',
    subject: 'administration',
    method: 'PUT',
    path: '/admin/service-accounts/{id}',
    summary: 'Change the roles, disable or enable. Absent fields keep their value; If-Match prevents lost updates',
    params: adminParams,
    body: jsonBody(serviceAccountChangeBody),
    responses: { 200: one('The changed account') },
    problems: GUARDED,
  },
  deleteServiceAccount: {
    ...admin,
    id: 'deleteServiceAccount',
    subject: 'administration',
    method: 'DELETE',
    path: '/admin/service-accounts/{id}',
    summary: 'Delete a service account with all sessions and grants; If-Match prevents lost updates',
    params: adminParams,
    responses: { 204: { description: 'Deleted' } },
    problems: GUARDED,
  },
  addClientSecret: {
    ...admin,
    id: 'addClientSecret',
    subject: 'administration',
    method: 'POST',
    path: '/admin/service-accounts/{id}/secrets',
    summary: 'Add a second secret. The first remains valid',
    params: adminParams,
    responses: { 201: { description: 'The new secret', mediaType: json, schema: addedSecret } },
    problems: GUARDED,
  },
  revokeClientSecret: {
    ...admin,
    id: 'revokeClientSecret',
    subject: 'administration',
    method: 'DELETE',
    path: '/admin/service-accounts/{id}/secrets/{secret_id}',
    summary: 'Revoke a secret and the tokens issued with it',
    params: secretParams,
    responses: { 204: { description: 'The secret was revoked' } },
    problems: GUARDED,
  },
} as const satisfies Record<string, Operation>;
