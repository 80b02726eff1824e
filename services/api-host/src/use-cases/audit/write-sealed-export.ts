import { createHash } from 'node:crypto';
import {
  type AuditSigner,
  type ExportFormat,
  type ExportRow,
  genesisHash,
  hexOf,
  readCheckpoint,
  signExport,
} from '@sluice/audit';
import type { AuditChainStore } from '@sluice/store/audit';
import { type ExportRange, exportRows } from './audit-export-rows.ts';

/** Range of an export, its format, and facts that its signed last line repeats. */
export interface SealedExport extends ExportRange {
  readonly format: ExportFormat;
  readonly filterMetadata: Readonly<Record<string, unknown>>;
  /** First position that the export can have; null for an empty chain. */
  readonly from: number | null;
  /** The end of the chain when the export began. */
  readonly head: { readonly sequence: number; readonly hash: string };
}

interface WriteSealedExportDependencies {
  readonly auditChain: AuditChainStore;
  readonly signer: AuditSigner;
  readonly now: () => number;
}

/** Returns the last sealed position of a tenant and its hash. */
export async function readChainEnd(auditChain: AuditChainStore, tenantId: string): Promise<SealedExport['head']> {
  const stored = await auditChain.head(tenantId);
  return {
    sequence: stored?.sequence ?? 0,
    hash: readCheckpoint(stored?.payload ?? '')?.hash ?? hexOf(genesisHash(tenantId)),
  };
}

/** Writes the records of an export in the order of the chain, then the signed last line. `onRows` sees the rows before they are sent. */
export async function* writeSealedExport(
  { auditChain, signer, now }: WriteSealedExportDependencies,
  range: SealedExport,
  onRows: (rows: readonly ExportRow[]) => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const { format, tenantId, head, from } = range;
  const hash = createHash('sha256');
  let records = 0;
  const lines = (rows: readonly string[]): Buffer => {
    const bytes = Buffer.from(rows.map((row) => `${row}\n`).join(''));
    hash.update(bytes);
    return bytes;
  };
  if (format.head !== undefined) yield lines([format.head]);
  for await (const rows of exportRows(auditChain, range)) {
    records += rows.length;
    onRows(rows);
    if (rows.length > 0) yield lines(rows.map((row) => format.row(row)));
  }
  const signed = signExport(signer, {
    kind: 'export',
    tenant_id: tenantId,
    filter: range.filterMetadata,
    records,
    from,
    sha256: hash.digest('hex'),
    head,
    issued_ts: now(),
  });
  yield Buffer.from(`${format.end(signed)}\n`);
}
