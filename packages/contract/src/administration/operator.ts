import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { TENANT_NAME } from '../identity/principal.ts';
import { emailDomains } from './email-domain.ts';
import { emailText, invitation } from './invitation.ts';

const adminEmail = emailText('admin_email')
  .optional()
  .describe('E-mail of the invited admin. Absent: the person who accepts the invitation enters it');

export const tenantBody = z
  .strictObject({
    name: z
      .string({ error: 'name is required and must be a string' })
      .regex(TENANT_NAME, 'name must be 1 to 63 of a-z, 0-9 and -, and no - at either end'),
    admin_email: adminEmail,
    email_domains: emailDomains.optional(),
  })
  .meta({ id: 'TenantRequest' });

export const tenantChangeBody = z.strictObject({ email_domains: emailDomains }).meta({ id: 'TenantChangeRequest' });

export const adminInvitationBody = z.strictObject({ admin_email: adminEmail }).meta({ id: 'AdminInvitationRequest' });

export const operatorTenantParams = z.strictObject({ name: z.string() });

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

export const operatorTenants = z
  .object({ data: z.array(operatorTenant).describe('Sorted by name') })
  .meta({ id: 'Tenants' });

export const tenantWithInvitation = z
  .object({ ...operatorTenant.shape, invitation })
  .meta({ id: 'TenantWithInvitation' });
