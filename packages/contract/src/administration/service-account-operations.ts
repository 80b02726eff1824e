import { jsonBody, type Operation } from '../operations/operation.ts';
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

const admin = { credentials: ['idtoken'], permission: 'admin' } as const;
const json = 'application/json';
const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => ({ description, mediaType: json, schema: serviceAccount });

/** Accounts with a client id and secrets, of the caller's own tenant. */
export const serviceAccountOperations = {
  listServiceAccounts: {
    ...admin,
    id: 'listServiceAccounts',
    method: 'GET',
    path: '/admin/service-accounts',
    summary: 'The service accounts of the tenant, by client id',
    query: serviceAccountsQuery,
    answers: { 200: { description: 'Service accounts', mediaType: json, schema: serviceAccounts } },
    problems: ['audit_unavailable'],
  },
  createServiceAccount: {
    ...admin,
    id: 'createServiceAccount',
    method: 'POST',
    path: '/admin/service-accounts',
    summary: 'Make a service account with its first secret',
    body: jsonBody(serviceAccountBody),
    answers: {
      201: { description: 'The new account and its secret', mediaType: json, schema: serviceAccountWithSecret },
    },
    problems: ['conflict', 'audit_unavailable'],
  },
  getServiceAccount: {
    ...admin,
    id: 'getServiceAccount',
    method: 'GET',
    path: '/admin/service-accounts/{id}',
    summary: 'One service account, with the last use of each secret',
    params: adminParams,
    answers: { 200: one('The account') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateServiceAccount: {
    ...admin,
    id: 'updateServiceAccount',
    method: 'PUT',
    path: '/admin/service-accounts/{id}',
    summary:
      'Change roles, disable or enable; what the body does not name stays. If-Match guards against a lost update',
    params: adminParams,
    body: jsonBody(serviceAccountChangeBody),
    answers: { 200: one('The changed account') },
    problems: GUARDED,
  },
  deleteServiceAccount: {
    ...admin,
    id: 'deleteServiceAccount',
    method: 'DELETE',
    path: '/admin/service-accounts/{id}',
    summary: 'Remove a service account, with sessions and grants; If-Match guards against a lost update',
    params: adminParams,
    answers: { 204: { description: 'It is gone' } },
    problems: GUARDED,
  },
  addClientSecret: {
    ...admin,
    id: 'addClientSecret',
    method: 'POST',
    path: '/admin/service-accounts/{id}/secrets',
    summary: 'Add a second secret, beside which the first stays good',
    params: adminParams,
    answers: { 201: { description: 'The new secret', mediaType: json, schema: addedSecret } },
    problems: GUARDED,
  },
  revokeClientSecret: {
    ...admin,
    id: 'revokeClientSecret',
    method: 'DELETE',
    path: '/admin/service-accounts/{id}/secrets/{secret_id}',
    summary: 'Take a secret away, with the tokens that were got by it',
    params: secretParams,
    answers: { 204: { description: 'It is no longer good' } },
    problems: GUARDED,
  },
} as const satisfies Record<string, Operation>;
