import { type CheckpointPayload, readCheckpoint } from './checkpoint.ts';
import { type AuditSigner, trustedKeys } from './signing-key.ts';
import { isSignedBy, type SignedPayload } from './trusted-keys.ts';

/** Checkpoint as the database stores it. Its integers are text, because a forged one may exceed those of a double. */
export interface CheckpointRow extends SignedPayload {
  readonly number: string;
  readonly sequence: string;
}

/**
 * Signer of a checkpoint. `own`: the key of this sealer. `published`: another key that the database publishes. `unknown`: a key that the
 * database does not publish. `forged`: not a sealer, because the signature or the payload does not fit the row.
 */
export type CheckpointOrigin = 'own' | 'published' | 'unknown' | 'forged';

interface ClassifyCheckpointInput {
  readonly tenantId: string;
  readonly checkpoint: CheckpointRow;
  /** Reads the keys that the database publishes. Not called for a checkpoint by the sealer's own key. */
  readonly publishedKeys: () => Promise<readonly Uint8Array[]>;
}

/** Finds out who signed a checkpoint, before a sealer continues its chain. */
export type ClassifyCheckpoint = (input: ClassifyCheckpointInput) => Promise<CheckpointOrigin>;

const describesRow = (
  payload: CheckpointPayload | undefined,
  { tenantId, checkpoint }: Pick<ClassifyCheckpointInput, 'tenantId' | 'checkpoint'>,
): boolean =>
  payload?.tenant_id === tenantId &&
  String(payload.number) === checkpoint.number &&
  String(payload.sequence) === checkpoint.sequence &&
  /^[0-9a-f]{64}$/.test(payload.hash);

export function createClassifyCheckpoint(signer: Pick<AuditSigner, 'keyId' | 'publicKey'>): ClassifyCheckpoint {
  const ownKeys = trustedKeys([signer.publicKey]);
  return async ({ tenantId, checkpoint, publishedKeys }) => {
    if (!describesRow(readCheckpoint(checkpoint.payload), { tenantId, checkpoint })) return 'forged';
    const isOwn = checkpoint.keyId === signer.keyId;
    // A published key of another length cannot be imported, and cannot have signed anything.
    const isKeyLength = (key: Uint8Array): boolean => key.length === signer.publicKey.length;
    const keys = isOwn ? ownKeys : trustedKeys((await publishedKeys()).filter(isKeyLength));
    if (!keys.has(checkpoint.keyId)) return 'unknown';
    if (!(await isSignedBy(keys, checkpoint))) return 'forged';
    return isOwn ? 'own' : 'published';
  };
}
