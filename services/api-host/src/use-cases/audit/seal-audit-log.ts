import { type AuditSigner, type ChainHead, createClassifyCheckpoint, readCheckpoint, sealRows } from '@sluice/audit';
import type { AuditSealStore, SealerSnapshot, SealingProblem, SealRows, StoredHead } from '@sluice/store/audit';

interface SealAuditLogDependencies {
  readonly auditSeals: Pick<AuditSealStore, 'sealBatch' | 'putKey'>;
  readonly signer: AuditSigner;
  readonly now: () => number;
  /** Called when a chain ends before a checkpoint that this process signed: it was cut, or an old backup was restored. */
  readonly onCut: (cut: { readonly tenantId: string; readonly signed: number; readonly found: number }) => void;
  /** Called for what others than sealers did to a chain. */
  readonly onWarning?: (problem: SealingProblem) => void;
}

/** Time limit of one run, so that a backlog does not delay the shutdown of a host. */
const RUN_TIME_LIMIT_MS = 1500;

const chainHead = ({ number, sequence, payload }: StoredHead): ChainHead => {
  const hash = readCheckpoint(payload)?.hash;
  if (hash === undefined) throw new Error(`checkpoint ${number} cannot be read; run npm run audit:verify`);
  return { number, sequence, hash: Buffer.from(hash, 'hex'), payload };
};

/** Seals the rows of all tenants that were committed since the last run. Returns their number, or undefined while another host is sealing. */
export function createSealAuditLog(dependencies: SealAuditLogDependencies): () => Promise<number | undefined> {
  const { auditSeals, signer, now, onCut, onWarning } = dependencies;
  const classify = createClassifyCheckpoint(signer);
  const signed = new Map<string, number>();
  let isPublished = false;
  /**
   * Snapshot of the last pass. It is also stored in the database, where an attacker with write access could set it back and add older
   * records.
   */
  let lastSnapshot: SealerSnapshot | undefined;

  const seal: SealRows = (tenantId, rows, head, pass) => {
    const before = signed.get(tenantId) ?? 0;
    const found = head?.number ?? 0;
    if (found < before) onCut({ tenantId, signed: before, found });
    return {
      tenantId,
      ...sealRows(rows, head === undefined ? undefined : chainHead(head), { tenantId, signer, now: now(), pass }),
    };
  };

  return async () => {
    if (!isPublished) await auditSeals.putKey(signer);
    isPublished = true;
    const until = performance.now() + RUN_TIME_LIMIT_MS;
    let sealed = 0;
    for (;;) {
      const made = new Map<string, number>();
      const sealAndNote: SealRows = (tenantId, rows, head, pass) => {
        const seals = seal(tenantId, rows, head, pass);
        made.set(tenantId, seals.checkpoint.number);
        return seals;
      };
      const outcome = await auditSeals.sealBatch({ seal: sealAndNote, classify }, lastSnapshot);
      if (outcome.kind === 'busy') return undefined;
      for (const problem of outcome.problems) onWarning?.(problem);
      // The checkpoints of a failed transaction are not remembered.
      for (const [tenantId, number] of made) signed.set(tenantId, number);
      sealed += outcome.rows;
      lastSnapshot = outcome.snapshot ?? lastSnapshot;
      if (!outcome.hasMore || performance.now() > until) return sealed;
    }
  };
}
