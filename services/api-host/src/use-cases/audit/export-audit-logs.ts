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
import type { AuditExport } from '@sluice/contract';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { type AuditCaller, readingRecord } from './audit-caller.ts';
import { type ExportRange, exportRows } from './audit-export-rows.ts';
import { filterOf, narrowingRecord, visibleFrom } from './audit-range.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';
import { holdWhileRead } from './hold-while-read.ts';

export interface ExportAuditLogsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly sealAuditLog: () => Promise<number | undefined>;
  readonly signer: AuditSigner;
  readonly limit: AuditReaderLimit;
  readonly retentionMs: number;
  readonly nameDigest: NameDigest;
  readonly now: () => number;
}

export interface AuditExportAnswer {
  readonly format: ExportFormat;
  /** Everything that matches, then the signed last line; without that it was cut. */
  readonly body: AsyncIterable<Uint8Array>;
}

const SEAL_TRIES = 5;
const SEAL_PAUSE_MS = 300;

interface Plan extends ExportRange {
  readonly format: ExportFormat;
  readonly filterRecord: Readonly<Record<string, unknown>>;
  /** The first place that it could have. */
  readonly from: number | null;
  readonly head: { readonly sequence: number; readonly hash: string };
}

/**
 * Exports what is sealed, in the order of the chain, so that it can be proved by itself. What was committed before the request is
 * sealed first. Throws `audit_unavailable` when the reading cannot be recorded, `too_many_requests`.
 */
export function createExportAuditLogs(dependencies: ExportAuditLogsDependencies) {
  const { auditChain, audit, sealAuditLog, signer, limit, retentionMs, nameDigest, now } = dependencies;

  /** Another host that seals at this moment has begun before us, so its turn may miss what was just committed: ours must come. */
  const sealAll = async (): Promise<void> => {
    for (let tries = 1; tries <= SEAL_TRIES; tries += 1) {
      if ((await sealAuditLog()) !== undefined) return;
      await wait(SEAL_PAUSE_MS);
    }
  };

  const plan = async ({ principal: { tenant } }: AuditCaller, wanted: AuditExport): Promise<Plan> => {
    const filterRecord = narrowingRecord(wanted);
    const isWhole = Object.keys(filterRecord).length === 0;
    const filter = filterOf(wanted, {
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
      format: EXPORT_FORMATS[wanted.format === 'csv' && wanted.raw ? 'raw_csv' : wanted.format],
      filterRecord,
      // A whole export is a piece of the chain without a gap, whatever the order of times within it.
      filter: isWhole ? {} : filter,
      first: bounds?.first ?? 1,
      last: bounds === undefined ? 0 : Math.min(isWhole ? head.sequence : bounds.last, head.sequence),
      from: bounds?.first ?? null,
      head,
    };
  };

  async function* write(range: Plan): AsyncGenerator<Uint8Array> {
    const { format, tenantId, head, from, filterRecord } = range;
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
      filter: filterRecord,
      records,
      from,
      sha256: hash.digest('hex'),
      head,
      issued_ts: now(),
    });
    yield Buffer.from(`${format.end(signed)}\n`);
  }

  return async (caller: AuditCaller, wanted: AuditExport): Promise<AuditExportAnswer> => {
    const place = limit.take(caller.principal.tenant.id);
    try {
      await sealAll();
      const planned = await plan(caller, wanted);
      const metadata = { format: wanted.format, ...(wanted.raw ? { raw: true } : {}), ...planned.filterRecord };
      await audit.append(readingRecord('EXPORT_AUDIT_LOGS', caller, metadata));
      return { format: planned.format, body: holdWhileRead(write(planned), place) };
    } catch (thrown) {
      place[Symbol.dispose]();
      throw thrown;
    }
  };
}
