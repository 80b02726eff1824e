import { ResponseError } from '../errors.ts';

/** Pages without a new entry, one after the other, that a list may have. Hosts leave out entries that the caller may not see. */
const IDLE_PAGES_MAX = 1000;

/** Ends the reading of a list whose pages never end: a token that comes again, or one page after the other without a new entry. */
export class PageGuard {
  #pages = 0;
  #idlePages = 0;
  #marked: string | undefined;

  /**
   * Notes a page.
   * @param entries - number of its new entries
   * @param token - token of the page after it, if the list has tokens
   * @throws ResponseError `unexpected_response` if the list would never end
   */
  add(entries: number, token?: string): void {
    this.#pages += 1;
    this.#idlePages = entries > 0 ? 0 : this.#idlePages + 1;
    if (token !== undefined && token === this.#marked) throw endless('it has the token of an earlier page');
    if (this.#idlePages >= IDLE_PAGES_MAX) throw endless(`${IDLE_PAGES_MAX} of its pages have nothing new`);
    // Every 2^n-th token is remembered, which finds each cycle (R. P. Brent, 1980) without a list of all tokens.
    if (Number.isInteger(Math.log2(this.#pages))) this.#marked = token;
  }
}

const endless = (what: string): ResponseError =>
  new ResponseError(
    'unexpected_response',
    `The server's answer is not valid: the list has no end, because ${what}. Check the proxies on the way.`,
  );
