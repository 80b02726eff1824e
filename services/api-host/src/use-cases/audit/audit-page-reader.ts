import type { Caller } from '@sluice/contract';
import type { AuditPosition, AuditSearchStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';
import type { AuditPageStates, PageState } from './audit-page-states.ts';

export interface AuditPageReaderDependencies {
  readonly auditSearch: Pick<AuditSearchStore, 'page'>;
  readonly pageStates: Pick<AuditPageStates, 'put'>;
}

type PageToRead = Omit<PageState, 'from'> & { readonly from?: AuditPosition };

const pageJson = ({ total, readsSince }: PageToRead, records: Buffer, token?: string): Buffer => {
  const last = token === undefined ? '' : `,"next_page_token":"${token}"`;
  const since = readsSince === undefined ? '' : `,"reads_since":${readsSince}`;
  return Buffer.concat([Buffer.from(`{"total":${total},"data":[`), records, Buffer.from(`]${last}${since}}`)]);
};

/** Reads a page, writes the record of the read, and only then returns the JSON of the page in UTF-8. */
export const createAuditPageReader =
  ({ auditSearch, pageStates }: AuditPageReaderDependencies) =>
  async (caller: Caller, state: PageToRead): Promise<Buffer> => {
    const { asked, page, total } = state;
    const { records, next } = await auditSearch.page(state, (count) =>
      auditAccessRecord(caller, 'SEARCH_AUDIT_LOGS', { ...asked, page, records: count, total }),
    );
    if (next === undefined) return pageJson(state, records);
    return pageJson(state, records, await pageStates.put({ ...state, page: page + 1, from: next }));
  };
