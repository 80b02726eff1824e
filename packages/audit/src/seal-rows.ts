import { type Checkpoint, payloadHash, type RetentionSettings, signCheckpoint } from './checkpoint.ts';
import { chainHash, genesisHash, SEAL_VERSION, type SealedRecord, sealedText } from './sealed-record.ts';
import type { AuditSigner } from './signing-key.ts';

/** Last checkpoint of a tenant, which is the end of its chain. */
export interface ChainHead {
  readonly number: number;
  readonly sequence: number;
  readonly hash: Uint8Array;
  readonly payload: string;
}

/** Entry of one row in its tenant's chain. */
interface ChainLink {
  readonly record: SealedRecord;
  readonly sequence: number;
  readonly hash: Uint8Array;
}

export interface SealedRows {
  readonly links: readonly ChainLink[];
  readonly checkpoint: Checkpoint;
}

/** Time range and settings of one sealing pass. */
export interface SealingPass {
  /** Time of the sealer's previous snapshot, in epoch milliseconds of the database; null when unknown. */
  readonly sinceMs: number | null;
  /** Current time, in epoch milliseconds of the database. */
  readonly untilMs: number;
  /** Ids of rows whose transactions were open at `sinceMs`. */
  readonly lateIds: ReadonlySet<string>;
  readonly retention: RetentionSettings;
}

interface SealOptions {
  readonly tenantId: string;
  readonly signer: AuditSigner;
  readonly now: number;
  readonly pass: SealingPass;
}

/** Appends rows of one tenant to its chain, in this order, and signs the new end. */
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
