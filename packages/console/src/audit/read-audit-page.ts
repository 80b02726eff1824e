import type { AuditEntry, Client } from '@sluice/client';
import { type AuditPlace, type AuditRequestFilter, type AuditSearch, filterOf } from '../router/audit-address.ts';

/** Records of one page. */
export const AUDIT_PAGE_RECORDS = 50;

/** A page of records, newest first. */
export interface AuditRecordPage {
  readonly records: readonly AuditEntry[];
  /** Number of records from the first one of the page on, in the direction of the search. */
  readonly total: number;
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

type AuditApi = Pick<Client['api'], 'searchAuditLogs' | 'nextAuditPage'>;

interface PageRequest {
  readonly filter: AuditRequestFilter;
  readonly place: AuditPlace | undefined;
  readonly signal: AbortSignal;
}

const isNewer = (place: AuditPlace | undefined): boolean => place?.direction === 'newer';

/** Returns the range of a page. It has all records of the millisecond of its place, because a search knows no shorter time. */
function rangeOf({ start, end }: AuditRequestFilter, place: AuditPlace | undefined): { start?: number; end?: number } {
  const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  if (place === undefined) return range;
  return isNewer(place)
    ? { ...range, start: Math.max(place.timestamp, start ?? 0) }
    : { ...range, end: Math.min(place.timestamp + 1, end ?? Number.POSITIVE_INFINITY) };
}

/** Records of a search in its order, over all pages. */
async function* recordsOf(api: AuditApi, { filter, place, signal }: PageRequest) {
  const body = {
    size: AUDIT_PAGE_RECORDS + 1,
    sort_value: isNewer(place) ? ('asc' as const) : ('desc' as const),
    ...(filter.advance_options === undefined ? {} : { advance_options: filter.advance_options }),
    ...rangeOf(filter, place),
  };
  let page = await api.searchAuditLogs({ body, signal });
  const { total } = page;
  for (;;) {
    for (const record of page.data) yield { record, total };
    if (page.next_page_token === undefined) return;
    page = await api.nextAuditPage({ query: { page_token: page.next_page_token }, signal });
  }
}

/**
 * Reads the records after a place, or the newest ones. The place is a record and not a page number, so an address shows the same records
 * again at any depth of the log, while new records arrive and after page tokens have expired.
 */
export async function readAuditPage(
  client: { readonly api: AuditApi },
  search: AuditSearch,
  signal: AbortSignal,
): Promise<AuditRecordPage> {
  const { place } = search;
  let records: AuditEntry[] = [];
  let [skipped, total] = [0, 0];
  let isPast = place === undefined;
  for await (const each of recordsOf(client.api, { filter: filterOf(search, Date.now()), place, signal })) {
    total = each.total;
    records.push(each.record);
    if (!isPast && each.record.id === place?.id) {
      skipped = records.length;
      records = [];
      isPast = true;
    }
    // The record of a place may have left the log. Then nothing is skipped.
    isPast ||= each.record.timestamp !== place?.timestamp;
    if (isPast && records.length > AUDIT_PAGE_RECORDS) break;
  }
  const hasMore = records.length > AUDIT_PAGE_RECORDS;
  const shown = records.slice(0, AUDIT_PAGE_RECORDS);
  return isNewer(place)
    ? { records: shown.toReversed(), total: total - skipped, hasOlder: true, hasNewer: hasMore }
    : { records: shown, total: total - skipped, hasOlder: hasMore, hasNewer: place !== undefined };
}

/** Returns the place from which the records before or after those of a page follow. */
export function placeBeside(page: AuditRecordPage, direction: AuditPlace['direction']): AuditPlace | undefined {
  const record = direction === 'older' ? page.records.at(-1) : page.records[0];
  return record === undefined ? undefined : { direction, timestamp: record.timestamp, id: record.id };
}
