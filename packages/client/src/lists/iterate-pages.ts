/** A page of a list. */
interface Page<Entry> {
  readonly data: readonly Entry[];
  /** Absent on the last page. */
  readonly next_page_token?: string | undefined;
}

/**
 * Yields the entries of all pages, one request at a time. A page may be empty and still not be the last.
 * @param read - returns the page of a token; undefined: the first page
 */
export async function* iteratePages<Entry>(
  read: (pageToken: string | undefined) => Promise<Page<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  let token: string | undefined;
  do {
    const page = await read(token);
    yield* page.data;
    token = page.next_page_token;
  } while (token !== undefined);
}
