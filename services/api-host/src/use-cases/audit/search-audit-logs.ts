import { createOpaqueToken, hashOpaqueToken, type NameDigest } from '@sluice/auth';
import { type AuditSearch, type Principal, ProblemError } from '@sluice/contract';
import type { ExpiringValues } from '@sluice/shared-state';
import type { AuditFilter, AuditPosition, AuditSearchStore } from '@sluice/store';
import { type AuditCaller, readingRecord } from './audit-caller.ts';
import { filterOf, narrowingRecord, visibleFrom } from './audit-range.ts';

/** Of a page token, from the answer that gave it. */
const TOKEN_LIFETIME_MS = 120_000;

export interface SearchAuditLogsDependencies {
  readonly auditSearch: AuditSearchStore;
  readonly values: ExpiringValues;
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

/** What stands behind a page token. */
interface PageState {
  readonly tenantId: string;
  readonly accountId: string;
  readonly filter: AuditFilter;
  /** As the records of the readings tell the search. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly order: 'asc' | 'desc';
  readonly size: number;
  readonly snapshot: string;
  readonly total: number;
  readonly page: number;
  readonly from: AuditPosition;
}

/** Of any other form than ours it was never given out. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const refuse = (): ProblemError =>
  new ProblemError(
    'invalid_page_token',
    'The page token is unknown, older than 120 seconds or not yours. Search again.',
  );

/** Not the token itself: who reads what hosts share could use it. */
const keyOf = (token: string): string => `audit-page:${Buffer.from(hashOpaqueToken(token)).toString('base64url')}`;

const pageOf = (total: number, records: Buffer, token?: string): Buffer =>
  Buffer.concat([
    Buffer.from(`{"total":${total},"data":[`),
    records,
    Buffer.from(token === undefined ? ']}' : `],"next_page_token":"${token}"}`),
  ]);

const isOf = ({ tenantId, accountId }: PageState, { tenant, id }: Principal): boolean =>
  tenantId === tenant.id && accountId === id;

export function createSearchAuditLogs(dependencies: SearchAuditLogsDependencies): SearchAuditLogs {
  const { auditSearch, values, retentionMs, nameDigest, now } = dependencies;

  /** Reads, records the reading, and only then answers. */
  const answer = async (caller: AuditCaller, wanted: Omit<PageState, 'from'> & { from?: AuditPosition }) => {
    const { asked, page, total } = wanted;
    const { records, next } = await auditSearch.page(wanted, (count) =>
      readingRecord('SEARCH_AUDIT_LOGS', caller, { ...asked, page, records: count, total }),
    );
    if (next === undefined) return pageOf(total, records);
    const token = createOpaqueToken();
    const state: PageState = { ...wanted, page: page + 1, from: next };
    await values.put(keyOf(token), JSON.stringify(state), TOKEN_LIFETIME_MS);
    return pageOf(total, records, token);
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
      const found = TOKEN.test(token) ? await values.get(keyOf(token)) : undefined;
      if (found === undefined) throw refuse();
      const state = JSON.parse(found) as PageState;
      if (!isOf(state, caller.principal)) throw refuse();
      return await answer(caller, state);
    },
  };
}
