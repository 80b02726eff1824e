import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, temporaryFileProblem } from '@sluice/contract/problems';
import type { CatalogueFiles } from '@sluice/engine';
import type { CatalogueStore } from '@sluice/store/catalog';
import { LINE_FILES, writeCatalogueLines } from './write-catalogue-lines.ts';

/** Makes the database of a mirrored catalog from its files, on a query worker. */
export type MakeDatabase = (tenantId: string, files: CatalogueFiles, signal: AbortSignal) => Promise<void>;

interface CatalogueDatabasesDependencies {
  readonly store: CatalogueStore;
  readonly makeDatabase: MakeDatabase;
  /** Private folders of this process. */
  readonly folders: { readonly create: () => Promise<string> } & AsyncDisposable;
  /** Tenants whose databases are kept at once. */
  readonly databasesMax?: number;
}

/** A database that is kept at least until it is disposed of. */
export interface OpenedDatabase extends Disposable {
  readonly path: string;
}

/** A complete database. */
interface Made {
  readonly folder: string;
  readonly path: string;
  readonly version: string;
  /** Time that it took. */
  readonly tookMs: number;
  readonly madeMs: number;
  users: number;
  isSuperseded: boolean;
}

interface Entry {
  current: Made | undefined;
  making: Promise<Made> | undefined;
  checking: Promise<string> | undefined;
  version: string;
  checkedMs: number;
  lastUsedMs: number;
}

/** Time for which a version that was looked up counts as the newest. */
const CHECK_MS = 1_000;
/** Time of making a database up to which a statement waits for the new one. Beyond it, the statement reads the older one. */
const QUICK_MS = 1_000;
/** A database of a catalog that changes all the time, as during a harvest, is made again after this many times as long as making it took. */
const REST_FACTOR = 2;
const IDLE_MS = 30 * 60_000;
const DATABASES_MAX = 64;

/**
 * Databases of the mirrored catalogs of tenants, on the disk of this host. One is made when the first statement needs it, and again when the
 * catalog has changed. Statements that come meanwhile read the older one if making takes long.
 */
export class CatalogueDatabases implements AsyncDisposable {
  readonly #dependencies: CatalogueDatabasesDependencies;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new AbortController();

  constructor(dependencies: CatalogueDatabasesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the database of a tenant. Throws what making it throws (`resource_limit`, `storage_unavailable`, `engine_unavailable`,
   * `service_unavailable`), and the reason of the signal, which ends the wait only: others may wait for the same one.
   */
  async open(tenantId: string, signal: AbortSignal): Promise<OpenedDatabase> {
    signal.throwIfAborted();
    const entry = this.#entryOf(tenantId);
    entry.lastUsedMs = performance.now();
    const version = await this.#versionOf(tenantId, entry);
    const { current } = entry;
    const isStale = current?.version !== version;
    if (isStale && mayMake(current)) entry.making ??= this.#make(tenantId, entry, version);
    const mustWait = current === undefined || (isStale && current.tookMs < QUICK_MS);
    const made = mustWait && entry.making !== undefined ? await orAborted(entry.making, signal) : current;
    if (made === undefined) throw new ProblemError('internal', 'There is no database of the mirrored catalog.');
    made.users += 1;
    let isOpen = true;
    return {
      path: made.path,
      [Symbol.dispose]: () => {
        if (isOpen) made.users -= 1;
        isOpen = false;
        if (made.isSuperseded) removeUnused(made);
      },
    };
  }

  /** Removes databases that were not used for a while, such as those of removed tenants. Call it periodically. */
  async removeIdle(idleMs = IDLE_MS): Promise<void> {
    const before = performance.now() - idleMs;
    for (const [tenantId, entry] of this.#entries) if (entry.lastUsedMs < before) this.#remove(tenantId, entry);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new ProblemError('server_shutdown', 'This server is stopping. Send the request again.'));
    const making = [...this.#entries.values()].map((entry) => entry.making);
    await Promise.allSettled(making);
    this.#entries.clear();
    await this.#dependencies.folders[Symbol.asyncDispose]();
  }

  #entryOf(tenantId: string): Entry {
    const found = this.#entries.get(tenantId);
    if (found !== undefined) return found;
    this.#makeRoom();
    const entry: Entry = {
      current: undefined,
      making: undefined,
      checking: undefined,
      version: '',
      checkedMs: Number.NEGATIVE_INFINITY,
      lastUsedMs: performance.now(),
    };
    this.#entries.set(tenantId, entry);
    return entry;
  }

  #makeRoom(): void {
    const { databasesMax = DATABASES_MAX } = this.#dependencies;
    if (this.#entries.size < databasesMax) return;
    const [oldest] = [...this.#entries].sort(([, a], [, b]) => a.lastUsedMs - b.lastUsedMs);
    if (oldest !== undefined) this.#remove(...oldest);
  }

  /** Removes a database when nobody uses it any more. One that is being made is left to the next call. */
  #remove(tenantId: string, { current, making }: Entry): void {
    if (making !== undefined) return;
    this.#entries.delete(tenantId);
    if (current === undefined) return;
    current.isSuperseded = true;
    removeUnused(current);
  }

  /** Looks the version up at most once a second, for all statements together. */
  async #versionOf(tenantId: string, entry: Entry): Promise<string> {
    if (performance.now() - entry.checkedMs < CHECK_MS) return entry.version;
    entry.checking ??= this.#dependencies.store.version(tenantId).finally(() => {
      entry.checking = undefined;
    });
    entry.version = await entry.checking;
    entry.checkedMs = performance.now();
    return entry.version;
  }

  /** `version` was read before the rows, so a change between the two is found by the next look. */
  #make(tenantId: string, entry: Entry, version: string): Promise<Made> {
    const beganMs = performance.now();
    const making = this.#makeFiles(tenantId)
      .then(({ folder, path }) => {
        const madeMs = performance.now();
        const made = { folder, path, version, tookMs: madeMs - beganMs, madeMs, users: 0, isSuperseded: false };
        const { current } = entry;
        entry.current = made;
        if (current !== undefined) {
          current.isSuperseded = true;
          removeUnused(current);
        }
        return made;
      })
      .finally(() => {
        entry.making = undefined;
      });
    making.catch(() => undefined); // each statement that waits for it gets the error
    return making;
  }

  async #makeFiles(tenantId: string): Promise<Pick<Made, 'folder' | 'path'>> {
    const { store, makeDatabase, folders } = this.#dependencies;
    const { signal } = this.#closing;
    let folder: string | undefined;
    try {
      folder = await folders.create();
      const path = join(folder, 'catalogue.duckdb');
      await writeCatalogueLines(store, { tenantId, folder, signal });
      await makeDatabase(tenantId, { folder, database: path }, signal);
      await Promise.all(LINE_FILES.map((name) => rm(join(folder ?? '', name), { force: true })));
      return { folder, path };
    } catch (thrown) {
      if (folder !== undefined) removeFolder(folder);
      throw temporaryFileProblem(thrown);
    }
  }
}

const mayMake = (current: Made | undefined): boolean =>
  current === undefined || performance.now() - current.madeMs > REST_FACTOR * current.tookMs;

const removeFolder = (folder: string): void => void rm(folder, { recursive: true, force: true }).catch(() => undefined);

const removeUnused = ({ folder, users }: Made): void => {
  if (users === 0) removeFolder(folder);
};

/** Settles as a promise does, or rejects with the reason of the signal if that aborts before. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
