import { nextUriInHead } from './page-head.ts';
import type { ResultPage } from './result-page.ts';

/** Asks for one page, telling `onPart` of what came of it so far. */
export type FetchPage = (
  uri: string,
  options: { readonly before?: ResultPage | undefined; readonly onPart: (parts: readonly Buffer[]) => void },
) => Promise<ResultPage>;

interface AskedPage {
  readonly uri: string;
  readonly page: Promise<ResultPage>;
  /** By its head; undefined until that is there. */
  next: string | undefined;
}

/** Besides the page that is read. Two are half of the gain, and eight are no more (measured). Trino makes pages of 1 MB. */
const PAGES_AHEAD_MAX = 4;
/** A page of one long row may be any size: after a larger one than this, there is one ahead of the reader as at the beginning. */
const COMMON_BYTES_MAX = 4 * 1024 * 1024;

/**
 * Pages that were asked for before the reader wants them. Where the next one is stands in a page's head, and Trino writes several
 * pages at once faster than one after the other, so a page is asked for as soon as the head of the one before it is there. Trino
 * forgets a page when the next one is asked for: one that is lost in its middle then fails the result, and is never left out.
 */
export class PagesAhead {
  readonly #fetch: FetchPage;
  #asked: AskedPage[] = [];
  /** As many pages may be asked for: one more after each of common size, so that none of unknown size are taken at once. */
  #room = 1;

  constructor(fetch: FetchPage) {
    this.#fetch = fetch;
  }

  /** The page at `uri`, whose predecessor was read whole and is `before`. Throws what `fetch` does. */
  async take(uri: string, before: ResultPage): Promise<ResultPage> {
    this.#room = before.bytes.byteLength > COMMON_BYTES_MAX ? 1 : Math.min(this.#room + 1, PAGES_AHEAD_MAX);
    // Nothing but a whole page says where the result goes on: what its head said must be the same.
    if (this.#asked[0]?.uri !== uri) this.#asked = [this.#ask(uri, before)];
    const taken = this.#asked[0] as AskedPage;
    try {
      return await taken.page;
    } finally {
      if (this.#asked[0] === taken) this.#asked.shift();
      this.#askOn();
    }
  }

  #ask(uri: string, before?: ResultPage): AskedPage {
    const onPart = (parts: readonly Buffer[]): void => {
      if (asked.next !== undefined) return;
      asked.next = nextUriInHead(parts);
      if (asked.next !== undefined) this.#askOn();
    };
    const asked: AskedPage = { uri, next: undefined, page: this.#fetch(uri, { before, onPart }) };
    asked.page.catch(() => undefined); // whoever takes it hears of it
    return asked;
  }

  #askOn(): void {
    const next = this.#asked.at(-1)?.next;
    if (next !== undefined && this.#asked.length < this.#room) this.#asked.push(this.#ask(next));
  }
}
