import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
import { role, roleBody, roleChangeBody, roleParams, roles } from './admin-role.ts';
import {
  adminParams,
  identityLinkBody,
  passwordResetBody,
  user,
  userBody,
  userChangeBody,
  users,
  usersQuery,
  userWithInvitation,
} from './admin-user.ts';

const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];

const oneUser = (description: string) => jsonResponse(description, user);
const invited = (description: string) => jsonResponse(description, userWithInvitation);
const oneRole = (description: string) => jsonResponse(description, role);

/** Users and roles of the caller's tenant. */
export const adminOperations = defineOperations('administration', FOR_ADMINS, {
  listUsers: {
    endpoint: 'GET /admin/users',
    summary: 'List the users of the tenant',
    query: usersQuery,
    responses: { 200: jsonResponse('Users', users) },
    problems: ['audit_unavailable'],
  },
  createUser: {
    endpoint: 'POST /admin/users',
    summary: 'Create a user with a password or an invitation',
    body: jsonBody(userBody),
    responses: { 201: invited('The new user') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getUser: {
    endpoint: 'GET /admin/users/{id}',
    summary: 'Get a user',
    params: adminParams,
    responses: { 200: oneUser('The user') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateUser: {
    endpoint: 'PUT /admin/users/{id}',
    summary: 'Change the roles, disable or enable. Absent fields keep their value; If-Match prevents lost updates',
    params: adminParams,
    body: jsonBody(userChangeBody),
    responses: { 200: oneUser('The changed user') },
    problems: GUARDED,
  },
  resetPassword: {
    endpoint: 'POST /admin/users/{id}/reset-password',
    summary: 'Remove the password, end all sessions, and set a new password or create an invitation',
    params: adminParams,
    body: jsonBody(passwordResetBody),
    responses: { 200: invited('The user') },
    problems: GUARDED,
  },
  linkIdentity: {
    endpoint: 'POST /admin/users/{id}/link-identity',
    summary: "Link a user to a person at the identity provider. Not for the caller's own account",
    params: adminParams,
    body: jsonBody(identityLinkBody),
    responses: { 200: oneUser('The user') },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
  deleteUser: {
    endpoint: 'DELETE /admin/users/{id}',
    summary: 'Delete a user with all sessions and grants; If-Match prevents lost updates',
    params: adminParams,
    responses: { 204: { description: 'The user was deleted' } },
    problems: GUARDED,
  },
  listRoles: {
    endpoint: 'GET /admin/roles',
    summary: 'List the roles of the tenant, sorted by name',
    responses: { 200: jsonResponse('Roles', roles) },
    problems: ['audit_unavailable'],
  },
  createRole: {
    endpoint: 'POST /admin/roles',
    summary: 'Create a role',
    body: jsonBody(roleBody),
    responses: { 201: oneRole('The new role') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getRole: {
    endpoint: 'GET /admin/roles/{name}',
    summary: 'Get a role',
    params: roleParams,
    responses: { 200: oneRole('The role') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateRole: {
    endpoint: 'PUT /admin/roles/{name}',
    summary: 'Change the permissions of a role; If-Match prevents lost updates',
    params: roleParams,
    body: jsonBody(roleChangeBody),
    responses: { 200: oneRole('The changed role') },
    problems: GUARDED,
  },
  deleteRole: {
    endpoint: 'DELETE /admin/roles/{name}',
    summary: 'Delete a role and remove it from every user and service account; If-Match prevents lost updates',
    params: roleParams,
    responses: { 204: { description: 'Deleted' } },
    problems: GUARDED,
  },
});
