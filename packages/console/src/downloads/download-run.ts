import { type Client, type Receipt, SluiceError } from '@sluice/client';
import { saveFile } from '../ui/save-file.ts';
import { failureOf, pageFailure } from './download-failure.ts';
import type { DownloadOperation } from './download-source.ts';
import {
  type DownloadFailure,
  type DownloadSnapshot,
  type DownloadState,
  isActive,
  stateOf,
} from './download-state.ts';
import { type FetchedFile, FileTooLargeError, fetchFile } from './fetch-file.ts';
import { saveByBrowser, type Transfer } from './save-by-browser.ts';

/** Time in which a query must appear after the browser has shown a document instead of a file, or after a cancel, in milliseconds. */
const REJECTED_AFTER_MS = 2000;
/** Added to the life of a ticket, for the way to the host, in milliseconds. */
const EXPIRY_MARGIN_MS = 5000;

interface DownloadRunDependencies {
  readonly client: Client;
  /** Origin of the stream host, which tickets belong to. */
  readonly streamUrl: string;
  readonly onChange: () => void;
}

/** One download: asks for its ticket, has the file saved, and follows its receipt. Never used for a second one. */
export class DownloadRun {
  readonly #dependencies: DownloadRunDependencies;
  readonly #abort = new AbortController();
  #snapshot: DownloadSnapshot;
  #transfer: Transfer | undefined;
  #file: Promise<FetchedFile> | undefined;
  #isCancelled = false;
  /** Time at which the query counts as never started, as `Date.now()`. */
  #missingAfterMs = 0;

  constructor(dependencies: DownloadRunDependencies, snapshot: DownloadSnapshot) {
    this.#dependencies = dependencies;
    this.#snapshot = snapshot;
  }

  get snapshot(): DownloadSnapshot {
    return this.#snapshot;
  }

  /** Runs the operation. Resolves at the end of the download; never rejects. */
  async start({ method, path, body }: DownloadOperation): Promise<void> {
    const { client, streamUrl } = this.#dependencies;
    try {
      const ticket = await client.stream.createTicket({
        body: { method, path, ...(body === undefined ? {} : { body }) },
        signal: this.#abort.signal,
      });
      if (this.#isCancelled) return this.#end('cancelled');
      this.#missingAfterMs = Date.now() + ticket.expires_in * 1000 + EXPIRY_MARGIN_MS;
      this.#update({ state: 'starting', queryId: ticket.query_id });
      if (this.#snapshot.isComparing) this.#fetch(ticket.url);
      else this.#transfer = saveByBrowser(streamUrl + ticket.url, () => this.#expectMissing());
    } catch (error) {
      return this.#isCancelled ? this.#end('cancelled') : this.#fail(failureOf(error));
    }
    await this.follow();
  }

  /** Follows the receipt of a download that runs already. Resolves at its end; never rejects. */
  async follow(): Promise<void> {
    const { queryId } = this.#snapshot;
    if (queryId === undefined) return this.#fail(pageFailure('not_started'));
    const receipt = await this.#dependencies.client
      .awaitReceipt(queryId, {
        signal: this.#abort.signal,
        onReceipt: (received) => this.#receive(received),
        onFailure: (error) => this.#mayAppear(error),
      })
      .catch(() => undefined);
    if (!this.#snapshot.isComparing) this.#transfer?.stop();
    if (receipt !== undefined) await this.#conclude(receipt);
    else if (isActive(this.#snapshot.state)) await this.#concludeMissing();
  }

  /** Stops the download on the engine. The state is `cancelled` when the host has confirmed it. */
  async cancel(): Promise<void> {
    const { state, queryId } = this.#snapshot;
    if (!isActive(state) || this.#isCancelled) return;
    this.#isCancelled = true;
    this.#update({ state: 'cancelling' });
    if (queryId === undefined) return this.#abort.abort();
    if (this.#snapshot.receipt === undefined) {
      this.#transfer?.stop();
      this.#expectMissing();
    }
    // A failed request is repeated by the user: the receipt goes on to say that the query runs.
    await this.#dependencies.client.stream.cancelQuery({ params: { id: queryId } }).catch(() => undefined);
  }

  #fetch(url: string): void {
    const abort = new AbortController();
    this.#transfer = { stop: () => abort.abort() };
    this.#file = fetchFile(this.#dependencies.client, url.replace('/tickets/', ''), abort.signal);
    // The receipt may say why. If none appears, this error is shown.
    this.#file.catch(() => this.#expectMissing());
  }

  /** An unreachable host is asked for as long as the page is open, because the browser may still be saving the file. */
  #mayAppear(error: unknown): boolean {
    if (error instanceof SluiceError && error.status === 404) return Date.now() < this.#missingAfterMs;
    this.#update({ isUnreachable: true });
    return true;
  }

  #expectMissing(): void {
    this.#missingAfterMs = Math.min(this.#missingAfterMs, Date.now() + REJECTED_AFTER_MS);
  }

  #receive(receipt: Receipt): void {
    const state = stateOf(receipt, this.#isCancelled);
    // The end is shown when the file is saved too.
    this.#update({ receipt, isUnreachable: false, ...(isActive(state) ? { state } : {}) });
  }

  async #conclude(receipt: Receipt): Promise<void> {
    const state = stateOf(receipt, this.#isCancelled);
    const { error } = receipt;
    if (state === 'failed')
      return this.#fail({ code: error?.code ?? 'FAILED', message: error?.message ?? '', requestId: undefined });
    if (!this.#snapshot.isComparing) return this.#end(state);
    if (this.#file === undefined) return this.#fail(pageFailure('page_left'));
    try {
      const { file, sha256 } = await this.#file;
      if (state !== 'complete' && state !== 'limited') return this.#end(state);
      if (sha256 !== receipt.sha256) return this.#fail(pageFailure('different'));
      saveFile(file, this.#snapshot.fileName);
      this.#end(state, { isCompared: true });
    } catch (thrown) {
      const isTooLarge = thrown instanceof FileTooLargeError;
      if (state === 'complete' || state === 'limited' || isTooLarge) this.#fail(failureOf(thrown));
      else this.#end(state);
    } finally {
      this.#file = undefined; // up to 64 MB, which the list would keep
    }
  }

  async #concludeMissing(): Promise<void> {
    if (this.#isCancelled) return this.#end('cancelled');
    const rejected = await this.#file?.then(
      () => undefined,
      (error: unknown) => failureOf(error),
    );
    this.#fail(rejected ?? pageFailure('not_started'));
  }

  #fail(failure: DownloadFailure): void {
    this.#end('failed', { failure });
  }

  #end(state: DownloadState, change: Partial<DownloadSnapshot> = {}): void {
    this.#update({ failure: undefined, ...change, state, endedAtMs: Date.now(), isUnreachable: false });
  }

  #update(change: Partial<DownloadSnapshot>): void {
    if (!isActive(this.#snapshot.state)) return;
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#dependencies.onChange();
  }
}
