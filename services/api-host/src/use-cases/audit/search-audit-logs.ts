import type { NameDigest } from '@sluice/auth';
import type { AuditSearch, Caller } from '@sluice/contract';
import type { AuditSearchStore } from '@sluice/store/audit';
import { auditFilterOf, filterMetadata, visibleFrom } from './audit-filter.ts';
import { type AuditPageReaderDependencies, createAuditPageReader } from './audit-page-reader.ts';

interface SearchAuditLogsDependencies extends AuditPageReaderDependencies {
  readonly auditSearch: AuditSearchStore;
  readonly retentionMs: number;
  readonly nameDigest: NameDigest;
  readonly now: () => number;
}

export type SearchAuditLogs = (caller: Caller, search: AuditSearch) => Promise<Buffer>;

/** Returns the first page of a search as JSON in UTF-8. Throws `audit_unavailable` when the read cannot be recorded. */
export function createSearchAuditLogs(dependencies: SearchAuditLogsDependencies): SearchAuditLogs {
  const { auditSearch, retentionMs, nameDigest, now } = dependencies;
  const readPage = createAuditPageReader(dependencies);
  return async (caller, search) => {
    const { tenant, id: accountId } = caller.principal;
    const { size, sort_value: order } = search;
    const filter = auditFilterOf(search, {
      tenantId: tenant.id,
      from: visibleFrom(tenant, retentionMs, now()),
      nameDigest,
    });
    const view = await auditSearch.open(tenant.id, filter, order);
    const asked = { size, sort_value: order, ...filterMetadata(search) };
    return await readPage(caller, { tenantId: tenant.id, accountId, filter, asked, order, size, ...view, page: 1 });
  };
}
