import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import type { TableName } from '../table-name.ts';
import type { DuckDbProfile } from './profile.ts';

/** Quoted names, which are skipped, and strings. */
const QUOTED = /"(?:[^"]|"")*"|'((?:[^']|'')*)'/g;

/** Files that views of the catalogs read, by the full name of the view. */
export class ViewFiles {
  readonly #paths: ReadonlyMap<string, readonly string[]>;

  readonly #folders: readonly string[];

  private constructor(paths: ReadonlyMap<string, readonly string[]>, folders: readonly string[]) {
    this.#paths = paths;
    this.#folders = folders;
  }

  /** Finds the paths in the SQL of the views that are in the folders which DuckDB may read. */
  static async find(connection: DuckDBConnection, { readableFolders }: DuckDbProfile): Promise<ViewFiles> {
    if (readableFolders.length === 0) return new ViewFiles(new Map(), []);
    const reader = await connection.runAndReadAll(
      'SELECT database_name, schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal',
    );
    const found = reader.getRows().map(([catalog, schema, name, sql]) => {
      const strings = [...String(sql).matchAll(QUOTED)].flatMap(([, text]) =>
        text === undefined ? [] : [pathOf(text)],
      );
      const paths = strings.filter((path) => readableFolders.some((folder) => path.startsWith(`${folder}/`)));
      return [key({ catalog: String(catalog), schema: String(schema), name: String(name) }), paths] as const;
    });
    return new ViewFiles(new Map(found), readableFolders);
  }

  /**
   * Throws `table_not_found` if a file was removed, whose view will follow. Throws `engine_unavailable` if something other than a file has
   * taken the place of a file: DuckDB would wait for a pipe without end, and no interrupt would reach it.
   */
  async assertFiles(tables: Iterable<TableName>): Promise<void> {
    for (const table of tables) {
      const paths = this.#paths.get(key(table)) ?? [];
      await Promise.all(paths.map((path) => this.#assertFile(path, `${table.schema}.${table.name}`)));
    }
  }

  async #assertFile(path: string, view: string): Promise<void> {
    const found = await stat(path).catch((thrown: NodeJS.ErrnoException) =>
      thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR' ? 'missing' : undefined,
    );
    if (found === 'missing') {
      const folder = this.#folders.find((one) => path.startsWith(`${one}/`)) ?? '';
      throw new ProblemError(
        'table_not_found',
        `The file ${path.slice(folder.length + 1)} of the view ${view} has been removed. Put it back, or read another view.`,
      );
    }
    if (found === undefined || found.isFile() || found.isDirectory()) return;
    throw new ProblemError(
      'engine_unavailable',
      `The file of the view ${view} has been replaced by a pipe or a device, so it is not read. Put the file back.`,
    );
  }
}

/** A path in the SQL of a view escapes the characters of patterns, as in `[*]`. */
const pathOf = (text: string): string => text.replaceAll("''", "'").replaceAll(/\[([*?[])\]/g, '$1');

const key = ({ catalog, schema, name }: TableName): string => JSON.stringify([catalog, schema, name]);
