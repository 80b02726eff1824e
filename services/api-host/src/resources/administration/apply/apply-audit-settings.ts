import type { AppliedChange, Caller, Configuration } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { saveAuditSettings } from '../audit-settings.ts';
import { appliedChange } from './applied-change.ts';

/** Applies the audit settings of a file. */
export async function applyAuditSettings(
  tx: TenantTransaction,
  { principal }: Caller,
  { audit: settings }: Configuration,
): Promise<readonly AppliedChange[]> {
  if (settings === undefined) return [];
  const { name } = principal.tenant;
  const { before, after, isSame } = await saveAuditSettings(tx, name, { settings, recordsSame: false });
  return [appliedChange({ kind: 'audit_settings', name, action: isSame ? 'none' : 'update', before, after })];
}
