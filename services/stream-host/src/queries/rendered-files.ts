import { ProblemError, temporaryFileProblem } from '@sluice/contract/problems';
import type { ResultIdentity } from '@sluice/result-store/form';
import { SealedFile } from './sealed-file.ts';

/** Names the file of a kept result in one format, with its options. */
export interface RenderedFileName extends ResultIdentity {
  /** Differs between files with different bytes. */
  readonly variant: string;
}

/** A complete file. It is kept at least until it is disposed of. */
export interface RenderedFile extends AsyncDisposable {
  readonly bytes: number;
  readonly sha256: Buffer;
  /** Yields the bytes from `start` to `end`, exclusive. */
  read(start: number, end: number): AsyncGenerator<Uint8Array, void>;
}

/** Passes the bytes of a file on in order; each call is awaited before the next. Stops when `signal` aborts. */
export type RenderFile = (append: (bytes: Uint8Array) => Promise<void>, signal: AbortSignal) => Promise<void>;

interface RenderedFilesOptions {
  /** Disk space of all files. */
  readonly bytesMax: number;
  /** Maximum number of files, each of which has an open descriptor. */
  readonly filesMax?: number;
  /** Time for which a file is made on without a request that waits for it. */
  readonly lingerMs?: number;
}

interface MadeFile {
  readonly file: SealedFile;
  readonly sha256: Buffer;
}

interface Entry {
  readonly name: RenderedFileName;
  readonly stop: AbortController;
  made: Promise<MadeFile>;
  /** Set when the file is complete. */
  file: SealedFile | undefined;
  /** Requests that wait for the file or read it. */
  users: number;
  bytes: number;
  lastUsedMs: number;
  /** Stops a file that no request waits for. */
  lingering: NodeJS.Timeout | undefined;
}

const FILES_MAX = 512;
/** Share of the files that one tenant has at most, so that there is room for others. */
const TENANT_SHARE = 0.5;
/** Time without a request after which a file is removed. Its key is gone then, whatever happened to its result. */
const IDLE_MS = 5 * 60_000;
/** Many clients give up after 30 s and try again, and would never get a file that takes longer if each attempt began anew. */
const LINGER_MS = 30_000;

/**
 * Files of kept results on the disk of this host, so that clients can ask for any part of them. A file is made by its first request, once for
 * all that want it at that time. The file that was not used for the longest time makes room for a new one.
 */
export class RenderedFiles implements AsyncDisposable {
  readonly #bytesMax: number;
  readonly #filesMax: number;
  readonly #lingerMs: number;
  readonly #entries = new Map<string, Entry>();

  constructor({ bytesMax, filesMax = FILES_MAX, lingerMs = LINGER_MS }: RenderedFilesOptions) {
    this.#bytesMax = bytesMax;
    this.#filesMax = filesMax;
    this.#lingerMs = lingerMs;
  }

  /**
   * Returns a file, made by `render` if there is none. Making it stops some time after the last request that waits for it has left. Throws what `render` throws, the
   * reason of `signal`, `resource_limit` for a file that is too large, and `storage_unavailable` if there is no room.
   */
  async open(name: RenderedFileName, render: RenderFile, signal: AbortSignal): Promise<RenderedFile> {
    signal.throwIfAborted();
    const entry = this.#entries.get(keyOf(name)) ?? this.#begin(name, render);
    entry.users += 1;
    clearTimeout(entry.lingering);
    try {
      const { file, sha256 } = await orAborted(entry.made, signal);
      let isOpen = true;
      return {
        bytes: file.bytes,
        sha256,
        read: (start, end) => file.read(start, end),
        [Symbol.asyncDispose]: async () => {
          if (isOpen) this.#leave(entry);
          isOpen = false;
        },
      };
    } catch (thrown) {
      this.#leave(entry);
      throw thrown;
    }
  }

