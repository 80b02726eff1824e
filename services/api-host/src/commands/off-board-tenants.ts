import { join } from 'node:path';
import { readSettings } from '@sluice/config';
import { createTenantDirectory, openTenantDump } from '@sluice/store/administration';
import { createAuditChainStore, createAuditStore, removeTenant } from '@sluice/store/audit';
import { createDatabase } from '@sluice/store/database';
import { auditSignerOf } from '../context/audit-signer-of.ts';
import { createSealing } from '../context/command-use-cases.ts';
import { operatorOf } from '../resources/administration/tenants.ts';
import { exportTenant } from '../use-cases/administration/export-tenant.ts';
import { verifyTenantExport } from '../use-cases/administration/verify-tenant-export.ts';
import { signDropped } from '../use-cases/audit/sign-dropped.ts';
import { auditOwnerSettings } from './audit-command-config.ts';
import type { OperatorCommand } from './run-as-main.ts';

const OWNER = { poolMax: 2, queryTimeoutMs: 30_000, applicationName: 'sluice-tenant' };

/** Exports a tenant as the owner of the schema. The export is in the tenant's audit log, and so in itself. */
export async function runTenantExport(
  { environment, say }: OperatorCommand,
  { tenantName, folder }: { readonly tenantName: string; readonly folder: string },
): Promise<void> {
  const { settings } = readSettings(auditOwnerSettings, environment);
  const url = settings.ownerUrl.reveal();
  const signer = auditSignerOf(settings);
  await using database = createDatabase({ url, ...OWNER });
  const tenant = await createTenantDirectory(database).findByName(tenantName);
  if (tenant !== undefined) {
    const record = { action: 'EXPORT_AUDIT_LOGS', target: 'audit_log', metadata: { format: 'ndjson' } } as const;
    await createAuditStore(database).append(operatorOf(tenant.id, {}).auditOf(record));
  }
  await createSealing(database, signer)();
  await using dump = await openTenantDump(url, tenantName);
  const auditChain = createAuditChainStore(database);
  const { files, head, state } = await exportTenant(
    { dump, auditChain, signer, now: Date.now },
    { tenantName, folder },
  );
  say(`Exported ${tenantName} to ${folder}: ${files.length} files, ${head.sequence} audit records.`);
  if (state !== 'suspended') say('Suspend the tenant and export it again before you remove it.');
}

interface OffBoarding {
  /** Undefined for every tenant whose removal is requested. */
  readonly tenantName: string | undefined;
  /** Folder of the export, or of the exports by tenant; undefined to remove without one. */
  readonly exportFolder: string | undefined;
}

/** Removes tenants as the owner of the schema: only the owner may delete an audit log. A signed tombstone stays. */
export async function offBoardTenants(
  { environment, say }: OperatorCommand,
  { tenantName, exportFolder }: OffBoarding,
): Promise<void> {
  const { settings } = readSettings(auditOwnerSettings, environment);
  const ownerUrl = settings.ownerUrl.reveal();
  const names = tenantName === undefined ? await requestedRemovals(ownerUrl) : [tenantName];
  if (names.length === 0) say('No removal is requested.');
  const signer = auditSignerOf(settings);
  const sign = signDropped(signer, 'tombstone', Date.now);
  for (const name of names) {
    if (exportFolder !== undefined) {
      const folder = tenantName === undefined ? join(exportFolder, name) : exportFolder;
      await using dump = await openTenantDump(ownerUrl, name);
      await verifyTenantExport({ tenantName: name, folder, dump, signer });
    }
    const onlyIf = tenantName === undefined ? ({ onlyIf: 'removal requested' } as const) : {};
    await removeTenant({ ownerUrl, tenantName: name, ...onlyIf, sign });
    say(`Removed ${name}. Its checkpoints remain, the last one is a signed tombstone.`);
  }
}

async function requestedRemovals(ownerUrl: string): Promise<readonly string[]> {
  await using database = createDatabase({ url: ownerUrl, poolMax: 1, applicationName: 'sluice-tenant' });
  const tenants = await createTenantDirectory(database).list();
  return tenants.filter((tenant) => tenant.removal_requested_ts !== null).map(({ name }) => name);
}
