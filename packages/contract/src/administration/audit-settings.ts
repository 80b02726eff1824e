import { z } from 'zod';
import type { TenantSettings } from '../identity/principal.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';

const metadataReads = z.enum(['recorded', 'not_recorded'], {
  error: 'metadata_reads must be recorded or not_recorded',
});

const fields = {
  metadata_reads: metadataReads.describe(
    'Whether the audit log has a record of each read of the catalog, of domains, datamaps and marketplace items. Default: recorded',
  ),
};

/** Settings of the audit log that a tenant chooses, as a request and a section of a configuration file have them. */
export const auditSettingsBody = z.strictObject(fields).meta({ id: 'AuditSettingsRequest' });
export type AuditSettingsRequest = z.infer<typeof auditSettingsBody>;

const auditSettings = z.object(fields).meta({ id: 'AuditSettings' });
export type AuditSettings = z.infer<typeof auditSettings>;

/** Converts the settings of a tenant to the form of responses and records. */
export const presentAuditSettings = ({ recordsMetadataReads }: TenantSettings): AuditSettings => ({
  metadata_reads: recordsMetadataReads === false ? 'not_recorded' : 'recorded',
});

/** Audit settings of the caller's tenant. */
export const auditSettingsOperations = defineOperations('administration', FOR_ADMINS, {
  getAuditSettings: {
    endpoint: 'GET /admin/audit-settings',
    summary: 'Get which reads the audit log of the tenant records',
    responses: { 200: jsonResponse('Settings', auditSettings) },
    problems: ['audit_unavailable'],
  },
  putAuditSettings: {
    endpoint: 'PUT /admin/audit-settings',
    summary:
      'Choose whether reads of metadata are recorded in the audit log. Reads of data, downloads, changes and administration always are',
    body: jsonBody(auditSettingsBody),
    responses: { 200: jsonResponse('The new settings', auditSettings) },
    problems: ['precondition_failed', 'audit_unavailable'],
  },
});
