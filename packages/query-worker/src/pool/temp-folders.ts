import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'sluice-workers-';

/**
 * Temporary folders of query workers, one each, for data that does not fit their memory. They are in a folder of this process that
 * only its system user can open. Folders of hosts that died are removed when the next host starts.
 */
export class TempFolders implements AsyncDisposable {
  readonly #parent: string;
  readonly #removals = new Set<Promise<void>>();
  #root: Promise<string> | undefined;

  constructor(parent: string) {
    this.#parent = parent;
  }

  /** Creates the folder of one worker, and the folder of this process if a cleanup of the parent has removed it. */
  async create(): Promise<string> {
    const root = this.#openedRoot();
    try {
      return await mkdtemp(join(await root, 'worker-'));
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
      if (this.#root === root) this.#root = undefined;
      return await mkdtemp(join(await this.#openedRoot(), 'worker-'));
    }
  }

  /** Removes a worker's folder and its content. A failure is ignored: the folder of this process is removed later. */
  remove(folder: string): void {
    const removal = removeTree(folder).finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  /** Removes all folders. Call this when all workers have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#removals);
    const root = await this.#root?.catch(() => undefined);
    if (root !== undefined) await removeTree(root);
  }

  #openedRoot(): Promise<string> {
    if (this.#root === undefined) {
      const root = this.#open();
      this.#root = root;
      root.catch(() => {
        if (this.#root === root) this.#root = undefined;
      });
    }
    return this.#root;
  }

  async #open(): Promise<string> {
    await mkdir(this.#parent, { recursive: true });
    for (const name of await readdir(this.#parent)) {
      if (isLeftOver(name)) await removeTree(join(this.#parent, name));
    }
    return await mkdtemp(join(this.#parent, `${ownPrefix()}${process.pid}-${startOf(process.pid)}-`)); // mode 0700
  }
}

/** Prefix with the host name, since process ids are valid on one machine (or container) only. */
const ownPrefix = (): string => `${PREFIX}${hostname().replaceAll('-', '_')}-`;

function isLeftOver(name: string): boolean {
  const own = ownPrefix();
  if (!name.startsWith(own)) return false;
  const [pid = '', start = ''] = name.slice(own.length).split('-');
  return /^\d+$/.test(pid) && startOf(Number(pid)) !== start;
}

/** Returns the start time of a process in clock ticks, which distinguishes two processes with the same id. */
function startOf(pid: number): string {
  if (process.platform !== 'linux') return isAlive(pid) ? 'alive' : 'gone';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return 'gone';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Removes a folder, with retries: a worker that is being killed may still write to it. */
const removeTree = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }).catch(() => undefined);
