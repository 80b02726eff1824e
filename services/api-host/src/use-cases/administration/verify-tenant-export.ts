import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuditSigner, exportLines, isSignedBy, trustedKeys, verifyExport } from '@sluice/audit';
import { ProblemError } from '@sluice/contract';
import type { TenantDump } from '@sluice/store/administration';
import type { ExportManifest } from './export-tenant.ts';

interface VerifyTenantExportInput {
  readonly tenantName: string;
  readonly folder: string;
  readonly dump: TenantDump;
  /** Signer of the audit log, whose key must have signed the export. */
  readonly signer: AuditSigner;
}

const refuse = (reason: string, cause?: unknown): ProblemError =>
  new ProblemError('conflict', `${reason} Nothing was removed. Export the tenant again.`, { cause });

async function readManifest(folder: string, { publicKey, keyId }: AuditSigner): Promise<ExportManifest> {
  try {
    const payload = await readFile(join(folder, 'manifest.json'), 'utf8');
    const signature = await readFile(join(folder, 'manifest.sig'));
    if (!(await isSignedBy(trustedKeys([publicKey]), { payload, keyId, signature })))
      throw refuse(`The manifest in ${folder} is not signed by the audit key.`);
    return JSON.parse(payload) as ExportManifest;
  } catch (thrown) {
    if (thrown instanceof ProblemError) throw thrown;
    throw refuse(`The folder ${folder} has no export of a tenant that can be read.`, thrown);
  }
}

async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * Verifies that a folder has a whole and unchanged export of the tenant as it is now: of this very audit log, made while the tenant was
 * suspended, and not resumed since. Throws `conflict` with the reason.
 */
export async function verifyTenantExport({ tenantName, folder, dump, signer }: VerifyTenantExportInput): Promise<void> {
  const tenant = await dump.tenant();
  if (tenant === undefined) throw new ProblemError('not_found', `There is no tenant ${tenantName}.`);
  const manifest = await readManifest(folder, signer);
  if (manifest.kind !== 'tenant export' || manifest.tenant_id !== tenant.id)
    throw refuse(`The export in ${folder} is of another tenant than ${tenantName}.`);
  if (manifest.state !== 'suspended' || tenant.state !== 'suspended')
    throw refuse(`${tenantName} must be suspended before its export and its removal.`);
  for (const { name, sha256 } of manifest.files) {
    if ((await digestOf(join(folder, name))) !== sha256) throw refuse(`The file ${name} is missing or was changed.`);
  }
  const log = {
    format: 'ndjson',
    lines: exportLines(join(folder, 'audit.ndjson')),
    keys: trustedKeys([signer.publicKey]),
  } as const;
  const { finding } = await verifyExport(log);
  if (finding !== undefined) throw refuse(`The audit log of the export is not valid: ${finding.reason}`);
  const { sequence, hash } = manifest.head;
  const position = await dump.auditPosition(tenant.id, sequence);
  if (sequence > 0 && position.hash !== hash) throw refuse('The audit log is not the one of the export.');
  if (position.isResumedAfter) throw refuse(`${tenantName} was resumed after its export.`);
}
