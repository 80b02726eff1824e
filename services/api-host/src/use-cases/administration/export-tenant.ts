import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type AuditSigner, EXPORT_FORMATS } from '@sluice/audit';
import { ProblemError } from '@sluice/contract';
import type { TenantDump } from '@sluice/store/administration';
import type { AuditChainStore } from '@sluice/store/audit';
import { readChainEnd, writeSealedExport } from '../audit/write-sealed-export.ts';

/** File of an export, as its manifest names it. */
export interface ExportedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Content of `manifest.json`. `manifest.sig` is the signature of its bytes with the key of the audit log. */
export interface ExportManifest {
  readonly kind: 'tenant export';
  readonly tenant: string;
  readonly tenant_id: string;
  readonly state: 'active' | 'suspended';
  readonly issued_ts: number;
  /** End of the audit chain when the export was made. */
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly files: readonly ExportedFile[];
}

interface ExportTenantDependencies {
  readonly dump: TenantDump;
  readonly auditChain: AuditChainStore;
  readonly signer: AuditSigner;
  readonly now: () => number;
}

interface ExportTenantInput {
  readonly tenantName: string;
  /** Folder that does not exist yet. */
  readonly folder: string;
}

async function writeExportedFile(
  folder: string,
  name: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ExportedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = createWriteStream(join(folder, name), { mode: 0o600 });
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    if (!file.write(chunk)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
  return { name, bytes, sha256: hash.digest('hex') };
}

async function* linesOf(batches: AsyncIterable<readonly string[]>): AsyncGenerator<Uint8Array> {
  for await (const rows of batches) yield Buffer.from(rows.map((row) => `${row}\n`).join(''));
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (thrown) {
    const reason = (thrown as NodeJS.ErrnoException).code === 'EEXIST' ? 'exists already' : 'cannot be created';
    throw new ProblemError('invalid_request', `The folder ${folder} ${reason}: name another one in --to.`, {
      cause: thrown,
    });
  }
}

/**
 * Writes everything that a tenant has into a folder: a file of JSON lines for each table, the audit log as an export that can be verified by
 * itself, its checkpoints, and a signed manifest. Secrets and their hashes are left out.
 */
export async function exportTenant(
  { dump, auditChain, signer, now }: ExportTenantDependencies,
  { tenantName, folder }: ExportTenantInput,
): Promise<ExportManifest> {
  const tenant = await dump.tenant();
  if (tenant === undefined) throw new ProblemError('not_found', `There is no tenant ${tenantName}.`);
  await createFolder(folder);
  const files: ExportedFile[] = [];
  for (const table of await dump.tables())
    files.push(await writeExportedFile(folder, `${table}.ndjson`, linesOf(dump.rows(table, tenant.id))));
  const head = await readChainEnd(auditChain, tenant.id);
  const bounds = await auditChain.bounds(tenant.id, {});
  const range = {
    tenantId: tenant.id,
    format: EXPORT_FORMATS.ndjson,
    filterMetadata: {},
    filter: {},
    first: bounds?.first ?? 1,
    last: bounds === undefined ? 0 : head.sequence,
    from: bounds?.first ?? null,
    head,
  };
  const log = writeSealedExport({ auditChain, signer, now }, range);
  files.push(await writeExportedFile(folder, 'audit.ndjson', log));
  files.push(await writeExportedFile(folder, 'checkpoints.ndjson', linesOf(dump.checkpoints(tenant.id))));
  const { id: tenant_id, state } = tenant;
  const manifest = {
    kind: 'tenant export',
    tenant: tenantName,
    tenant_id,
    state,
    issued_ts: now(),
    head,
    files,
  } as const;
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await writeFile(join(folder, 'manifest.json'), text, { mode: 0o600 });
  await writeFile(join(folder, 'manifest.sig'), signer.sign(text), { mode: 0o600 });
  return manifest;
}
