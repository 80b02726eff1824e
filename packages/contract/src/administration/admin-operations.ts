import { jsonBody, type Operation } from '../operations/operation.ts';
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

const admin = { credentials: ['idtoken'], permission: 'admin' } as const;
const json = 'application/json';
const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];

const oneUser = (description: string) => ({ description, mediaType: json, schema: user });
const invited = (description: string) => ({ description, mediaType: json, schema: userWithInvitation });
const oneRole = (description: string) => ({ description, mediaType: json, schema: role });

/** Users and roles of the caller's own tenant. */
export const adminOperations = {
  listUsers: {
    ...admin,
    id: 'listUsers',
    method: 'GET',
    path: '/admin/users',
    summary: 'The users of the tenant, by e-mail',
    query: usersQuery,
    answers: { 200: { description: 'Users', mediaType: json, schema: users } },
    problems: ['audit_unavailable'],
  },
  createUser: {
    ...admin,
    id: 'createUser',
    method: 'POST',
    path: '/admin/users',
    summary: 'Make a user, with a password or with an invitation to set one',
    body: jsonBody(userBody),
    answers: { 201: invited('The new user') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getUser: {
    ...admin,
    id: 'getUser',
    method: 'GET',
    path: '/admin/users/{id}',
    summary: 'One user',
    params: adminParams,
    answers: { 200: oneUser('The user') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateUser: {
    ...admin,
    id: 'updateUser',
    method: 'PUT',
    path: '/admin/users/{id}',
    summary:
      'Change roles, disable or enable; what the body does not name stays. If-Match guards against a lost update',
    params: adminParams,
    body: jsonBody(userChangeBody),
    answers: { 200: oneUser('The changed user') },
    problems: GUARDED,
  },
  resetPassword: {
    ...admin,
    id: 'resetPassword',
    method: 'POST',
    path: '/admin/users/{id}/reset-password',
    summary: 'Take the password away, end every session, and set another or invite to set one',
    params: adminParams,
    body: jsonBody(passwordResetBody),
    answers: { 200: invited('The user') },
    problems: GUARDED,
  },
  linkIdentity: {
    ...admin,
    id: 'linkIdentity',
    method: 'POST',
    path: '/admin/users/{id}/link-identity',
    summary: 'Link a user to a person at the identity provider; not for the own account',
    params: adminParams,
    body: jsonBody(identityLinkBody),
    answers: { 200: oneUser('The user') },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
  deleteUser: {
    ...admin,
    id: 'deleteUser',
    method: 'DELETE',
    path: '/admin/users/{id}',
    summary: 'Remove a user, with sessions and grants; If-Match guards against a lost update',
    params: adminParams,
    answers: { 204: { description: 'The user is gone' } },
    problems: GUARDED,
  },
  listRoles: {
    ...admin,
    id: 'listRoles',
    method: 'GET',
    path: '/admin/roles',
    summary: 'The roles of the tenant, by name',
    answers: { 200: { description: 'Roles', mediaType: json, schema: roles } },
    problems: ['audit_unavailable'],
  },
  createRole: {
    ...admin,
    id: 'createRole',
    method: 'POST',
    path: '/admin/roles',
    summary: 'Make a role',
    body: jsonBody(roleBody),
    answers: { 201: oneRole('The new role') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getRole: {
    ...admin,
    id: 'getRole',
    method: 'GET',
    path: '/admin/roles/{name}',
    summary: 'One role',
    params: roleParams,
    answers: { 200: oneRole('The role') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateRole: {
    ...admin,
    id: 'updateRole',
    method: 'PUT',
    path: '/admin/roles/{name}',
    summary: 'Change what a role permits; If-Match guards against a lost update',
    params: roleParams,
    body: jsonBody(roleChangeBody),
    answers: { 200: oneRole('The changed role') },
    problems: GUARDED,
  },
  deleteRole: {
    ...admin,
    id: 'deleteRole',
    method: 'DELETE',
    path: '/admin/roles/{name}',
    summary: 'Remove a role and take it from everybody who has it; If-Match guards against a lost update',
    params: roleParams,
    answers: { 204: { description: 'It is gone' } },
    problems: GUARDED,
  },
} as const satisfies Record<string, Operation>;
