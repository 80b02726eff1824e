import type { Connection } from '../context.ts';
import { type NameLevel, readLevel } from '../names/read-level.ts';

/** More tables than this are not loaded: completion then knows the first ones. */
const TABLES_MAX = 5000;

/** Catalog, schema and table. */
export type TablePath = readonly [catalog: string, schema: string, table: string];

/** Names of the catalog, loaded in the background when they are first asked for. */
export interface CatalogNames {
  /**
   * Returns the names below a path that are known so far: catalogs, schemas, tables, or the columns of a table. Asking starts the loading.
   * @param begun - what the name begins with
   */
  readonly below: (path: readonly string[], begun: string) => readonly string[];
  /** Returns the paths of the tables that are known so far. Asking starts the loading of all. */
  readonly tables: () => readonly TablePath[];
  /** Resolves when everything that was asked for is loaded, or has failed. */
  readonly settled: () => Promise<void>;
}

/** Creates the names. Failures leave them out: completion is a help, and the statement reports what is wrong. */
export function createCatalogNames(connect: () => Promise<Connection>, signal: AbortSignal): CatalogNames {
  const levels = new Map<string, NameLevel>();
  const tables: TablePath[] = [];
  const pending = new Set<Promise<unknown>>();
  let hasStarted = false;

  const inBackground = (work: () => Promise<unknown>): void => {
    const running = work()
      .catch(() => undefined)
      .finally(() => pending.delete(running));
    pending.add(running);
  };
  const load = async (path: readonly string[]): Promise<NameLevel> => {
    const { client } = await connect();
    const names = await readLevel(client, path, { max: TABLES_MAX, signal });
    levels.set(JSON.stringify(path), names);
    return names;
  };
  const loadTables = async (): Promise<void> => {
    for (const { name: catalog } of await load([]))
      for (const { name: schema } of await load([catalog]))
        for (const { name: table } of await load([catalog, schema])) {
          if (tables.length >= TABLES_MAX) return;
          tables.push([catalog, schema, table]);
        }
  };
  return {
    below: (path) => {
      const key = JSON.stringify(path);
      if (!levels.has(key)) {
        levels.set(key, []);
        inBackground(() => load(path));
      }
      return levels.get(key)?.map(({ name }) => name) ?? [];
    },
    tables: () => {
      if (!hasStarted) inBackground(loadTables);
      hasStarted = true;
      return tables;
    },
    settled: async () => {
      await Promise.all(pending);
    },
  };
}
