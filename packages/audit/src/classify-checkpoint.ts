import { readCheckpoint } from './checkpoint.ts';
import type { AuditSigner } from './signing-key.ts';
import { trustedKeys } from './signing-key.ts';
import { isSignedBy, type SignedPayload } from './trusted-keys.ts';

/** Checkpoint as the database stores it. Its columns are text, because they can hold more than a double. */
export interface StoredCheckpoint extends SignedPayload {
  readonly number: string;
  readonly sequence: string;
}

/**
 * Origin of a checkpoint as far as a sealer can tell. `own`: signed by the key of this sealer. `published`: signed by another key that
 * the database publishes. `unknown`: its key is not known. `forged`: no sealer wrote it.
 */
export type CheckpointTrust = 'own' | 'published' | 'unknown' | 'forged';

export interface CheckpointTrustInput {
  readonly tenantId: string;
  readonly checkpoint: StoredCheckpoint;
  /** Keys of 32 bytes that the database publishes. Read only for a checkpoint by another key than that of the sealer. */
  readonly published: () => Promise<readonly Uint8Array[]>;
}

/** Classifies the checkpoints of a chain before a sealer continues it. */
export function createCheckpointTrust(
  signer: Pick<AuditSigner, 'keyId' | 'publicKey'>,
): (input: CheckpointTrustInput) => Promise<CheckpointTrust> {
  const own = trustedKeys([signer.publicKey]);
  return async ({ tenantId, checkpoint, published }) => {
    const payload = readCheckpoint(checkpoint.payload);
    const isWhole =
      payload !== undefined &&
      payload.tenant_id === tenantId &&
      String(payload.number) === checkpoint.number &&
      String(payload.sequence) === checkpoint.sequence &&
      /^[0-9a-f]{64}$/.test(payload.hash);
    if (!isWhole) return 'forged';
    const isOwn = checkpoint.keyId === signer.keyId;
    const keys = isOwn ? own : trustedKeys((await published()).filter((key) => key.length === signer.publicKey.length));
    if (!keys.has(checkpoint.keyId)) return 'unknown';
    if (!(await isSignedBy(keys, checkpoint))) return 'forged';
    return isOwn ? 'own' : 'published';
  };
}
