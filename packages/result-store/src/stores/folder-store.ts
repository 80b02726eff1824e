import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResultIdentity } from '../form/index.ts';
import {
  isUuid,
  nameOf,
  type OpenResult,
  ResultMissingError,
  type ResultStore,
  ResultStoreError,
  type ResultUpload,
  type StoredObject,
} from './result-store.ts';

/** Ending of a file that is being written. */
const PARTIAL = '.part';
const [PRIVATE_FOLDER, PRIVATE_FILE] = [0o700, 0o600];

/**
 * Keeps results in a folder: one folder for each tenant, one file for each result. A file has its name only once it is complete and on the
 * disk.
 */
export class FolderResultStore implements ResultStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async create(identity: ResultIdentity): Promise<ResultUpload> {
    const path = join(this.#folder, nameOf(identity));
    const folder = join(this.#folder, identity.tenantId);
    const partial = `${path}${PARTIAL}`;
    await asStoreError('create a file for a result', () => mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER }));
    const file = await asStoreError('create a file for a result', () => open(partial, 'wx', PRIVATE_FILE));
    return new FileUpload(file, { path, partial, folder });
  }

  async open(identity: ResultIdentity, length: number): Promise<OpenResult> {
    const path = join(this.#folder, nameOf(identity));
    const file = await asStoreError('open a result', () => open(path, 'r'));
    return {
      length,
      read: (start, end) => asStoreError('read a result', () => readBytes(file, start, end)),
      [Symbol.asyncDispose]: () => file.close(),
    };
  }

  async remove(identity: ResultIdentity): Promise<void> {
    const path = join(this.#folder, nameOf(identity));
    await asStoreError('remove a result', async () => {
      await rm(path, { force: true });
      await rm(`${path}${PARTIAL}`, { force: true });
    });
  }

  async removeTenant(tenantId: string): Promise<void> {
    if (!isUuid(tenantId)) throw new Error('A tenant is named by its UUID.');
    await asStoreError('remove the results of a tenant', () =>
      rm(join(this.#folder, tenantId), { recursive: true, force: true }),
    );
  }

  async *list(): AsyncGenerator<StoredObject> {
    for (const tenant of await entriesOf(this.#folder)) {
      if (!tenant.isDirectory() || !isUuid(tenant.name)) continue;
      for (const { name } of await entriesOf(join(this.#folder, tenant.name))) {
        const isComplete = !name.endsWith(PARTIAL);
        const queryId = isComplete ? name : name.slice(0, -PARTIAL.length);
        const facts = await stat(join(this.#folder, tenant.name, name)).catch(() => undefined); // removed meanwhile
        if (!isUuid(queryId) || facts === undefined) continue;
        yield { identity: { tenantId: tenant.name, queryId }, bytes: facts.size, isComplete, changed: facts.mtime };
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

interface UploadPaths {
  readonly path: string;
  readonly partial: string;
  readonly folder: string;
}

class FileUpload implements ResultUpload {
  readonly #file: FileHandle;
  readonly #paths: UploadPaths;
  #isClosed = false;

  constructor(file: FileHandle, paths: UploadPaths) {
    this.#file = file;
    this.#paths = paths;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await asStoreError('write a result', () => this.#file.writeFile(bytes));
  }

  async commit(): Promise<void> {
    const { path, partial, folder } = this.#paths;
    await asStoreError('write a result', async () => {
      await this.#file.sync();
      await this.#close();
      await rename(partial, path);
      const parent = await open(folder, 'r');
      try {
        await parent.sync(); // otherwise a crash may lose the name
      } finally {
        await parent.close();
      }
    });
  }

  async abort(): Promise<void> {
    await asStoreError('remove a result', async () => {
      await this.#close();
      await rm(this.#paths.partial, { force: true });
    });
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
  }
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(end - start);
  let filled = 0;
  while (filled < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, filled, bytes.byteLength - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return asStoreError('list results', async () => {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return [];
      throw thrown;
    }
  });
}

const codeOf = (thrown: unknown): unknown => (thrown as { readonly code?: unknown } | undefined)?.code;

async function asStoreError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') throw new ResultMissingError('The store does not hold the result.', { cause });
    throw new ResultStoreError(`The result store could not ${what} (${String(codeOf(cause))}).`, { cause });
  }
}
