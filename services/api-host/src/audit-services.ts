import type { ExpiringValues } from '@sluice/shared-state';
import type { ApiHostSettings } from './config.ts';
import type { Stores } from './stores.ts';
import { createSearchAuditLogs } from './use-cases/search-audit-logs.ts';

export interface AuditServicesParts {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly values: ExpiringValues;
  readonly now: () => number;
}

export type AuditServices = ReturnType<typeof createAuditServices>;

/** The use-cases of the audit log. */
export function createAuditServices({ settings, stores, values, now }: AuditServicesParts) {
  const { audit, auditSearch } = stores;
  const retentionMs = settings.auditRetentionMs;
  return {
    searchAuditLogs: createSearchAuditLogs({ auditSearch, audit, values, retentionMs, now }),
  };
}