  /** Removes files that were not used for a while. */
  async removeIdle(idleMs = IDLE_MS): Promise<void> {
    const before = performance.now() - idleMs;
    await Promise.all(
      [...this.#entries.values()].filter((entry) => entry.lastUsedMs < before).map(removeUnused(this.#entries)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { lingering } of entries) clearTimeout(lingering);
    for (const { stop } of entries) stop.abort(new ProblemError('server_shutdown', 'The server is stopping.'));
    await Promise.all(entries.map(({ file }) => file?.[Symbol.asyncDispose]()));
  }

  #begin(name: RenderedFileName, render: RenderFile): Entry {
    const entry: Entry = {
      name,
      stop: new AbortController(),
      made: NOT_BEGUN,
      file: undefined,
      users: 0,
      bytes: 0,
      lastUsedMs: performance.now(),
      lingering: undefined,
    };
    this.#entries.set(keyOf(name), entry);
    entry.made = this.#make(entry, render);
    entry.made.catch(() => undefined); // each request that waits for it gets the error
    return entry;
  }

  async #make(entry: Entry, render: RenderFile): Promise<MadeFile> {
    const { signal } = entry.stop;
    try {
      this.#makeRoom(entry);
      const file = await SealedFile.create(entry.name);
      try {
        await render(async (bytes) => {
          signal.throwIfAborted();
          entry.bytes += bytes.byteLength;
          this.#makeRoom(entry);
          await file.append(bytes);
        }, signal);
        const sha256 = await file.end();
        signal.throwIfAborted();
        entry.file = file;
        return { file, sha256 };
      } catch (thrown) {
        await file[Symbol.asyncDispose]();
        throw thrown;
      }
    } catch (thrown) {
      this.#forget(entry);
      throw temporaryFileProblem(thrown);
    }
  }

  #leave(entry: Entry): void {
    entry.users -= 1;
    entry.lastUsedMs = performance.now();
    if (entry.users > 0 || entry.file !== undefined) return;
    entry.lingering = setTimeout(() => this.#stop(entry), this.#lingerMs).unref();
  }

  #stop(entry: Entry): void {
    if (entry.users > 0 || entry.file !== undefined) return;
    this.#forget(entry); // before it fails, so that the next request begins anew
    entry.stop.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
  }

  #forget(entry: Entry): void {
    if (this.#entries.get(keyOf(entry.name)) === entry) this.#entries.delete(keyOf(entry.name));
  }

  /** Removes unused files until those of the tenant and all files are within their limits. Throws if that is not possible. */
  #makeRoom(entry: Entry): void {
    const { tenantId } = entry.name;
    const ofTenant = ({ name }: Entry): boolean => name.tenantId === tenantId;
    const ofAny = (): boolean => true;
    for (const [fits, share] of [
      [ofTenant, TENANT_SHARE],
      [ofAny, 1],
    ] as const)
      while (this.#exceeds(fits, share)) if (!this.#removeOldest(fits)) throw this.#noRoom(entry);
  }

  #exceeds(fits: (entry: Entry) => boolean, share: number): boolean {
    const entries = [...this.#entries.values()].filter(fits);
    const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    return bytes > this.#bytesMax * share || entries.length > this.#filesMax * share;
  }

  #removeOldest(fits: (entry: Entry) => boolean): boolean {
    const [oldest] = [...this.#entries.values()]
      .filter((entry) => fits(entry) && isUnused(entry))
      .sort((a, b) => a.lastUsedMs - b.lastUsedMs);
    if (oldest === undefined) return false;
    void removeUnused(this.#entries)(oldest);
    return true;
  }

  #noRoom({ bytes }: Entry): ProblemError {
    const bytesMax = Math.floor(this.#bytesMax * TENANT_SHARE);
    if (bytes > bytesMax)
      return new ProblemError(
        'resource_limit',
        `The file is larger than ${bytesMax} bytes, the limit for files of kept results. Read pages with GET /query/{id}/rows, or run the statement again with POST /query/download.`,
      );
    return new ProblemError(
      'storage_unavailable',
      'Other downloads of kept results use the disk space for their files. Send the request again in a moment.',
    );
  }
}

const NOT_BEGUN: Promise<MadeFile> = new Promise(() => undefined);

const keyOf = ({ tenantId, queryId, variant }: RenderedFileName): string =>
  JSON.stringify([tenantId, queryId, variant]);

const isUnused = ({ file, users }: Entry): boolean => file !== undefined && users === 0;

/** Returns a function that removes an entry and its file, unless a request uses it. */
const removeUnused =
  (entries: Map<string, Entry>) =>
  async (entry: Entry): Promise<void> => {
    if (!isUnused(entry)) return;
    entries.delete(keyOf(entry.name));
    await entry.file?.[Symbol.asyncDispose]();
  };

/** Settles as a promise does, or rejects with the reason of the signal if that aborts before. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    const settled = (): void => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(settled);
  });
}
