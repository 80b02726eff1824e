import {
  type AuditSettings,
  type AuditSettingsRequest,
  apiOperations,
  callerOf,
  ProblemError,
  presentAuditSettings,
} from '@sluice/contract';
import { contentTag, isMatched, json, type Route, route } from '@sluice/http';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

interface AuditSettingsInput {
  readonly settings: AuditSettingsRequest;
  /** Returns whether the settings are still those that the caller has read. Default: always. */
  readonly isCurrent?: (present: AuditSettings) => boolean;
  /** Whether settings that stay the same are recorded. */
  readonly recordsSame: boolean;
}

interface AuditSettingsChange {
  readonly before: AuditSettings;
  readonly after: AuditSettings;
  readonly isSame: boolean;
}

/** Replaces the audit settings of a tenant. Throws `precondition_failed` if they were changed meanwhile. */
export async function saveAuditSettings(
  tx: TenantTransaction,
  tenantName: string,
  { settings, isCurrent = () => true, recordsSame }: AuditSettingsInput,
): Promise<AuditSettingsChange> {
  const before = presentAuditSettings(await tx.tenant.lockSettings());
  if (!isCurrent(before)) {
    throw new ProblemError('precondition_failed', 'The audit settings were changed meanwhile. Read them again.');
  }
  const isSame = settings.metadata_reads === before.metadata_reads;
  if (isSame && !recordsSame) return { before, after: before, isSame };
  const after = presentAuditSettings(await tx.tenant.setRecordsMetadataReads(settings.metadata_reads === 'recorded'));
  await tx.record('UPDATE_AUDIT_SETTINGS', tenantName, { before, after });
  return { before, after, isSame };
}

/** Everything below /admin/audit-settings */
export const auditSettingsRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.getAuditSettings, async (request) => {
    const settings = await database.read(callerOf(request), async (tx) => {
      await tx.record('READ_AUDIT_SETTINGS', request.tenant.name);
      return presentAuditSettings(await tx.tenant.settings());
    });
    return json(200, settings, { etag: contentTag(settings) });
  }),
  route(apiOperations.putAuditSettings, async (request) => {
    const input: AuditSettingsInput = {
      settings: request.body,
      isCurrent: (present) => isMatched(request.headers, contentTag(present)),
      recordsSame: true,
    };
    const save = (tx: TenantTransaction) => saveAuditSettings(tx, request.tenant.name, input);
    const { after } = await database.change(callerOf(request), save);
    return json(200, after, { etag: contentTag(after) });
  }),
];
