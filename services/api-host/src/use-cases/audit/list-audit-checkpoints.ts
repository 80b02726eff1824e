import type { Caller } from '@sluice/contract';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';

interface ListAuditCheckpointsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
}

export interface AuditCheckpointsInput {
  /** Number of the last known checkpoint. */
  readonly after?: number;
  readonly size?: number;
}

const SIZE_DEFAULT = 100;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Returns a page of the tenant's signed checkpoints, and the public keys that verify them. */
export const createListAuditCheckpoints =
  ({ auditChain, audit }: ListAuditCheckpointsDependencies) =>
  async (caller: Caller, { after = 0, size = SIZE_DEFAULT }: AuditCheckpointsInput) => {
    const checkpoints = await auditChain.checkpoints(caller.principal.tenant.id, { after, size });
    const keys = await auditChain.keys();
    const metadata = { after, size, checkpoints: checkpoints.length };
    await audit.append(auditAccessRecord(caller, 'READ_AUDIT_CHECKPOINTS', metadata));
    return {
      data: checkpoints.map(({ payload, keyId, signature }) => ({
        payload,
        key_id: keyId,
        signature: base64(signature),
      })),
      keys: keys.map(({ keyId, publicKey }) => ({ key_id: keyId, public_key: base64(publicKey) })),
    };
  };

export type ListAuditCheckpoints = ReturnType<typeof createListAuditCheckpoints>;
