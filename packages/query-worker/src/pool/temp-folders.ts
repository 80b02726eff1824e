import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'sluice-workers-';

/**
 * Where query workers put what does not fit their memory: a folder for each, inside one of this process, which only its own
 * system user can open. What a host that died left behind goes when the next one starts.
 */
export class TempFolders implements AsyncDisposable {
  readonly #parent: string;
  readonly #removals = new Set<Promise<void>>();
  #root: Promise<string> | undefined;

  constructor(parent: string) {
    this.#parent = parent;
  }

  /** A new folder for one worker. */
  async create(): Promise<string> {
    this.#root ??= this.#open();
    try {
      return await mkdtemp(join(await this.#root, 'worker-'));
    } catch (thrown) {
      this.#root = undefined; // whoever tidies the parent may have taken it, so the next one begins anew
      throw thrown;
    }
  }

  /** Removes a worker's folder with all that is in it. Never rejects: what cannot be removed now goes with the process's folder. */
  remove(folder: string): void {
    const removal = removeTree(folder).finally(() => this.#removals.delete(removal));
    this.#removals.add(removal);
  }

  /** Call it when no worker lives any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#removals);
    const root = await this.#root?.catch(() => undefined);
    if (root !== undefined) await removeTree(root);
  }

  async #open(): Promise<string> {
    await mkdir(this.#parent, { recursive: true });
    for (const name of await readdir(this.#parent)) {
      if (isLeftOver(name)) await removeTree(join(this.#parent, name));
    }
    return await mkdtemp(join(this.#parent, `${ownPrefix()}${process.pid}-${startOf(process.pid)}-`)); // mode 0700
  }
}

/** Process ids mean something on one machine only, and a container's name is its host name. */
const ownPrefix = (): string => `${PREFIX}${hostname().replaceAll('-', '_')}-`;

function isLeftOver(name: string): boolean {
  const own = ownPrefix();
  if (!name.startsWith(own)) return false;
  const [pid = '', start = ''] = name.slice(own.length).split('-');
  return /^\d+$/.test(pid) && startOf(Number(pid)) !== start;
}

/** When a process began, in the system's own count, so that a process id that is used again tells two processes apart. */
function startOf(pid: number): string {
  if (process.platform !== 'linux') return isThere(pid) ? 'alive' : 'gone';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return 'gone';
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A worker that is being killed may still write while its folder is removed. */
const removeTree = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }).catch(() => undefined);
