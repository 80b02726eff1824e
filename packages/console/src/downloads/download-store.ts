import type { Client } from '@sluice/client';
import { failureOf } from './download-failure.ts';
import { DownloadRun } from './download-run.ts';
import type { DownloadOperation } from './download-source.ts';
import { type DownloadSnapshot, isActive } from './download-state.ts';
import type { ResultFile, ResultFileDownload } from './result-file-download.ts';
import { RowsDownload, type RowsToSave } from './rows-download.ts';
import { readSavedDownloads, saveDownloads } from './saved-downloads.ts';

interface DownloadStoreDependencies {
  readonly client: Client;
  readonly streamUrl: string;
  /** Tenant and id of the account. */
  readonly owner: string;
}

interface NewDownload {
  readonly fileName: string;
  readonly operation: DownloadOperation;
  /** Whether this page fetches and compares the file before it is saved. */
  readonly isComparing: boolean;
  /** The kept result that the file comes from. Undefined: a statement runs, and has a receipt. */
  readonly result?: Pick<ResultFile, 'queryId' | 'rows'> | undefined;
}

/** File that the user wants to check, and the download that it should be. */
export interface FileToCheck {
  /** Undefined: the user is asked for it. */
  readonly file?: File;
  /** Undefined: the download is looked for. */
  readonly download?: DownloadSnapshot;
}

/** Downloads that the pages list. Replaced, never changed. */
export interface DownloadList {
  /** Newest first. */
  readonly downloads: readonly DownloadSnapshot[];
  readonly isOpen: boolean;
  /** Undefined: no file is checked. */
  readonly check: FileToCheck | undefined;
}

type AnyRun = DownloadRun | RowsDownload | ResultFileDownload;

/** The downloads of this tab. They go on while the user changes pages, and are listed again after a reload. */
export class DownloadStore {
  readonly #dependencies: DownloadStoreDependencies;
  readonly #listeners = new Set<() => void>();
  readonly #endListeners = new Set<(download: DownloadSnapshot) => void>();
  readonly #operations = new Map<string, NewDownload>();
  #isResumed = false;
  #runs: readonly AnyRun[] = [];
  #list: DownloadList = { downloads: [], isOpen: false, check: undefined };

  constructor(dependencies: DownloadStoreDependencies) {
    this.#dependencies = dependencies;
    this.#runs = readSavedDownloads(dependencies.owner).map((saved) => this.#createRun(saved));
    this.#list = { ...this.#list, downloads: this.#runs.map(({ snapshot }) => snapshot) };
  }

  /** Follows the downloads that ran before a reload. Further calls do nothing. */
  resume(): void {
    if (this.#isResumed) return;
    this.#isResumed = true;
    for (const run of this.#runs)
      if (run instanceof DownloadRun && isActive(run.snapshot.state)) void this.#untilEnd(run, run.follow());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Calls a listener once for each download that ends. Returns a function that removes it. */
  onEnd(listener: (download: DownloadSnapshot) => void): () => void {
    this.#endListeners.add(listener);
    return () => void this.#endListeners.delete(listener);
  }

  /** Returns the same object until something changes. */
  readonly getList = (): DownloadList => this.#list;

  /** Starts a download and shows the list. */
  start(download: NewDownload): void {
    const { fileName, isComparing, operation, result } = download;
    const snapshot = { ...this.#newSnapshot(fileName), state: 'preparing' as const, isComparing };
    this.#operations.set(snapshot.id, download);
    if (result === undefined) {
      const run = this.#createRun(snapshot);
      this.#add(run);
      void this.#untilEnd(run, run.start(operation));
      return;
    }
    void this.#startResultFile(snapshot, { ...result, operation }).catch((error: unknown) => {
      const ended = { state: 'failed' as const, failure: failureOf(error), endedAtMs: Date.now() };
      this.#add(this.#createRun({ ...snapshot, ...ended }));
    });
  }

  /** Saves rows that the page holds as a file, and shows the list. */
  saveRows(rows: RowsToSave): void {
    const snapshot = { ...this.#newSnapshot(rows.fileName), state: 'saving' as const };
    const run = new RowsDownload(() => this.#publish(), snapshot);
    this.#add(run);
    void this.#untilEnd(run, run.start(rows));
  }

  /** Returns a function that starts a download again, or undefined after a reload, which forgets its statement. */
  repeatOf(id: string): (() => void) | undefined {
    const operation = this.#operations.get(id);
    return operation === undefined ? undefined : () => this.start(operation);
  }

  cancel(id: string): void {
    void this.#runs.find(({ snapshot }) => snapshot.id === id)?.cancel();
  }

  /** Removes downloads that have ended from the list. */
  removeEnded(): void {
    this.#runs = this.#runs.filter(({ snapshot }) => isActive(snapshot.state));
    const ids = new Set(this.#runs.map(({ snapshot }) => snapshot.id));
    for (const id of this.#operations.keys()) if (!ids.has(id)) this.#operations.delete(id);
    this.#publish();
  }

  setOpen(isOpen: boolean): void {
    this.#publish({ isOpen });
  }

  /** Asks for a file to check, or checks one. */
  check(check: FileToCheck): void {
    this.#publish({ check });
  }

  closeCheck(): void {
    this.#publish({ check: undefined });
  }

  /** Starts the download of a kept result. Its code is loaded when it is needed, not with the first page. */
  async #startResultFile(snapshot: DownloadSnapshot, file: ResultFile): Promise<void> {
    const { client, streamUrl } = this.#dependencies;
    const { ResultFileDownload } = await import('./result-file-download.ts');
    const run = new ResultFileDownload({ client, streamUrl, onChange: () => this.#publish() }, snapshot);
    this.#add(run);
    await this.#untilEnd(run, run.start(file));
  }

  #newSnapshot(fileName: string): Omit<DownloadSnapshot, 'state'> {
    return {
      // Unique in this tab: downloads of before a reload are older.
      id: `${Date.now()}-${this.#runs.length}`,
      fileName,
      isComparing: false,
      isCompared: false,
      startedAtMs: Date.now(),
      endedAtMs: undefined,
      queryId: undefined,
      receipt: undefined,
      failure: undefined,
      isUnreachable: false,
    };
  }

  #add(run: AnyRun): void {
    this.#runs = [run, ...this.#runs];
    this.#publish({ isOpen: true });
  }

  #createRun(snapshot: DownloadSnapshot): DownloadRun {
    const { client, streamUrl } = this.#dependencies;
    return new DownloadRun({ client, streamUrl, onChange: () => this.#publish() }, snapshot);
  }

  async #untilEnd(run: AnyRun, end: Promise<void>): Promise<void> {
    await end;
    for (const listener of this.#endListeners) listener(run.snapshot);
  }

  #publish(change: Partial<DownloadList> = {}): void {
    const downloads = this.#runs.map(({ snapshot }) => snapshot);
    this.#list = { ...this.#list, ...change, downloads };
    saveDownloads(this.#dependencies.owner, downloads);
    for (const listener of this.#listeners) listener();
  }
}
