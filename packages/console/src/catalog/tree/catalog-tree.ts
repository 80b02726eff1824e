import type { Client } from '@sluice/client';
import { readSharedNames } from '../read-names.ts';
import { keyOf, type Level, type Levels, toTreeName } from './tree-rows.ts';

/** Loaded levels of the tree, and the keys of the names whose levels are shown. */
interface CatalogTreeState {
  readonly levels: Levels;
  readonly open: ReadonlySet<string>;
}

/** Names that are loaded together: the most that the host sends. */
const PAGE_SIZE = 1000;
const NOTHING: Level = { names: [], next: undefined, isLoading: false, error: null };

/** Catalogs, schemas, tables and columns of a user, loaded level by level and page by page. */
export class CatalogTree {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  #state: CatalogTreeState = { levels: new Map(), open: new Set() };
  /** Number of refreshes. What arrives after one that follows its request is dropped. */
  #version = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  readonly getState = (): CatalogTreeState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  setOpen(key: string, isOpen: boolean): void {
    const open = new Set(this.#state.open);
    if (isOpen) open.add(key);
    else open.delete(key);
    this.#set({ open });
  }

  /** Loads the next page of a level, unless one is loading, the last one failed, or all are loaded. */
  load(path: readonly string[]): void {
    const level = this.#state.levels.get(keyOf(path));
    if (level === undefined || (!level.isLoading && level.error === null && level.next !== undefined))
      void this.#read(path, level ?? NOTHING);
  }

  /** Loads the page again that failed. */
  retry(path: readonly string[]): void {
    const level = this.#state.levels.get(keyOf(path));
    if (level !== undefined && level.error !== null) void this.#read(path, level);
  }

  /** Forgets all levels. Those that are shown load again. */
  refresh(): void {
    this.#version += 1;
    this.#set({ levels: new Map() });
  }

  async #read(path: readonly string[], level: Level): Promise<void> {
    const version = this.#version;
    const put = (next: Level): void => {
      if (version === this.#version) this.#set({ levels: new Map(this.#state.levels).set(keyOf(path), next) });
    };
    put({ ...level, isLoading: true, error: null });
    try {
      const token = level.next === undefined ? {} : { page_token: level.next };
      const { names, next } = await readSharedNames(this.#client, path, { size: PAGE_SIZE, ...token });
      put({ names: [...level.names, ...names.map(toTreeName)], next, isLoading: false, error: null });
    } catch (error) {
      put({ ...level, isLoading: false, error });
    }
  }

  #set(fields: Partial<CatalogTreeState>): void {
    this.#state = { ...this.#state, ...fields };
    for (const listener of this.#listeners) listener();
  }
}
