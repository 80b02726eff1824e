import type { SealVersion } from '@sluice/contract/audit-fields';
import { hexOf } from './byte-encodings.ts';
import { canonicalJson } from './canonical-json.ts';
import { createSha256 } from './node-sha256.ts';
import type { AuditSigner } from './signing-key.ts';
import type { SignedPayload } from './trusted-keys.ts';

/** Range of records that retention dropped. The next record follows `hash`, which is the hash of the last one. */
export interface DroppedRange {
  readonly from: number;
  readonly to: number;
  readonly hash: string;
}

/** Retention settings of the database when the checkpoint was signed. */
export interface RetentionSettings {
  /** No host drops younger records (`audit_retention`). */
  readonly kept_ms: number;
  /** Retention of the tenant as its settings hold it; null for the default. */
  readonly tenant_ms: unknown;
}

/** Signed content of a checkpoint: the length of a tenant's chain, and the hash of its last record. */
export interface CheckpointPayload {
  /** Absent in checkpoints of the first format. */
  readonly v?: Exclude<SealVersion, 0>;
  /** `retention`: also lists the ranges that were dropped. `tombstone`: the tenant and all its records were removed. */
  readonly kind: 'checkpoint' | 'retention' | 'tombstone';
  readonly tenant_id: string;
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly sequence: number;
  /** Lower-case hex. */
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly issued_ts: number;
  /** SHA-256 of the previous payload, so that no checkpoint can be removed; null for the first. */
  readonly previous: string | null;
  readonly dropped?: readonly DroppedRange[];
  /**
   * Epoch milliseconds by the clock of the database. The records that this checkpoint adds were written after `since_ts` and before
   * `until_ts`. `since_ts` is null when the sealer does not know the time of its last snapshot.
   */
  readonly since_ts?: number | null;
  readonly until_ts?: number;
  /** Sequence numbers of records that may be older than `since_ts`: their transactions were open at the sealer's previous snapshot. */
  readonly late?: readonly number[];
  readonly retention?: RetentionSettings;
}

export interface Checkpoint extends SignedPayload {
  readonly number: number;
  readonly sequence: number;
}

export function payloadHash(payload: string): string {
  const hash = createSha256();
  hash.update(payload);
  return hexOf(hash.digest());
}

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

/** Parses a payload. Returns undefined when the text is not a checkpoint. */
export function readCheckpoint(text: string): CheckpointPayload | undefined {
  try {
    const payload = JSON.parse(text) as CheckpointPayload;
    const isOurs =
      typeof payload.tenant_id === 'string' &&
      Number.isSafeInteger(payload.number) &&
      Number.isSafeInteger(payload.sequence);
    return isOurs && typeof payload.hash === 'string' ? payload : undefined;
  } catch {
    return undefined;
  }
}
