import { createAuditSigner, deriveAuditKey, parseAuditKey } from '@sluice/audit';
import { parseMasterKey } from '@sluice/auth';
import { SettingsError } from '@sluice/config';
import type { Logger } from '@sluice/observability';
import type { ExpiringValues } from '@sluice/shared-state';
import type { ApiHostSettings } from './config.ts';
import type { Stores } from './stores.ts';
import { createSealAuditLog } from './use-cases/seal-audit-log.ts';
import { createSearchAuditLogs } from './use-cases/search-audit-logs.ts';

export interface AuditServicesParts {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly values: ExpiringValues;
  readonly log: Logger;
  readonly now: () => number;
}

const signingKeyOf = ({ auditSigningKey, masterKey }: ApiHostSettings): Uint8Array => {
  try {
    return auditSigningKey === undefined
      ? deriveAuditKey(parseMasterKey(masterKey.reveal()))
      : parseAuditKey(auditSigningKey.reveal());
  } catch (thrown) {
    throw new SettingsError([`AUDIT_SIGNING_KEY ${thrown instanceof Error ? thrown.message : 'is not valid'}`]);
  }
};

export type AuditServices = ReturnType<typeof createAuditServices>;

/** The use-cases of the audit log. */
export function createAuditServices({ settings, stores, values, log, now }: AuditServicesParts) {
  const { audit, auditSearch, auditSeals } = stores;
  const signer = createAuditSigner(signingKeyOf(settings));
  const retentionMs = settings.auditRetentionMs;
  const sealAuditLog = createSealAuditLog({
    auditSeals,
    signer,
    // The database's clock is what it is held against, not one that a test moves.
    now: Date.now,
    onCut: (cut) => log.error({ event: 'audit_chain_cut', ...cut }, 'the audit chain is shorter than what was signed'),
  });
  return {
    sealAuditLog,
    searchAuditLogs: createSearchAuditLogs({ auditSearch, audit, values, retentionMs, now }),
  };
}
