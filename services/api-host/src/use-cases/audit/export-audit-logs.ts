import { type AuditSigner, EXPORT_FORMATS, type ExportFormat } from '@sluice/audit';
import type { NameDigest } from '@sluice/auth';
import type { AuditExport, Caller } from '@sluice/contract';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';
import { auditFilterOf, filterMetadata, visibleFrom } from './audit-filter.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';
import { releaseAfterRead } from './release-after-read.ts';
import { readChainEnd, type SealedExport, writeSealedExport } from './write-sealed-export.ts';

interface ExportAuditLogsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Seals the records that were committed before the call. */
  readonly sealCommitted: () => Promise<void>;
  readonly signer: AuditSigner;
  readonly limit: AuditReaderLimit;
  readonly retentionMs: number;
  readonly nameDigest: NameDigest;
  readonly now: () => number;
}

interface AuditExportBody {
  readonly format: ExportFormat;
  /** All matching records, then the signed last line. An export without that line was cut. */
  readonly body: AsyncIterable<Uint8Array>;
}

export type ExportAuditLogs = (caller: Caller, input: AuditExport) => Promise<AuditExportBody>;

/**
 * Exports the sealed records in the order of the chain, so that the export can be verified by itself. Records that were committed before
 * the request are sealed first. Throws `audit_unavailable` when the read cannot be recorded, and `too_many_requests`.
 */
export function createExportAuditLogs(dependencies: ExportAuditLogsDependencies): ExportAuditLogs {
  const { auditChain, audit, sealCommitted, signer, limit, retentionMs, nameDigest, now } = dependencies;

  const plan = async ({ principal: { tenant } }: Caller, input: AuditExport): Promise<SealedExport> => {
    const metadata = filterMetadata(input);
    const isWhole = Object.keys(metadata).length === 0;
    const filter = auditFilterOf(input, {
      tenantId: tenant.id,
      from: visibleFrom(tenant, retentionMs, now()),
      nameDigest,
    });
    const head = await readChainEnd(auditChain, tenant.id);
    const bounds = await auditChain.bounds(tenant.id, filter);
    return {
      tenantId: tenant.id,
      format: EXPORT_FORMATS[input.format === 'csv' && input.raw ? 'raw_csv' : input.format],
      filterMetadata: metadata,
      // An unfiltered export has no gaps, although times within the chain are not in order.
      filter: isWhole ? {} : filter,
      first: bounds?.first ?? 1,
      last: bounds === undefined ? 0 : Math.min(isWhole ? head.sequence : bounds.last, head.sequence),
      from: bounds?.first ?? null,
      head,
    };
  };

  return async (caller, input) => {
    const slot = limit.acquire(caller.principal.tenant.id);
    try {
      await sealCommitted();
      const planned = await plan(caller, input);
      const metadata = { format: input.format, ...(input.raw ? { raw: true } : {}), ...planned.filterMetadata };
      await audit.append(auditAccessRecord(caller, 'EXPORT_AUDIT_LOGS', metadata));
      const body = writeSealedExport({ auditChain, signer, now }, planned);
      return { format: planned.format, body: releaseAfterRead(body, slot) };
    } catch (thrown) {
      slot[Symbol.dispose]();
      throw thrown;
    }
  };
}
