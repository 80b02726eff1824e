import type { Connection } from '../context.ts';
import { readLevel } from '../names/read-level.ts';

/** More names of a level than this are not loaded: completion then knows the first ones. */
const LEVEL_NAMES_MAX = 5000;
/** Tables of a search. More do not help a person to choose. */
const FOUND_MAX = 50;

/** Catalog, schema and table. */
export type TablePath = readonly [catalog: string, schema: string, table: string];

/** Names of the catalog, loaded in the background when they are first asked for. Every request is in the audit log, so no other is sent. */
export interface CatalogNames {
  /**
   * Returns the names below a path that are known so far: catalogs, schemas, tables, or the columns of a table. Asking starts the loading.
   * @param begun - what the name begins with
   */
  readonly below: (path: readonly string[], begun: string) => readonly string[];
  /**
   * Returns the paths of the tables of any schema that a search for the text has found so far: their names contain a word that begins
   * so. Asking starts the search.
   */
  readonly tables: (text: string) => readonly TablePath[];
  /** Resolves when everything that was asked for is loaded, or has failed. */
  readonly settled: () => Promise<void>;
  /** Forgets what was asked for and not found, so that it is asked for again: a request may have failed, or the catalog may be read since. */
  readonly forgetMissing: () => void;
}

/** Creates the names. Failures leave them out until they are asked for again: completion is a help, and the statement reports what is wrong. */
export function createCatalogNames(connect: () => Promise<Connection>, signal: AbortSignal): CatalogNames {
  const levels = new Map<string, readonly string[]>();
  const found = new Map<string, readonly TablePath[]>();
  const pending = new Map<string, Promise<unknown>>();

  /** Returns what is known of a key. The first time, its names are loaded in the background. */
  function known<Name>(names: Map<string, readonly Name[]>, key: string, load: () => Promise<readonly Name[]>) {
    if (names.has(key)) return names.get(key) ?? [];
    names.set(key, []);
    const running = load()
      .then((loaded) => names.set(key, loaded))
      .catch(() => undefined)
      .finally(() => pending.delete(key));
    pending.set(key, running);
    return [];
  }

  const loadLevel = async (path: readonly string[]): Promise<readonly string[]> => {
    const { client } = await connect();
    return (await readLevel(client, path, { max: LEVEL_NAMES_MAX, signal })).map(({ name }) => name);
  };
  const searchTables = async (q: string): Promise<readonly TablePath[]> => {
    const { client } = await connect();
    const pages = await Promise.all(
      (['TABLE', 'VIEW'] as const).map((type) =>
        client.api.searchDatamaps({ body: { q, size: FOUND_MAX, advance_options: { type } }, signal }),
      ),
    );
    return pages.flatMap(({ data }) => data.map(({ catalog, schema, datamap }) => [catalog, schema, datamap.name]));
  };
  return {
    below: (path) => known(levels, JSON.stringify(path), () => loadLevel(path)),
    tables: (text) => known(found, text.toLowerCase(), () => searchTables(text)),
    settled: async () => {
      await Promise.all(pending.values());
    },
    forgetMissing: () => {
      for (const names of [levels, found])
        for (const [key, list] of names) if (list.length === 0 && !pending.has(key)) names.delete(key);
    },
  };
}
