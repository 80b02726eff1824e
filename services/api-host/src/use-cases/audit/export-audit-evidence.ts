import {
  type AuditSigner,
  EVIDENCE_MEMBERS,
  type EvidenceContent,
  type EvidenceMember,
  EvidenceSummary,
  EXPORT_FORMATS,
  type ExportRow,
  evidenceReadme,
  writeEvidencePackage,
} from '@sluice/audit';
import type { AuditEvidenceRange, Caller } from '@sluice/contract';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';
import { visibleFrom } from './audit-filter.ts';
import type { AuditReaderLimit } from './audit-reader-limit.ts';
import { evidenceCheckpoints } from './evidence-checkpoints.ts';
import { releaseAfterRead } from './release-after-read.ts';
import { readChainEnd, type SealedExport, writeSealedExport } from './write-sealed-export.ts';

interface ExportAuditEvidenceDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Seals the records that were committed before the call. */
  readonly sealCommitted: () => Promise<void>;
  readonly signer: AuditSigner;
  readonly limit: AuditReaderLimit;
  readonly retentionMs: number;
  readonly now: () => number;
}

interface EvidencePlan {
  readonly range: AuditEvidenceRange;
  /** Epoch milliseconds. Earlier records are hidden. */
  readonly visibleFrom: number;
  /** Positions without a gap, so that a missing record is detected. */
  readonly export: SealedExport;
}

/** Returns the bytes of a ZIP. It is complete only with its central directory. */
export type ExportAuditEvidence = (caller: Caller, range: AuditEvidenceRange) => Promise<AsyncIterable<Uint8Array>>;

const LINES_MAX = 1000;

/** Joins strings into chunks. */
function* chunksOf(parts: Iterable<string>): Generator<Uint8Array> {
  let lines: string[] = [];
  for (const part of parts) {
    lines.push(part);
    if (lines.length < LINES_MAX) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function* publicKeys({ auditChain }: ExportAuditEvidenceDependencies): AsyncGenerator<Uint8Array> {
  const keys = await auditChain.keys();
  const published = keys.map(({ keyId, publicKey }) => ({ key_id: keyId, public_key: base64(publicKey) }));
  yield Buffer.from(`${JSON.stringify(published, undefined, 2)}\n`);
}

async function* checkpoints(
  { auditChain }: ExportAuditEvidenceDependencies,
  range: SealedExport,
): AsyncGenerator<Uint8Array> {
  for await (const page of evidenceCheckpoints(auditChain, range)) {
    const lines = page.map(({ payload, keyId, signature }) =>
      JSON.stringify({ payload, key_id: keyId, signature: base64(signature) }),
    );
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

/** Writes the members in order. The summary and the manifest count what the export wrote. */
function writeEvidence(
  dependencies: ExportAuditEvidenceDependencies,
  { principal: { tenant } }: Caller,
  plan: EvidencePlan,
): AsyncGenerator<Uint8Array> {
  const summary = new EvidenceSummary();
  const found = { records: 0, first: null as number | null, last: null as number | null };
  const count = (rows: readonly ExportRow[]): void => {
    for (const row of rows) summary.add(row);
    found.records += rows.length;
    found.first ??= rows[0]?.sequence ?? null;
    found.last = rows.at(-1)?.sequence ?? found.last;
  };
  const range = { tenant: tenant.name, ...plan.range, visible_from: plan.visibleFrom };
  const content = (): EvidenceContent => ({
    tenant_id: tenant.id,
    ...range,
    ...found,
    issued_ts: dependencies.now(),
  });
  const members: readonly EvidenceMember[] = [
    { name: EVIDENCE_MEMBERS.readme, bytes: [Buffer.from(evidenceReadme(range))] },
    { name: EVIDENCE_MEMBERS.publicKeys, bytes: publicKeys(dependencies) },
    { name: EVIDENCE_MEMBERS.checkpoints, bytes: checkpoints(dependencies, plan.export) },
    { name: EVIDENCE_MEMBERS.export, bytes: writeSealedExport(dependencies, plan.export, count) },
    { name: EVIDENCE_MEMBERS.summary, bytes: { [Symbol.iterator]: () => chunksOf(summary.csv()) } },
  ];
  return writeEvidencePackage({ signer: dependencies.signer, members, content });
}

/**
 * Exports the sealed records of a range of time as a signed ZIP that can be verified by itself. Records that were committed before the
 * request are sealed first. Throws `audit_unavailable` when the read cannot be recorded, and `too_many_requests`.
 */
export function createExportAuditEvidence(dependencies: ExportAuditEvidenceDependencies): ExportAuditEvidence {
  const { auditChain, audit, sealCommitted, limit, retentionMs, now } = dependencies;

  const plan = async ({ principal: { tenant } }: Caller, range: AuditEvidenceRange): Promise<EvidencePlan> => {
    const visible = visibleFrom(tenant, retentionMs, now());
    const head = await readChainEnd(auditChain, tenant.id);
    const start = Math.max(range.start, visible);
    const bounds = start < range.end ? await auditChain.bounds(tenant.id, { start, end: range.end }) : undefined;
    return {
      range,
      visibleFrom: visible,
      export: {
        tenantId: tenant.id,
        format: EXPORT_FORMATS.ndjson,
        filterMetadata: range,
        filter: {},
        first: bounds?.first ?? 1,
        last: bounds === undefined ? 0 : Math.min(bounds.last, head.sequence),
        from: bounds?.first ?? null,
        head,
      },
    };
  };

  return async (caller, range) => {
    const slot = limit.acquire(caller.principal.tenant.id);
    try {
      await sealCommitted();
      const planned = await plan(caller, range);
      await audit.append(auditAccessRecord(caller, 'EXPORT_AUDIT_EVIDENCE', range));
      return releaseAfterRead(writeEvidence(dependencies, caller, planned), slot);
    } catch (thrown) {
      slot[Symbol.dispose]();
      throw thrown;
    }
  };
}
