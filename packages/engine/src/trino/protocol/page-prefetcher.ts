import { nextUriInHead } from './page-head.ts';
import type { ResultPage } from './result-page.ts';

/** Requests one page, and passes what has arrived of it to `onPart`. */
export type FetchPage = (
  uri: string,
  options: { readonly before?: ResultPage | undefined; readonly onPart: (parts: readonly Buffer[]) => void },
) => Promise<ResultPage>;

interface RequestedPage {
  readonly uri: string;
  readonly page: Promise<ResultPage>;
  /** Address of the next page, from the head of this one; undefined until the head has arrived. */
  next: string | undefined;
}

/** Pages requested in addition to the one that is read. Two bring half of the gain, eight no more than four (measured). Trino sends pages of 1 MB. */
const PAGES_AHEAD_MAX = 4;
/** A page of one long row may have any size: after a page larger than this, only one is prefetched, as at the start. */
const COMMON_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Requests pages before the reader needs them. The head of a page contains the address of the next one, and Trino
 * writes several pages at once faster than one after the other, so a page is requested as soon as the head of the previous one
 * has arrived. Trino forgets a page when the next one is requested: a page that is lost in its middle then fails the result, and
 * is never skipped.
 */
export class PagePrefetcher {
  readonly #fetch: FetchPage;
  #requested: RequestedPage[] = [];
  /**
   * Number of pages that may be requested: one more after each page of common size, so that pages of unknown size are not
   * requested together.
   */
  #pagesMax = 1;

  constructor(fetch: FetchPage) {
    this.#fetch = fetch;
  }

  /** Returns the page at `uri`, whose predecessor `before` was read completely. Throws what `fetch` throws. */
  async take(uri: string, before: ResultPage): Promise<ResultPage> {
    this.#pagesMax = before.bytes.byteLength > COMMON_BYTES_MAX ? 1 : Math.min(this.#pagesMax + 1, PAGES_AHEAD_MAX);
    // Only a complete page says where the result continues: its head must have said the same.
    if (this.#requested[0]?.uri !== uri) this.#requested = [this.#request(uri, before)];
    const taken = this.#requested[0] as RequestedPage;
    try {
      return await taken.page;
    } finally {
      if (this.#requested[0] === taken) this.#requested.shift();
      this.#requestNext();
    }
  }

  #request(uri: string, before?: ResultPage): RequestedPage {
    const onPart = (parts: readonly Buffer[]): void => {
      if (requested.next !== undefined) return;
      requested.next = nextUriInHead(parts);
      if (requested.next !== undefined) this.#requestNext();
    };
    const requested: RequestedPage = { uri, next: undefined, page: this.#fetch(uri, { before, onPart }) };
    requested.page.catch(() => undefined); // the reader of the page gets the error
    return requested;
  }

  #requestNext(): void {
    const next = this.#requested.at(-1)?.next;
    if (next !== undefined && this.#requested.length < this.#pagesMax) this.#requested.push(this.#request(next));
  }
}
