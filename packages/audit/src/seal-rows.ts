import { type Checkpoint, payloadHash, signCheckpoint } from './checkpoint.ts';
import { chainHash, genesisHash, type SealedRecord, sealedText } from './sealed-record.ts';
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

/** Puts rows of one tenant, in this order, at the end of its chain, and signs the new end. */
export function sealRows(
  rows: readonly SealedRecord[],
  head: ChainHead | undefined,
  signing: { readonly tenantId: string; readonly signer: AuditSigner; readonly now: number },
): SealedRows {
  const { tenantId, signer, now } = signing;
  let hash: Uint8Array = head?.hash ?? genesisHash(tenantId);
  let sequence = head?.sequence ?? 0;
  const links = rows.map((record) => {
    sequence += 1;
    hash = chainHash(hash, sealedText(record, sequence));
    return { record, sequence, hash };
  });
  const checkpoint = signCheckpoint(signer, {
    kind: 'checkpoint',
    tenant_id: tenantId,
    number: (head?.number ?? 0) + 1,
    sequence,
    hash: Buffer.from(hash).toString('hex'),
    issued_ts: now,
    previous: head === undefined ? null : payloadHash(head.payload),
  });
  return { links, checkpoint };
}
