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

  private constructor(paths: ReadonlyMap<string, readonly string[]>) {
    this.#paths = paths;
  }

  /** Finds the paths in the SQL of the views that are in the folders which DuckDB may read. */
  static async find(connection: DuckDBConnection, { readableFolders }: DuckDbProfile): Promise<ViewFiles> {
    if (readableFolders.length === 0) return new ViewFiles(new Map());
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
    return new ViewFiles(new Map(found));
  }

  /**
   * Throws `engine_unavailable` if something other than a file has taken the place of a file: DuckDB would wait for a pipe without end, and
   * no interrupt would reach it.
   */
  async assertFiles(tables: Iterable<TableName>): Promise<void> {
    for (const table of tables) {
      for (const path of this.#paths.get(key(table)) ?? []) {
        const found = await stat(path).catch(() => undefined);
        if (found === undefined || found.isFile() || found.isDirectory()) continue;
        throw new ProblemError(
          'engine_unavailable',
          `The file of the view ${table.schema}.${table.name} has been replaced by a pipe or a device, so it is not read. Put the file back.`,
        );
      }
    }
  }
}

/** A path in the SQL of a view escapes the characters of patterns, as in `[*]`. */
const pathOf = (text: string): string => text.replaceAll("''", "'").replaceAll(/\[([*?[])\]/g, '$1');

const key = ({ catalog, schema, name }: TableName): string => JSON.stringify([catalog, schema, name]);
