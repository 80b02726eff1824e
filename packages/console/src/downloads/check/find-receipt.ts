import type { Client, Receipt, StreamOperationTypes } from '@sluice/client';
import { isNotFound } from '../../api/describe-error.ts';
import { type DownloadSnapshot, type SavedRows, sha256Of } from '../download-state.ts';

/** A file that was hashed. */
export interface HashedFile {
  readonly name: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A download that a file is compared with. */
export type KnownDownload =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** Written by this page, so the host has no receipt for it. */
  | { readonly kind: 'saved'; readonly saved: SavedRows; readonly queryId: string | undefined; readonly atMs: number };

/** Result of the search for the download of a file. */
export type FoundDownload =
  | { readonly kind: 'found'; readonly download: KnownDownload }
  /** The host has no receipt with this id, or none of the user. */
  | { readonly kind: 'unknown-id'; readonly id: string }
  /** The query showed its rows on a page. Its receipt is that of the stream, which no file has. */
  | { readonly kind: 'not-a-file'; readonly id: string }
  /** None of the downloads that were looked through has the hash of the file, nor its name. */
  | { readonly kind: 'none'; readonly looked: number };

type HistoryEntry = StreamOperationTypes['listQueryHistory']['result']['data'][number];

/** Kinds of queries whose bodies are files. */
const KINDS = ['DOWNLOAD', 'DATAMAP', 'MARKETPLACE'] as const;
/** Entries of a page of the history, and pages of each kind. */
const PAGE_ENTRIES = 200;
const PAGES_MAX = 5;

const QUERY_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Returns the query id in a text, such as a receipt that the user has pasted. Undefined if it has none. */
export const queryIdIn = (text: string): string | undefined => QUERY_ID.exec(text)?.[0].toLowerCase();

/** Returns the name as it was before a browser numbered it, in lower case: `Flights (1).CSV` becomes `flights.csv`. */
export const unnumberedName = (name: string): string => name.toLowerCase().replace(/ ?\(\d+\)(?=\.[^.]*$|$)/, '');

/** Returns the download as a candidate, if anything is known that a file can be compared with. */
function knownDownload(download: DownloadSnapshot): KnownDownload | undefined {
  const { saved, receipt, queryId, endedAtMs, startedAtMs } = download;
  if (saved !== undefined) return { kind: 'saved', saved, queryId, atMs: endedAtMs ?? startedAtMs };
  return receipt === undefined ? undefined : { kind: 'receipt', receipt };
}

interface FindOptions {
  /** Downloads that this tab lists, newest first. */
  readonly listed: readonly DownloadSnapshot[];
  /** Download that the file should be. Undefined: the user has not said. */
  readonly expected?: DownloadSnapshot | undefined;
  readonly signal: AbortSignal;
}

/**
 * Returns the receipt of a query.
 * @throws ResponseError, or SluiceError `connection_failed`
 */
export async function findById(client: Client, id: string, { listed, signal }: FindOptions): Promise<FoundDownload> {
  const own = listed.find(({ queryId, saved }) => saved !== undefined && queryId === id);
  const download = own && knownDownload(own);
  if (download !== undefined) return { kind: 'found', download };
  try {
    const receipt = await client.stream.getQuery({ params: { id }, signal });
    if (await isShownOnly(client, receipt, signal)) return { kind: 'not-a-file', id };
    return { kind: 'found', download: { kind: 'receipt', receipt } };
  } catch (error) {
    if (isNotFound(error)) return { kind: 'unknown-id', id };
    throw error;
  }
}

/**
 * Looks for the download of a file: one with its hash among those of this tab and then in the history of the user, otherwise the expected
 * one, or one of this tab with its name.
 * @throws ResponseError, or SluiceError `connection_failed`
 */
export async function findByContent(client: Client, file: HashedFile, options: FindOptions): Promise<FoundDownload> {
  const { listed, expected, signal } = options;
  const found = (download: DownloadSnapshot | undefined): FoundDownload | undefined => {
    const known = download && knownDownload(download);
    return known && { kind: 'found', download: known };
  };
  const candidates = expected === undefined ? listed : [expected, ...listed];
  const here = found(candidates.find((download) => sha256Of(download) === file.sha256));
  if (here !== undefined) return here;
  let looked = 0;
  for await (const entry of readHistory(client, signal)) {
    looked += 1;
    // Only the receipt has the hash.
    if (entry.state !== 'FINISHED' || entry.bytes !== file.bytes) continue;
    const receipt = await client.stream.getQuery({ params: { id: entry.query_id }, signal });
    if (receipt.sha256 === file.sha256) return { kind: 'found', download: { kind: 'receipt', receipt } };
  }
  const name = unnumberedName(file.name);
  const named = listed.find(
    (download) => sha256Of(download) !== undefined && unnumberedName(download.fileName) === name,
  );
  return found(expected ?? named) ?? { kind: 'none', looked };
}

/** Checks whether a query of the user showed its rows on a page. False for one that the history no longer has, or of another user. */
async function isShownOnly(client: Client, receipt: Receipt, signal: AbortSignal): Promise<boolean> {
  const { query_id: id, started_ts: started } = receipt;
  const query = { kind: 'QUERY', since: started, until: started + 1, size: PAGE_ENTRIES } as const;
  const { data } = await client.stream.listQueryHistory({ query, signal });
  return data.some(({ query_id: listed }) => listed === id);
}

/** Yields the downloads of the user, the newest ones of each kind. */
async function* readHistory(client: Client, signal: AbortSignal): AsyncGenerator<HistoryEntry> {
  for (const kind of KINDS) {
    let token: string | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { data, next_page_token: next } = await client.stream.listQueryHistory({
        query: { kind, size: PAGE_ENTRIES, ...(token === undefined ? {} : { page_token: token }) },
        signal,
      });
      yield* data;
      if (next === undefined) break;
      token = next;
    }
  }
}
