import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { type AuditCaller, readingRecord } from './audit-caller.ts';

export interface ListAuditCheckpointsDependencies {
  readonly auditChain: AuditChainStore;
  readonly audit: Pick<AuditStore, 'append'>;
}

const SIZE_DEFAULT = 100;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A page of the tenant's signed checkpoints, for whoever keeps them elsewhere, and the keys that verify them. */
export async function listAuditCheckpoints(
  { auditChain, audit }: ListAuditCheckpointsDependencies,
  caller: AuditCaller,
  { after = 0, size = SIZE_DEFAULT }: { readonly after?: number; readonly size?: number },
) {
  const checkpoints = await auditChain.checkpoints(caller.principal.tenant.id, { after, size });
  const keys = await auditChain.keys();
  await audit.append(readingRecord('READ_AUDIT_CHECKPOINTS', caller, { after, size, checkpoints: checkpoints.length }));
  return {
    data: checkpoints.map(({ payload, keyId, signature }) => ({
      payload,
      key_id: keyId,
      signature: base64(signature),
    })),
    keys: keys.map(({ keyId, publicKey }) => ({ key_id: keyId, public_key: base64(publicKey) })),
  };
}
