import type { Client } from '@sluice/client';
import { saveFile } from '../ui/save-file.ts';
import { failureOf, pageFailure } from './download-failure.ts';
import type { DownloadOperation } from './download-source.ts';
import { type DownloadSnapshot, isActive, type SavedRows } from './download-state.ts';
import { fetchFile } from './fetch-file.ts';
import { saveByBrowser } from './save-by-browser.ts';

/** Time in which the browser shows a document if the host rejects the request, in milliseconds. */
const REJECTED_AFTER_MS = 2_000;
/** Time after which the browser has begun to save the file, or never will, in milliseconds. */
const TRANSFER_TIMEOUT_MS = 120_000;

interface ResultFileDependencies {
  readonly client: Client;
  /** Origin of the stream host, which tickets belong to. */
  readonly streamUrl: string;
  readonly onChange: () => void;
}

/** File of a kept result to download. */
export interface ResultFile {
  readonly operation: DownloadOperation;
  /** Id of the query whose result is kept. */
  readonly queryId: string;
  readonly rows: number;
}

/** Hash of a representation in the header field `Repr-Digest` (RFC 9530): `sha-256=:<base64>:`. */
const DIGEST = /(?:^|[\s,])sha-256=:([\w+/=]+):/;

/** Returns a hash as lower-case hex. Undefined: the header field does not have it. */
export function sha256In(digest: string | null): string | undefined {
  const [, base64] = DIGEST.exec(digest ?? '') ?? [];
  if (base64 === undefined) return undefined;
  return [...atob(base64)].map((character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/**
 * One download of a kept result. No statement runs, so there is no receipt: the host makes the whole file first, and its response to HEAD has
 * the length and the SHA-256. Then the browser saves it, or this page does after it has compared it. Never used for a second one.
 */
export class ResultFileDownload {
  readonly #dependencies: ResultFileDependencies;
  readonly #abort = new AbortController();
  #snapshot: DownloadSnapshot;

  constructor(dependencies: ResultFileDependencies, snapshot: DownloadSnapshot) {
    this.#dependencies = dependencies;
    this.#snapshot = snapshot;
  }

  get snapshot(): DownloadSnapshot {
    return this.#snapshot;
  }

  /** Makes and saves the file. Resolves at the end of what the page sees; never rejects. */
  async start(file: ResultFile): Promise<void> {
    try {
      const saved = await this.#make(file);
      const url = await this.#createTicket(file.operation);
      if (saved === undefined) return this.#fail(new Error('The host did not make the file. Try again later.'));
      this.#update({ state: 'starting' });
      if (this.#snapshot.isComparing) await this.#compare(url, saved, file.queryId);
      else await this.#hand(url, saved, file.queryId);
    } catch (error) {
      if (this.#abort.signal.aborted) this.#end({ state: 'cancelled' });
      else this.#fail(error);
    }
  }

  /** Stops the download as far as the browser has not begun to save the file. */
  async cancel(): Promise<void> {
    this.#abort.abort();
  }

  /** Has the host make the file. Undefined: it did not, and the request for the ticket says why. */
  async #make({ operation, rows }: ResultFile): Promise<SavedRows | undefined> {
    const { signal } = this.#abort;
    const { path } = operation;
    const response = await this.#dependencies.client.request({ method: 'HEAD', path, host: 'stream', signal });
    const sha256 = sha256In(response.headers.get('repr-digest'));
    if (!response.ok || sha256 === undefined) return undefined;
    return { rows, bytes: Number(response.headers.get('content-length') ?? 0), sha256, isOfHost: true };
  }

  async #createTicket({ method, path }: DownloadOperation): Promise<string> {
    const { signal } = this.#abort;
    return (await this.#dependencies.client.stream.createTicket({ body: { method, path }, signal })).url;
  }

  async #compare(url: string, saved: SavedRows, queryId: string): Promise<void> {
    const { client } = this.#dependencies;
    const { file, sha256 } = await fetchFile(client, url.replace('/tickets/', ''), this.#abort.signal);
    if (sha256 !== saved.sha256) return this.#end({ state: 'failed', failure: pageFailure('different') });
    saveFile(file, this.#snapshot.fileName);
    this.#end({ state: 'saved', queryId, saved, isCompared: true });
  }

  async #hand(url: string, saved: SavedRows, queryId: string): Promise<void> {
    const isShown = await new Promise<boolean>((resolve) => {
      const transfer = saveByBrowser(this.#dependencies.streamUrl + url, () => resolve(true));
      setTimeout(() => resolve(false), REJECTED_AFTER_MS);
      setTimeout(() => transfer.stop(), TRANSFER_TIMEOUT_MS);
    });
    if (isShown) return this.#end({ state: 'failed', failure: pageFailure('not_started') });
    this.#end({ state: 'handed', queryId, saved });
  }

  #fail(error: unknown): void {
    this.#end({ state: 'failed', failure: failureOf(error) });
  }

  #end(change: Partial<DownloadSnapshot>): void {
    this.#update({ ...change, endedAtMs: Date.now() });
  }

  #update(change: Partial<DownloadSnapshot>): void {
    if (!isActive(this.#snapshot.state)) return;
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#dependencies.onChange();
  }
}
