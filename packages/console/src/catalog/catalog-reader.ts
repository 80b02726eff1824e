import type { Client } from '@sluice/client';
import { type CatalogName, NameIndex } from './name-index.ts';
import { type readNames, readSharedNames, searchTables } from './read-names.ts';

/** Names below one path. `isComplete`: all pages have been read. */
interface Level {
  index: NameIndex;
  isComplete: boolean;
}

const PAGE_SIZE = 1000;
const FOUND_MAX = 50;
/** Names of one level that are kept. A larger level is asked by the beginning of the name. */
const LEVEL_NAMES_MAX = 100_000;

/**
 * Names of the catalog of the user, read level by level when they are first asked for, and kept until the page is left. The first page
 * of a level is enough to go on; its other pages follow in the background, and meanwhile the host finds names by their beginning.
 */
export class CatalogReader {
  readonly #client: Client;
  readonly #levels = new Map<string, Promise<Level | undefined>>();
  readonly #found = new Map<string, readonly CatalogName[]>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** Returns the names below a path as it was typed, in any case. Undefined: the path does not exist. */
  async below(path: readonly string[], prefix: string): Promise<NameIndex | undefined> {
    const resolved = await this.#resolve(path);
    if (resolved === undefined) return undefined;
    const level = await this.#level(resolved);
    if (level === undefined || level.isComplete || prefix === '') return level?.index;
    const found = (await this.#read(resolved, prefix)).names;
    return new NameIndex([...new Map([...found, ...level.index.names].map((name) => [name.name, name])).values()]);
  }

  /** Returns tables and views of any schema with a name that contains a word beginning with this text. */
  async searchTables(text: string, signal: AbortSignal): Promise<readonly CatalogName[]> {
    const key = text.toLowerCase();
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const { names } = await searchTables(this.#client, text, FOUND_MAX, signal);
    // Enter takes the first one, so that is the name which has the least to add.
    const byLength = names.toSorted((one, other) => one.name.length - other.name.length);
    const found = new NameIndex(byLength).find(text, FOUND_MAX);
    this.#found.set(key, found);
    return found;
  }

  /** Returns the path as the engine writes it. */
  async #resolve(path: readonly string[]): Promise<readonly string[] | undefined> {
    const resolved: string[] = [];
    for (const part of path) {
      const level = await this.#level(resolved);
      const name = level?.index.resolve(part)?.name ?? (level?.isComplete === false ? part : undefined);
      if (name === undefined) return undefined;
      resolved.push(name);
    }
    return resolved;
  }

  #level(path: readonly string[]): Promise<Level | undefined> {
    const key = JSON.stringify(path);
    const level = this.#levels.get(key) ?? this.#readLevel(path);
    this.#levels.set(key, level);
    // A failed level is read again when it is asked for again.
    level.catch(() => this.#levels.delete(key));
    return level;
  }

  async #readLevel(path: readonly string[]): Promise<Level | undefined> {
    if (path.length > 3) return undefined;
    const first = await this.#read(path);
    const level = { index: new NameIndex(first.names), isComplete: first.next === undefined };
    void this.#readRest(path, level, first.names, first.next).catch(() => undefined);
    return level;
  }

  async #readRest(
    path: readonly string[],
    level: Level,
    first: readonly CatalogName[],
    start: string | undefined,
  ): Promise<void> {
    const names = [...first];
    let next = start;
    while (next !== undefined && names.length < LEVEL_NAMES_MAX) {
      const page = await this.#read(path, undefined, next);
      names.push(...page.names);
      next = page.next;
    }
    level.index = new NameIndex(names);
    level.isComplete = next === undefined;
  }

  #read(path: readonly string[], prefix?: string, token?: string): ReturnType<typeof readNames> {
    const query = {
      size: PAGE_SIZE,
      ...(prefix === undefined ? {} : { prefix }),
      ...(token === undefined ? {} : { page_token: token }),
    };
    return readSharedNames(this.#client, path, query);
  }
}
