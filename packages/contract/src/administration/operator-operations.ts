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

const operator = { credentials: [], isOperators: true } as const;
const json = 'application/json';
const tenant = (description: string) => ({ description, mediaType: json, schema: operatorTenant });
const invited = (description: string) => ({ description, mediaType: json, schema: tenantWithInvitation });

/** What the operator of a deployment asks of the API host. Served only where there is an `OPERATOR_TOKEN`. */
export const operatorOperations = {
  listTenants: {
    ...operator,
    id: 'listTenants',
    method: 'GET',
    path: '/operator/tenants',
    summary: 'All tenants, by name',
    answers: { 200: { description: 'Tenants', mediaType: json, schema: operatorTenants } },
    problems: ['audit_unavailable'],
  },
  createTenant: {
    ...operator,
    id: 'createTenant',
    method: 'POST',
    path: '/operator/tenants',
    summary: 'Make a tenant with the default roles and an invitation for its first admin',
    body: jsonBody(tenantBody),
    answers: { 201: invited('The new tenant') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getTenant: {
    ...operator,
    id: 'getTenant',
    method: 'GET',
    path: '/operator/tenants/{name}',
    summary: 'One tenant',
    params: operatorTenantParams,
    answers: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateTenant: {
    ...operator,
    id: 'updateTenant',
    method: 'PUT',
    path: '/operator/tenants/{name}',
    summary: 'Set the e-mail domains that new users of a tenant must have; users that are there stay',
    params: operatorTenantParams,
    body: jsonBody(tenantChangeBody),
    answers: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  inviteAdmin: {
    ...operator,
    id: 'inviteAdmin',
    method: 'POST',
    path: '/operator/tenants/{name}/invitations',
    summary: 'Invite an admin: where the first invitation has expired, or every admin is lost',
    params: operatorTenantParams,
    body: jsonBody(adminInvitationBody),
    answers: { 201: invited('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  suspendTenant: {
    ...operator,
    id: 'suspendTenant',
    method: 'POST',
    path: '/operator/tenants/{name}/suspend',
    summary: 'Refuse everybody of a tenant, and stop what runs',
    params: operatorTenantParams,
    answers: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  resumeTenant: {
    ...operator,
    id: 'resumeTenant',
    method: 'POST',
    path: '/operator/tenants/{name}/resume',
    summary: 'Let a tenant work again; a removal that was asked for is called off',
    params: operatorTenantParams,
    answers: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  removeTenant: {
    ...operator,
    id: 'removeTenant',
    method: 'DELETE',
    path: '/operator/tenants/{name}',
    summary: 'Ask for the removal of a suspended tenant, which the owner of the schema carries out',
    params: operatorTenantParams,
    answers: { 202: tenant('The tenant, as it waits to be removed') },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
