import type { NameDigest } from '@sluice/auth';
import type { AuditSearch } from '@sluice/contract';
import type { AuditPosition, AuditSearchStore } from '@sluice/store/audit';
import { type AuditCaller, readingRecord } from './audit-caller.ts';
import type { AuditPageStates, PageState } from './audit-page-states.ts';
import { filterOf, narrowingRecord, visibleFrom } from './audit-range.ts';

export interface SearchAuditLogsDependencies {
  readonly auditSearch: AuditSearchStore;
  readonly pageStates: AuditPageStates;
  readonly retentionMs: number;
  readonly nameDigest: NameDigest;
  readonly now: () => number;
}

export interface SearchAuditLogs {
  /** Both answer the JSON of a page in UTF-8. Throws `audit_unavailable` when the reading cannot be recorded. */
  first(caller: AuditCaller, search: AuditSearch): Promise<Buffer>;
  /** Throws `invalid_page_token` for a token that is not this caller's, or no more. */
  next(caller: AuditCaller, token: string): Promise<Buffer>;
}

const pageOf = (total: number, records: Buffer, token?: string): Buffer =>
  Buffer.concat([
    Buffer.from(`{"total":${total},"data":[`),
    records,
    Buffer.from(token === undefined ? ']}' : `],"next_page_token":"${token}"}`),
  ]);

export function createSearchAuditLogs(dependencies: SearchAuditLogsDependencies): SearchAuditLogs {
  const { auditSearch, pageStates, retentionMs, nameDigest, now } = dependencies;

  /** Reads, records the reading, and only then answers. */
  const answer = async (caller: AuditCaller, wanted: Omit<PageState, 'from'> & { from?: AuditPosition }) => {
    const { asked, page, total } = wanted;
    const { records, next } = await auditSearch.page(wanted, (count) =>
      readingRecord('SEARCH_AUDIT_LOGS', caller, { ...asked, page, records: count, total }),
    );
    if (next === undefined) return pageOf(total, records);
    return pageOf(total, records, await pageStates.put({ ...wanted, page: page + 1, from: next }));
  };

  return {
    async first(caller, search) {
      const { tenant, id: accountId } = caller.principal;
      const { size, sort_value: order } = search;
      const filter = filterOf(search, {
        tenantId: tenant.id,
        from: visibleFrom(tenant, retentionMs, now()),
        nameDigest,
      });
      const view = await auditSearch.open(tenant.id, filter);
      const asked = { size, sort_value: order, ...narrowingRecord(search) };
      return await answer(caller, { tenantId: tenant.id, accountId, filter, asked, order, size, ...view, page: 1 });
    },
    async next(caller, token) {
      const { tenant, id: accountId } = caller.principal;
      const state = await pageStates.get({ tenantId: tenant.id, accountId }, token);
      return await answer(caller, state);
    },
  };
}
