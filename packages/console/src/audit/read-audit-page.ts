import type { AuditEntry, Client } from '@sluice/client';
import { type AuditPosition, type AuditRequestFilter, type AuditSearch, filterOf } from '../router/audit-address.ts';

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
  readonly position: AuditPosition | undefined;
  readonly signal: AbortSignal;
}

const isNewer = (position: AuditPosition | undefined): boolean => position?.direction === 'newer';

/** Returns the range of a page. It has all records of the millisecond of its position, because a search knows no shorter time. */
function rangeOf(
  { start, end }: AuditRequestFilter,
  position: AuditPosition | undefined,
): { start?: number; end?: number } {
  const range = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
  if (position === undefined) return range;
  return isNewer(position)
    ? { ...range, start: Math.max(position.timestamp, start ?? 0) }
    : { ...range, end: Math.min(position.timestamp + 1, end ?? Number.POSITIVE_INFINITY) };
}

/** Records of a search in its order, over all pages. */
async function* recordsOf(api: AuditApi, { filter, position, signal }: PageRequest) {
  const body = {
    size: AUDIT_PAGE_RECORDS + 1,
    sort_value: isNewer(position) ? ('asc' as const) : ('desc' as const),
    ...(filter.advance_options === undefined ? {} : { advance_options: filter.advance_options }),
    ...rangeOf(filter, position),
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
 * Reads the records after a position, or the newest ones. The position is a record and not a page number, so an address shows the same records
 * again at any depth of the log, while new records arrive and after page tokens have expired.
 */
export async function readAuditPage(
  client: { readonly api: AuditApi },
  search: AuditSearch,
  signal: AbortSignal,
): Promise<AuditRecordPage> {
  const { position } = search;
  let records: AuditEntry[] = [];
  let [skipped, total] = [0, 0];
  let isPast = position === undefined;
  for await (const each of recordsOf(client.api, { filter: filterOf(search, Date.now()), position, signal })) {
    total = each.total;
    records.push(each.record);
    if (!isPast && each.record.id === position?.id) {
      skipped = records.length;
      records = [];
      isPast = true;
    }
    // The record of a position may have left the log. Then nothing is skipped.
    isPast ||= each.record.timestamp !== position?.timestamp;
    if (isPast && records.length > AUDIT_PAGE_RECORDS) break;
  }
  const hasMore = records.length > AUDIT_PAGE_RECORDS;
  const shown = records.slice(0, AUDIT_PAGE_RECORDS);
  return isNewer(position)
    ? { records: shown.toReversed(), total: total - skipped, hasOlder: true, hasNewer: hasMore }
    : { records: shown, total: total - skipped, hasOlder: hasMore, hasNewer: position !== undefined };
}

/** Returns the position from which the records before or after those of a page follow. */
export function positionBeside(
  page: AuditRecordPage,
  direction: AuditPosition['direction'],
): AuditPosition | undefined {
  const record = direction === 'older' ? page.records.at(-1) : page.records[0];
  return record === undefined ? undefined : { direction, timestamp: record.timestamp, id: record.id };
}
