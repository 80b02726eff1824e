import type { Caller } from '@sluice/contract';
import type { AuditPosition, AuditSearchStore } from '@sluice/store/audit';
import { auditAccessRecord } from './audit-access-record.ts';
import type { AuditPageStates, PageState } from './audit-page-states.ts';

export interface AuditPageReaderDependencies {
  readonly auditSearch: Pick<AuditSearchStore, 'page'>;
  readonly pageStates: Pick<AuditPageStates, 'put'>;
}

type PageToRead = Omit<PageState, 'from'> & { readonly from?: AuditPosition };

/** Members of a page besides its records. */
interface PageFacts extends Pick<PageState, 'total' | 'isAtLeast' | 'readsSince'> {
  readonly searchedTo: number | undefined;
  readonly token?: string;
}

const pageJson = (records: Buffer, { total, isAtLeast, searchedTo, token, readsSince }: PageFacts): Buffer => {
  const begin = `{"total":${total},${isAtLeast === true ? '"at_least":true,' : ''}"data":[`;
  const end = [
    ...(searchedTo === undefined ? [] : [`,"searched_to":${searchedTo}`]),
    ...(token === undefined ? [] : [`,"next_page_token":"${token}"`]),
    ...(readsSince === undefined ? [] : [`,"reads_since":${readsSince}`]),
  ];
  return Buffer.concat([Buffer.from(begin), records, Buffer.from(`]${end.join('')}}`)]);
};

/** Reads a page, writes the record of the read, and only then returns the JSON of the page in UTF-8. */
export const createAuditPageReader =
  ({ auditSearch, pageStates }: AuditPageReaderDependencies) =>
  async (caller: Caller, state: PageToRead): Promise<Buffer> => {
    const { asked, page, total, isAtLeast, readsSince } = state;
    const { records, next, searchedTo } = await auditSearch.page(state, (count) =>
      auditAccessRecord(caller, 'SEARCH_AUDIT_LOGS', { ...asked, page, records: count, total }),
    );
    const facts = { total, isAtLeast, searchedTo, readsSince };
    if (next === undefined) return pageJson(records, facts);
    return pageJson(records, { ...facts, token: await pageStates.put({ ...state, page: page + 1, from: next }) });
  };
