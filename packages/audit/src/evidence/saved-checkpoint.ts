import { type CheckpointPayload, readCheckpoint } from '../checkpoint.ts';
import { type ExportRow, toPosition } from '../export-row.ts';
import type { Finding } from '../finding.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from '../trusted-keys.ts';
import type { EvidenceManifest } from './manifest.ts';

/** Checkpoint that an auditor stored outside of Sluice. */
export interface CheckpointCopy {
  readonly signed: SignedPayload;
  /** Payload that the log has under the same number now. Undefined: it has none. */
  readonly stored: string | undefined;
}

interface PackageEnd {
  readonly manifest: EvidenceManifest;
  /** Last sequence that was read; null without records. */
  readonly last: number | null;
  /** Last sequence that a checkpoint of the package signs. */
  readonly covered: number;
}

/** Names the checkpoint itself in a finding that says why it does not count. */
export const SAVED_CHECKPOINT = 'the saved checkpoint';

const CUT = 'There is a saved copy of it, but the log no longer contains it.';

const unusable = (reason: string): Finding => ({ kind: 'altered', member: SAVED_CHECKPOINT, reason });

/** Compares a log with a checkpoint that was stored elsewhere: only that shows that the newest records were removed with their checkpoints. */
export class CopyComparison {
  readonly #saved: CheckpointCopy;
  readonly #payload: CheckpointPayload | undefined;

  constructor(saved: CheckpointCopy) {
    this.#saved = saved;
    this.#payload = readCheckpoint(saved.signed.payload);
  }

  /** Compares the checkpoint with the one that the log has now. */
  async start(tenantId: string, keys: TrustedKeys): Promise<Finding | undefined> {
    const { signed, stored } = this.#saved;
    const { number, tenant_id: owner } = this.#payload ?? {};
    const found = (kind: Finding['kind'], reason: string): Finding => ({
      kind,
      ...(number === undefined ? {} : { checkpoint: number }),
      reason,
    });
    if (number === undefined || owner !== tenantId) return unusable('The saved copy is not of this log.');
    if (!(await isSignedBy(keys, signed))) return unusable('The saved copy is not signed by a trusted key.');
    if (stored === undefined) return found('missing', CUT);
    return stored === signed.payload ? undefined : found('altered', 'It differs from the saved copy.');
  }

  /** Compares the hash of the record that the checkpoint ends with. */
  visit(row: ExportRow): Finding | undefined {
    const saved = this.#payload;
    if (saved === undefined || row.sequence !== saved.sequence || row.hash === saved.hash) return undefined;
    const reason = 'The saved copy of the checkpoint signs another hash: this record or an earlier one was changed.';
    return { ...toPosition(row), kind: 'altered', checkpoint: saved.number, reason };
  }

  /** Checks that the log still reaches as far as the checkpoint. */
  end({ manifest, last, covered }: PackageEnd): Finding | undefined {
    const saved = this.#payload;
    if (saved === undefined) return undefined;
    if (covered < saved.sequence) return { kind: 'missing', checkpoint: saved.number, reason: CUT };
    // What it signs was written before its time. If the range includes that time, the records are in the range.
    const isWithin = last !== null && (saved.until_ts ?? saved.issued_ts) < manifest.end;
    if (!isWithin || saved.sequence <= last) return undefined;
    const reason = 'The saved copy of a checkpoint covers this record: the end of the log was removed.';
    return { kind: 'missing', sequence: last + 1, checkpoint: saved.number, reason };
  }
}
