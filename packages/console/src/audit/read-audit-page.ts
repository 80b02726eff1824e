import type { AuditEntry, Client } from '@sluice/client';
import { type AuditPosition, type AuditRequestFilter, type AuditSearch, filterOf } from '../router/audit-address.ts';

/** Records of one page. */
export const AUDIT_PAGE_RECORDS = 50;

/** A page of records, newest first. */
export interface AuditRecordPage {
  readonly records: readonly AuditEntry[];
  /** Number of records from the first one of the page on, in the direction of the search. */
  readonly total: number;
  /** Whether more than `total` may match: words were searched in a part of the log only. */
  readonly isAtLeast: boolean;
  /** Position from which the search continues, if it stopped within the log before the page was full. */
  readonly stoppedAt: AuditPosition | undefined;
  /** Time of the first record that names tables, null if there is none. Only of a search for a table. */
  readonly readsSince: number | null | undefined;
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

/** Pages of a search in its order, each with the facts of the first one. */
async function* pagesOf(api: AuditApi, { filter, position, signal }: PageRequest) {
  const body = {
    size: AUDIT_PAGE_RECORDS + 1,
    sort_value: isNewer(position) ? ('asc' as const) : ('desc' as const),
    ...(filter.advance_options === undefined ? {} : { advance_options: filter.advance_options }),
    ...rangeOf(filter, position),
  };
  let page = await api.searchAuditLogs({ body, signal });
  const { total, at_least: isAtLeast = false, reads_since: readsSince } = page;
  for (;;) {
    yield { page, total, isAtLeast, readsSince };
    if (page.next_page_token === undefined) return;
    page = await api.nextAuditPage({ query: { page_token: page.next_page_token }, signal });
  }
}

/** Parts of a large log that are searched before the user is asked whether to go on: each takes up to a second. */
const SEARCHED_PARTS_MAX = 20;
/** No record: the one at a time is not known. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Records of a page of the list, with those before its position. */
class PageRecords {
  readonly #position: AuditPosition | undefined;
  #records: AuditEntry[] = [];
  #isPast: boolean;
  skipped = 0;

  constructor(position: AuditPosition | undefined) {
    this.#position = position;
    this.#isPast = position === undefined;
  }

  /** Adds records until the page is full, and one more. */
  add(records: readonly AuditEntry[]): void {
    for (const record of records) {
      if (this.isFull) return;
      this.#records.push(record);
      if (!this.#isPast && record.id === this.#position?.id) {
        this.skipped = this.#records.length;
        this.#records = [];
        this.#isPast = true;
      }
      // The record of a position may have left the log. Then nothing is skipped.
      this.#isPast ||= record.timestamp !== this.#position?.timestamp;
    }
  }

  get isFull(): boolean {
    return this.#isPast && this.#records.length > AUDIT_PAGE_RECORDS;
  }

  get shown(): readonly AuditEntry[] {
    return this.#records.slice(0, AUDIT_PAGE_RECORDS);
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
  const direction = isNewer(position) ? 'newer' : 'older';
  const found = new PageRecords(position);
  let [total, isAtLeast, parts] = [0, false, 0];
  let stoppedAt: AuditPosition | undefined;
  let readsSince: number | null | undefined;
  for await (const { page, ...facts } of pagesOf(client.api, {
    filter: filterOf(search, Date.now()),
    position,
    signal,
  })) {
    ({ total, isAtLeast, readsSince } = facts);
    found.add(page.data);
    if (found.isFull) break;
    if (page.searched_to !== undefined) parts += 1;
    if (page.searched_to === undefined || parts < SEARCHED_PARTS_MAX) continue;
    stoppedAt = { direction, timestamp: page.searched_to, id: NO_ID };
    break;
  }
  const hasMore = found.isFull || stoppedAt !== undefined;
  const facts = { total: total - found.skipped, isAtLeast, stoppedAt, readsSince };
  return isNewer(position)
    ? { ...facts, records: found.shown.toReversed(), hasOlder: true, hasNewer: hasMore }
    : { ...facts, records: found.shown, hasOlder: hasMore, hasNewer: position !== undefined };
}

/** Returns the position from which the records before or after those of a page follow. */
export function positionBeside(
  page: AuditRecordPage,
  direction: AuditPosition['direction'],
): AuditPosition | undefined {
  if (page.stoppedAt?.direction === direction) return page.stoppedAt;
  const record = direction === 'older' ? page.records.at(-1) : page.records[0];
  return record === undefined ? undefined : { direction, timestamp: record.timestamp, id: record.id };
}
