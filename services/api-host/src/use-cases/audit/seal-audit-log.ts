import { type AuditSigner, type ChainHead, readCheckpoint, sealRows } from '@sluice/audit';
import type { AuditSealStore, SealerSnapshot, SealRows, StoredHead } from '@sluice/store/audit';

export interface SealAuditLogDependencies {
  readonly auditSeals: AuditSealStore;
  readonly signer: AuditSigner;
  readonly now: () => number;
  /** Told when a chain ends before what this process signed itself: somebody cut it, or restored an old backup. */
  readonly onCut: (cut: { readonly tenantId: string; readonly signed: number; readonly found: number }) => void;
}

/** One turn is over after so long, that a host which leaves does not wait for a backlog. */
const TURN_MS = 1500;

const chainHead = ({ number, sequence, payload }: StoredHead): ChainHead => {
  const hash = readCheckpoint(payload)?.hash;
  if (hash === undefined) throw new Error(`checkpoint ${number} cannot be read; npm run audit:verify tells more`);
  return { number, sequence, hash: Buffer.from(hash, 'hex'), payload };
};

/** Seals what was committed since the last time, every tenant's. Answers how many rows, or undefined when another host is at it. */
export function createSealAuditLog(dependencies: SealAuditLogDependencies): () => Promise<number | undefined> {
  const { auditSeals, signer, now, onCut } = dependencies;
  const signed = new Map<string, number>();
  let isPublished = false;
  /** The database says it too, but an attacker with write access could put it back, and date records before it. */
  let lastLook: SealerSnapshot | undefined;

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
    const until = performance.now() + TURN_MS;
    let sealed = 0;
    for (;;) {
      const made = new Map<string, number>();
      const outcome = await auditSeals.sealBatch((tenantId, rows, head, pass) => {
        const seals = seal(tenantId, rows, head, pass);
        made.set(tenantId, seals.checkpoint.number);
        return seals;
      }, lastLook);
      if (outcome.kind === 'busy') return undefined;
      // Only what is committed was signed.
      for (const [tenantId, number] of made) signed.set(tenantId, number);
      sealed += outcome.rows;
      lastLook = outcome.snapshot ?? lastLook;
      if (!outcome.hasMore || performance.now() > until) return sealed;
    }
  };
}
