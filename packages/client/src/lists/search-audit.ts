import type { ApiOperationTypes } from '../contract-types.ts';
import { ResponseError } from '../errors.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';
import { PageGuard } from './page-guard.ts';

type AuditSearch = ApiOperationTypes['searchAuditLogs']['body'];
export type AuditEntry = ApiOperationTypes['searchAuditLogs']['result']['data'][number];

export interface SearchAuditOptions extends Pick<CallOptions, 'signal'> {
  /**
   * Called once for a search with the filter `reads`: epoch milliseconds of the first record that names the tables it read, null if there is
   * none. Earlier records of statements are not found.
   */
  readonly onReadsSince?: (since: number | null) => void;
}

/** Records that were yielded with the last timestamp, so that a new search can continue behind them. */
class Position {
  #timestamp: number | undefined;
  #ids = new Set<string>();

  /** Returns whether the record is new. */
  add({ timestamp, id }: AuditEntry): boolean {
    if (this.#timestamp === timestamp && this.#ids.has(id)) return false;
    if (this.#timestamp !== timestamp) this.#ids = new Set();
    this.#timestamp = timestamp;
    this.#ids.add(id);
    return true;
  }

  /** Returns the search for the rest, which begins with the records of the last timestamp again. */
  rest(search: AuditSearch): AuditSearch {
    if (this.#timestamp === undefined) return search;
    return search.sort_value === 'asc'
      ? { ...search, start: this.#timestamp }
      : { ...search, end: this.#timestamp + 1 };
  }
}

/**
 * Yields the records of a search, over all pages. A page token is valid for 120 s; when the loop takes longer, the search continues at
 * the last timestamp, without repeating a record.
 */
export async function* searchAudit(
  api: Pick<ApiOperations, 'searchAuditLogs' | 'nextAuditPage'>,
  search: AuditSearch = {},
  { onReadsSince, ...options }: SearchAuditOptions = {},
): AsyncGenerator<AuditEntry, void, undefined> {
  const position = new Position();
  const guard = new PageGuard();
  const first = () => api.searchAuditLogs({ ...options, body: position.rest(search) });
  let page = await first();
  if (page.reads_since !== undefined) onReadsSince?.(page.reads_since);
  for (;;) {
    let entries = 0;
    for (const entry of page.data) {
      if (!position.add(entry)) continue;
      entries += 1;
      yield entry;
    }
    const token = page.next_page_token;
    if (token === undefined) return;
    guard.add(entries, token);
    try {
      page = await api.nextAuditPage({ ...options, query: { page_token: token } });
    } catch (error) {
      if (!(error instanceof ResponseError) || error.code !== 'invalid_page_token') throw error;
      page = await first();
    }
  }
}
