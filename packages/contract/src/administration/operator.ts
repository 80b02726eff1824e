import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { TENANT_NAME } from '../identity/principal.ts';
import { defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { emailDomains } from './email-domain.ts';
import { emailText, invitation } from './invitation.ts';
import { operatorKeyDeclarations } from './operator-keys.ts';

const adminEmail = emailText('admin_email')
  .optional()
  .describe('E-mail of the invited admin. Absent: the person who accepts the invitation enters it');

const tenantBody = z
  .strictObject({
    name: z
      .string({ error: 'name is required and must be a string' })
      .regex(TENANT_NAME, 'name must be 1 to 63 of a-z, 0-9 and -, and no - at either end'),
    admin_email: adminEmail,
    email_domains: emailDomains.optional(),
  })
  .meta({ id: 'TenantRequest' });

const tenantChangeBody = z.strictObject({ email_domains: emailDomains }).meta({ id: 'TenantChangeRequest' });

const adminInvitationBody = z.strictObject({ admin_email: adminEmail }).meta({ id: 'AdminInvitationRequest' });

const operatorTenantParams = z.strictObject({ name: z.string() });

export const operatorTenant = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(['active', 'suspended']),
    created_ts: epochMs,
    removal_requested_ts: epochMs.nullable().describe('Time of the removal request; null if there is none'),
    email_domains: z.array(z.string()).nullable().describe('E-mail domains allowed for new users; null allows any'),
  })
  .meta({ id: 'Tenant' });
export type TenantRecord = z.infer<typeof operatorTenant>;

const operatorTenants = z.object({ data: z.array(operatorTenant).describe('Sorted by name') }).meta({ id: 'Tenants' });

const tenantWithInvitation = z.object({ ...operatorTenant.shape, invitation }).meta({ id: 'TenantWithInvitation' });

const OPERATOR = { credentials: [], operatorOnly: true } as const;
const tenant = (description: string) => jsonResponse(description, operatorTenant);
const invited = (description: string) => jsonResponse(description, tenantWithInvitation);

/** Operations for the operator of a deployment. Served only if `OPERATOR_TOKEN` is set. */
export const operatorOperations = defineOperations('administration', OPERATOR, {
  listTenants: {
    endpoint: 'GET /operator/tenants',
    summary: 'List all tenants, sorted by name',
    responses: { 200: jsonResponse('Tenants', operatorTenants) },
    problems: ['audit_unavailable'],
  },
  createTenant: {
    endpoint: 'POST /operator/tenants',
    summary: 'Create a tenant with the default roles and an invitation for its first admin',
    body: jsonBody(tenantBody),
    responses: { 201: invited('The new tenant') },
    problems: ['conflict', 'audit_unavailable'],
  },
  getTenant: {
    endpoint: 'GET /operator/tenants/{name}',
    summary: 'Get a tenant',
    params: operatorTenantParams,
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateTenant: {
    endpoint: 'PUT /operator/tenants/{name}',
    summary: 'Set the e-mail domains allowed for new users of a tenant. Existing users are not affected',
    params: operatorTenantParams,
    body: jsonBody(tenantChangeBody),
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  inviteAdmin: {
    endpoint: 'POST /operator/tenants/{name}/invitations',
    summary: 'Invite an admin, for example after the first invitation has expired or if no admin can log in',
    params: operatorTenantParams,
    body: jsonBody(adminInvitationBody),
    responses: { 201: invited('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  suspendTenant: {
    endpoint: 'POST /operator/tenants/{name}/suspend',
    summary: 'Suspend a tenant: reject its requests and stop its queries',
    params: operatorTenantParams,
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  resumeTenant: {
    endpoint: 'POST /operator/tenants/{name}/resume',
    summary: 'Resume a suspended tenant and cancel a requested removal',
    params: operatorTenantParams,
    responses: { 200: tenant('The tenant') },
    problems: ['not_found', 'audit_unavailable'],
  },
  removeTenant: {
    endpoint: 'DELETE /operator/tenants/{name}',
    summary: 'Request the removal of a suspended tenant. A job of the schema owner removes it',
    params: operatorTenantParams,
    responses: { 202: tenant('The tenant, pending removal') },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
  ...operatorKeyDeclarations,
});
