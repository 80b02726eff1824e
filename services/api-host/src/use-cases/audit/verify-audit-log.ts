import { type TrustedKeys, type Verdict, verifyChain } from '@sluice/audit';
import type { AuditVerification } from '@sluice/store/audit';

interface AuditLogToVerify {
  readonly log: Omit<AuditVerification, typeof Symbol.asyncDispose>;
  readonly keys: TrustedKeys;
  /** Payloads of checkpoints that are stored elsewhere, by tenant and number. */
  readonly saved: ReadonlyMap<string, ReadonlyMap<number, string>>;
}

/** Verifies the log of each tenant. Includes tenants of which only checkpoints stored elsewhere are left. */
export async function* verifyAuditLog({ log, keys, saved }: AuditLogToVerify): AsyncGenerator<Verdict> {
  const tenantIds = new Set([...(await log.tenantIds()), ...saved.keys()]);
  for (const tenantId of tenantIds) {
    yield await verifyChain({
      tenantId,
      keys,
      saved: saved.get(tenantId),
      checkpoints: () => log.checkpoints(tenantId),
      entries: () => log.entries(tenantId),
      unsealed: () => log.unsealed(tenantId),
      clock: () => log.clock(),
      countMismatch: () => log.countMismatch(tenantId),
      receiptMismatch: () => log.receiptMismatch(tenantId),
      retention: () => log.retention(tenantId),
    });
  }
}
