import { createHash } from 'node:crypto';
import type { SealVersion } from '@sluice/contract';
import { canonicalJson } from './canonical-json.ts';
import type { AuditSigner, SignedPayload } from './signing-key.ts';

/** Sequences that retention took away, and the hash of the last of them, which the next record follows. */
export interface DroppedRange {
  readonly from: number;
  readonly to: number;
  readonly hash: string;
}

/** Retention settings of the database when the checkpoint was signed. */
export interface RetentionSettings {
  /** No host takes out what is younger (`audit_retention`). */
  readonly kept_ms: number;
  /** The tenant's own time, as its settings hold it; null where it has none. */
  readonly tenant_ms: unknown;
}

/** Content that a checkpoint signs: the length of the chain of a tenant, and the hash of its last record. */
export interface CheckpointPayload {
  /** Absent in checkpoints of the first format. */
  readonly v?: Exclude<SealVersion, 0>;
  /** `retention` besides says what was dropped; `tombstone` that the tenant left, and all of its records with it. */
  readonly kind: 'checkpoint' | 'retention' | 'tombstone';
  readonly tenant_id: string;
  /** From 1, without a gap. */
  readonly number: number;
  readonly sequence: number;
  /** Lower-case hex. */
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly issued_ts: number;
  /** SHA-256 of the payload before, so that none can be taken out; null for the first. */
  readonly previous: string | null;
  readonly dropped?: readonly DroppedRange[];
  /**
   * Epoch milliseconds by the clock of the database: the records that this checkpoint adds were written after `since_ts` and before
   * `until_ts`. `since_ts` is null where the sealer does not know when it looked last.
   */
  readonly since_ts?: number | null;
  readonly until_ts?: number;
  /** Sequences of records that may be older than `since_ts`: their transactions were open when the sealer looked before. */
  readonly late?: readonly number[];
  readonly retention?: RetentionSettings;
}

export interface Checkpoint extends SignedPayload {
  readonly number: number;
  readonly sequence: number;
}

export const payloadHash = (payload: string): string => createHash('sha256').update(payload).digest('hex');

export function signCheckpoint(signer: AuditSigner, payload: CheckpointPayload): Checkpoint {
  const text = canonicalJson(JSON.stringify(payload));
  return {
    number: payload.number,
    sequence: payload.sequence,
    payload: text,
    keyId: signer.keyId,
    signature: signer.sign(text),
  };
}

/** Undefined for what is no payload of ours. */
export function readCheckpoint(text: string): CheckpointPayload | undefined {
  try {
    const payload = JSON.parse(text) as CheckpointPayload;
    const isOurs =
      typeof payload.tenant_id === 'string' && Number.isInteger(payload.number) && Number.isInteger(payload.sequence);
    return isOurs && typeof payload.hash === 'string' ? payload : undefined;
  } catch {
    return undefined;
  }
}
