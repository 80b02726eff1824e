import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AuditSigner,
  EXPORT_FORMATS,
  type ExportFormat,
  genesisHash,
  readCheckpoint,
  signExport,
} from '@sluice/audit';
import type { NameDigest } from '@sluice/auth';
import type { AuditExport, Caller } from '@sluice/contract';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';
import { type ExportRange, exportRows } from './audit-export-rows.ts';
import { auditFilterOf, filterMetadata, visibleFrom } from './audit-filter.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';
import { releaseAfterRead } from './release-after-read.ts';

interface ExportAuditLogsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly sealAuditLog: () => Promise<number | undefined>;
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

const SEAL_ATTEMPTS = 5;
const SEAL_PAUSE_MS = 300;

interface ExportPlan extends ExportRange {
  readonly format: ExportFormat;
  readonly filterMetadata: Readonly<Record<string, unknown>>;
  /** First position that the export can have; null for an empty chain. */
  readonly from: number | null;
  readonly head: { readonly sequence: number; readonly hash: string };
}

export type ExportAuditLogs = (caller: Caller, input: AuditExport) => Promise<AuditExportBody>;

/**
 * Exports the sealed records in the order of the chain, so that the export can be verified by itself. Records that were committed before
 * the request are sealed first. Throws `audit_unavailable` when the read cannot be recorded, and `too_many_requests`.
 */
export function createExportAuditLogs(dependencies: ExportAuditLogsDependencies): ExportAuditLogs {
  const { auditChain, audit, sealAuditLog, signer, limit, retentionMs, nameDigest, now } = dependencies;

  /** Waits for its own turn: another host that is sealing began earlier, so it may miss records committed since. */
  const sealAll = async (): Promise<void> => {
    for (let attempt = 1; attempt <= SEAL_ATTEMPTS; attempt += 1) {
      if ((await sealAuditLog()) !== undefined) return;
      await wait(SEAL_PAUSE_MS);
    }
  };

  const plan = async ({ principal: { tenant } }: Caller, input: AuditExport): Promise<ExportPlan> => {
    const metadata = filterMetadata(input);
    const isWhole = Object.keys(metadata).length === 0;
    const filter = auditFilterOf(input, {
      tenantId: tenant.id,
      from: visibleFrom(tenant, retentionMs, now()),
      nameDigest,
    });
    const stored = await auditChain.head(tenant.id);
    const head = {
      sequence: stored?.sequence ?? 0,
      hash: readCheckpoint(stored?.payload ?? '')?.hash ?? genesisHash(tenant.id).toString('hex'),
    };
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

  async function* write(range: ExportPlan): AsyncGenerator<Uint8Array> {
    const { format, tenantId, head, from } = range;
    const hash = createHash('sha256');
    let records = 0;
    const lines = (texts: readonly string[]): Buffer => {
      const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
      hash.update(bytes);
      return bytes;
    };
    if (format.head !== undefined) yield lines([format.head]);
    for await (const rows of exportRows(auditChain, range)) {
      records += rows.length;
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

  return async (caller, input) => {
    const slot = limit.acquire(caller.principal.tenant.id);
    try {
      await sealAll();
      const planned = await plan(caller, input);
      const metadata = { format: input.format, ...(input.raw ? { raw: true } : {}), ...planned.filterMetadata };
      await audit.append(auditAccessRecord(caller, 'EXPORT_AUDIT_LOGS', metadata));
      return { format: planned.format, body: releaseAfterRead(write(planned), slot) };
    } catch (thrown) {
      slot[Symbol.dispose]();
      throw thrown;
    }
  };
}
