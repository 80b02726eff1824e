import { jsonBody, type Operation } from '../operations/operation.ts';
import {
  adminInvitationBody,
  operatorTenant,
  operatorTenantParams,
  operatorTenants,
  tenantBody,
  tenantChangeBody,
  tenantWithInvitation,
} from './operator.ts';

const operator = { credentials: [], operatorOnly: true } as const;
const json = 'application/json';
const tenant = (description: string) => ({ description, mediaType: json, schema: operatorTenant });
const invited = (description: string) => ({ description, mediaType: json, schema: tenantWithInvitation });

/** Operations for the operator of a deployment. Served only if `OPERATOR_TOKEN` is set. */
export const operatorOperations = {
  listTenants: {
    ...operator,
    id: 'listTenants',
    method: 'GET',
    path: '/operator/tenants',
    summary: 'List all tenants, sorted by name',
    responses: { 200: { description: 'Tenants', mediaType: json, schema: operatorTenants } },
    problems: ['audit_unavailable'],
  },
  createTenant: {
    ...operator,
    id: 'createTenant',
    method: 'POST',
    path: '/operator/tenants',
    summary: 'Create a tenant with the default roles and an invitation for its first admin',
    body: jsonBody(tenantBody),
    responses: { 201: invited('The new tenant') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getTenant: {
    ...operator,
    id: 'getTenant',
    method: 'GET',
    path: '/operator/tenants/{name}',
    summary: 'Get a tenant',
    params: operatorTenantParams,
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateTenant: {
    ...operator,
    id: 'updateTenant',
    method: 'PUT',
    path: '/operator/tenants/{name}',
    summary: 'Set the e-mail domains allowed for new users of a tenant. Existing users are not affected',
    params: operatorTenantParams,
    body: jsonBody(tenantChangeBody),
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  inviteAdmin: {
    ...operator,
    id: 'inviteAdmin',
    method: 'POST',
    path: '/operator/tenants/{name}/invitations',
    summary: 'Invite an admin, for example after the first invitation has expired or if no admin can log in',
    params: operatorTenantParams,
    body: jsonBody(adminInvitationBody),
    responses: { 201: invited('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  suspendTenant: {
    ...operator,
    id: 'suspendTenant',
    method: 'POST',
    path: '/operator/tenants/{name}/suspend',
    summary: 'Suspend a tenant: reject its requests and stop its queries',
    params: operatorTenantParams,
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  resumeTenant: {
    ...operator,
    id: 'resumeTenant',
    method: 'POST',
    path: '/operator/tenants/{name}/resume',
    summary: 'Resume a suspended tenant and cancel a requested removal',
    params: operatorTenantParams,
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  removeTenant: {
    ...operator,
    id: 'removeTenant',
    method: 'DELETE',
    path: '/operator/tenants/{name}',
    summary: 'Request the removal of a suspended tenant. A job of the schema owner removes it',
    params: operatorTenantParams,
    responses: { 202: tenant('The tenant, pending removal') },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
