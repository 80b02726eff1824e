import {
  type AuditSigner,
  type CheckpointPayload,
  genesisHash,
  hexOf,
  payloadHash,
  readCheckpoint,
  SEAL_VERSION,
  signCheckpoint,
} from '@sluice/audit';
import type { SignDropped } from '@sluice/store/audit';

/** Signs dropped ranges of a chain, or all of it, as the next checkpoint of the tenant. */
export const signDropped =
  (signer: AuditSigner, kind: Exclude<CheckpointPayload['kind'], 'checkpoint'>, now: () => number): SignDropped =>
  (tenantId, head, dropped) =>
    signCheckpoint(signer, {
      v: SEAL_VERSION,
      kind,
      tenant_id: tenantId,
      number: (head?.number ?? 0) + 1,
      sequence: head?.sequence ?? 0,
      hash: readCheckpoint(head?.payload ?? '')?.hash ?? hexOf(genesisHash(tenantId)),
      issued_ts: now(),
      previous: head === undefined ? null : payloadHash(head.payload),
      ...(dropped.length === 0 ? {} : { dropped }),
    });
