import { createHash } from 'node:crypto';
import { type Client, IncompleteResultError, QueryFailedError } from '@sluice/client';
import { visibleLine } from '@sluice/contract/visible-text';
import { CommandError, NotLoggedInError } from '../errors.ts';
import { readPage, type TrinoPage } from './read-page.ts';

/** Rows that arrived through the Trino door. */
export interface DoorResult {
  readonly queryId: string;
  readonly rows: number;
  /** Length and hash of the rows in the form of their receipt. */
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called after each page with what has arrived. */
  readonly onPage: (soFar: Pick<DoorResult, 'rows' | 'bytes'>) => Promise<void> | void;
}

const STATEMENTS = '/v1/statement';
const PAGES = `${STATEMENTS}/executing/`;
/** The newest drivers send these. Without them, the values of some types would not be those of the receipt. */
const HEADERS = {
  'x-trino-client-capabilities': 'PARAMETRIC_DATETIME,NUMBER',
  'x-trino-source': 'sluice verify',
};
/** Bytes between two rows, as a receipt describes them: each row is a line. */
const SEPARATOR = ',\n';
/** The statement is cancelled within this time when the command ends early; later the host does it, for want of a request. */
const CANCEL_TIMEOUT_MS = 1_000;

/**
 * Runs a statement as a client of Trino does, and reads its rows to their end.
 * @throws QueryFailedError if it fails, IncompleteResultError for what is not a page, NotLoggedInError, CommandError if the host has no door
 * or refuses the statement, and errors of the client
 */
export async function readThroughDoor(
  client: Client,
  sql: string,
  { signal, onPage }: ReadOptions,
): Promise<DoorResult> {
  const begun = await request(client, { method: 'POST', path: STATEMENTS, body: sql, signal });
  const { queryId } = begun;
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  let path = pathOf(begun);
  try {
    while (path !== undefined) {
      const page = await request(client, { method: 'GET', path, signal });
      path = pathOf(page);
      if (page.failure !== undefined) throw new QueryFailedError('query_failed', page.failure, { queryId });
      if (page.rows.length === 0) continue;
      const text = `${rows === 0 ? '' : SEPARATOR}${page.rows.join(SEPARATOR)}`;
      hash.update(text);
      rows += page.rows.length;
      bytes += Buffer.byteLength(text);
      await onPage({ rows, bytes });
    }
  } finally {
    if (path !== undefined) await cancel(client, path);
  }
  return { queryId, rows, bytes, sha256: hash.digest('hex') };
}

interface PageRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** A page, and the query that it is of. */
type ReceivedPage = TrinoPage & { readonly queryId: string };

async function request(client: Client, { method, path, body, signal }: PageRequest): Promise<ReceivedPage> {
  const headers = { ...HEADERS, ...(body === undefined ? {} : { 'content-type': 'text/plain' }) };
  const sent = { method, path, host: 'stream', headers, signal } as const;
  const response = await client.request(body === undefined ? sent : { ...sent, body });
  const queryId = response.headers.get('x-query-id') ?? '';
  const text = await response.text().catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new IncompleteResultError('cut', 'The connection ended in the middle of a page.', { queryId, cause });
  });
  if (response.status !== 200) throw refusal(response.status, path, text);
  try {
    return { ...readPage(text), queryId };
  } catch (cause) {
    const message = 'The answer is not a page of Trino’s protocol. Check the URL and the proxies on the way.';
    throw new IncompleteResultError('malformed', message, { queryId, cause });
  }
}

/** Returns the path of the next page. Its origin is not followed: the credential is for the host of the profile. */
function pathOf({ nextUri, queryId }: ReceivedPage): string | undefined {
  if (nextUri === undefined) return undefined;
  const at = nextUri.indexOf(PAGES);
  if (at !== -1) return nextUri.slice(at);
  throw new IncompleteResultError('malformed', `The next page is at ${visibleLine(nextUri)}, where no page can be.`, {
    queryId,
  });
}

/** Returns the error for a status of the door, whose problems are those of all operations. */
function refusal(status: number, path: string, text: string): Error {
  if (status === 401) return new NotLoggedInError('The host rejected the credential (status 401). Run `sluice login`.');
  if (status === 404 && path === STATEMENTS)
    return new CommandError('The stream host has no Trino door. Its operator turns it on with TRINO_DOOR=true.');
  return new CommandError(visibleLine(`The Trino door returned status ${status}: ${messageOf(text)}`));
}

const EXCERPT_CHARACTERS = 200;

function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // not of Sluice, but of a proxy
  }
  return text.slice(0, EXCERPT_CHARACTERS).trim();
}

async function cancel(client: Client, path: string): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  await client.request({ method: 'DELETE', path, host: 'stream', signal }).catch(() => undefined);
}
