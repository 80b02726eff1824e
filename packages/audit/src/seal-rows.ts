import { type Checkpoint, payloadHash, type RetentionSettings, signCheckpoint } from './checkpoint.ts';
import { chainHash, genesisHash, SEAL_VERSION, type SealedRecord, sealedText } from './sealed-record.ts';
import type { AuditSigner } from './signing-key.ts';

/** Where the chain of a tenant ends: its last checkpoint. */
export interface ChainHead {
  readonly number: number;
  readonly sequence: number;
  readonly hash: Uint8Array;
  readonly payload: string;
}

/** The place of one row in its tenant's chain. */
export interface ChainLink {
  readonly record: SealedRecord;
  readonly sequence: number;
  readonly hash: Uint8Array;
}

export interface SealedRows {
  readonly links: readonly ChainLink[];
  readonly checkpoint: Checkpoint;
}

/** State of the sealer for the rows that it seals. */
export interface SealingPass {
  /** Epoch milliseconds of the database: when the sealer looked before; null where that is not known. */
  readonly sinceMs: number | null;
  /** Epoch milliseconds of the database: now. */
  readonly untilMs: number;
  /** Ids of rows whose transactions were open at `sinceMs`. */
  readonly lateIds: ReadonlySet<string>;
  readonly retention: RetentionSettings;
}

export interface SealOptions {
  readonly tenantId: string;
  readonly signer: AuditSigner;
  readonly now: number;
  readonly pass: SealingPass;
}

/** Puts rows of one tenant, in this order, at the end of its chain, and signs the new end. */
export function sealRows(
  rows: readonly SealedRecord[],
  head: ChainHead | undefined,
  { tenantId, signer, now, pass }: SealOptions,
): SealedRows {
  let hash: Uint8Array = head?.hash ?? genesisHash(tenantId);
  let sequence = head?.sequence ?? 0;
  const links = rows.map((record) => {
    sequence += 1;
    hash = chainHash(hash, sealedText(record, sequence, SEAL_VERSION));
    return { record, sequence, hash };
  });
  const late = links.filter(({ record }) => pass.lateIds.has(record.id)).map((link) => link.sequence);
  const checkpoint = signCheckpoint(signer, {
    v: SEAL_VERSION,
    kind: 'checkpoint',
    tenant_id: tenantId,
    number: (head?.number ?? 0) + 1,
    sequence,
    hash: Buffer.from(hash).toString('hex'),
    issued_ts: now,
    previous: head === undefined ? null : payloadHash(head.payload),
    since_ts: pass.sinceMs,
    until_ts: pass.untilMs,
    ...(late.length === 0 ? {} : { late }),
    retention: pass.retention,
  });
  return { links, checkpoint };
}
