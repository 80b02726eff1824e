import { type ReceivedResponse, send } from '@sluice/testkit';
import type { Credential } from '@sluice/testkit/requests';

/** A page, as a client of Trino reads it. */
export interface TrinoPage {
  readonly id: string;
  readonly infoUri: string;
  readonly nextUri?: string;
  readonly columns?: readonly { readonly name: string; readonly type: string; readonly typeSignature: object }[];
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: {
    readonly message: string;
    readonly errorName: string;
    readonly errorCode: number;
    readonly errorType: string;
    readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number };
    readonly failureInfo: { readonly type: string; readonly suppressed: readonly []; readonly stack: readonly [] };
  };
  readonly stats: { readonly state: string; readonly processedRows: number } & Readonly<Record<string, unknown>>;
  readonly warnings: readonly [];
  readonly updateType?: string;
}

/** Capabilities of the newest drivers. */
const CAPABLE = { 'x-trino-client-capabilities': 'PARAMETRIC_DATETIME,NUMBER' };

/** Sends a statement as a driver does. */
export const begin = (url: string, sql: string, headers: Credential): Promise<ReceivedResponse> =>
  send(`${url}/v1/statement`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8', ...CAPABLE, ...headers },
    body: sql,
  });

/** Sends a statement that must be accepted. Returns the answer. */
export async function begun(url: string, sql: string, headers: Credential): Promise<TrinoPage> {
  const answer = await begin(url, sql, headers);
  if (answer.status !== 200) throw new Error(`the statement returned ${answer.status}: ${answer.text}`);
  return answer.body as TrinoPage;
}

/** Requests a page by its address, on another host if one is given. */
export const get = (uri: string, headers: Credential, { method = 'GET', at = '' } = {}): Promise<ReceivedResponse> =>
  send(at === '' ? uri : `${at}${new URL(uri).pathname}`, { method, headers: { ...headers } });

export interface Followed {
  readonly id: string;
  readonly pages: readonly TrinoPage[];
  readonly last: TrinoPage;
  /** All rows as sent, with the separator of the format between those of pages. */
  readonly rowsText: string;
}

/** The bytes of the rows of a page. Nothing before or after them has these texts. */
function rowsTextOf(text: string): string | undefined {
  const start = text.indexOf(',"data":[');
  return start === -1 ? undefined : text.slice(start + ',"data":['.length, text.lastIndexOf('],"stats":{'));
}

interface FollowOptions {
  /** Hosts that are asked for pages in turn. Default: that of the statement. */
  readonly hosts?: readonly string[];
  /** Called before each page. */
  readonly beforePage?: (number: number) => Promise<void>;
}

/** Follows the pages of an answer to their end. Throws for any status but 200. */
export async function follow(
  first: Pick<TrinoPage, 'id' | 'nextUri'>,
  headers: Credential,
  { hosts = [''], beforePage }: FollowOptions = {},
): Promise<Followed> {
  const pages: TrinoPage[] = [];
  const rows: string[] = [];
  let uri = first.nextUri;
  for (let number = 0; uri !== undefined; number += 1) {
    await beforePage?.(number);
    const answer = await get(uri, headers, { at: hosts[number % hosts.length] ?? '' });
    if (answer.status !== 200) throw new Error(`the page ${uri} returned ${answer.status}: ${answer.text}`);
    const page = answer.body as TrinoPage;
    pages.push(page);
    const text = rowsTextOf(answer.text);
    if (text !== undefined) rows.push(text);
    uri = page.nextUri;
  }
  return { id: first.id, pages, last: pages.at(-1) as TrinoPage, rowsText: rows.join(',\n') };
}

/** Runs a statement to its end. */
export const run = async (url: string, sql: string, headers: Credential, options?: FollowOptions): Promise<Followed> =>
  follow(await begun(url, sql, headers), headers, options);

/** Returns all rows of a followed statement. */
export const rowsOf = ({ pages }: Followed): readonly (readonly unknown[])[] => pages.flatMap(({ data = [] }) => data);
