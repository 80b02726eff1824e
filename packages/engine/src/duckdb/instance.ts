import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { TableDirectory, TableName } from './read-only-guard.ts';
import { sqlIdentifier, sqlString } from './sql-text.ts';

/** A database file that queries read. */
export interface DuckDbCatalog {
  readonly name: string;
  readonly path: string;
}

/** Everything a tenant's DuckDB is opened with; plain data, so that it can cross to a query worker. */
export interface DuckDbProfile {
  readonly catalogs: readonly DuckDbCatalog[];
  readonly defaultCatalog: string;
  readonly defaultSchema: string;
  /** Folders that views of the catalogs read files from. Nothing else of the file system can be reached. */
  readonly readableFolders: readonly string[];
  readonly memoryBytesMax: number;
  readonly threads: number;
}

/** An opened DuckDB, locked down. One process serves one tenant with it: DuckDB knows no walls inside an instance. */
export class DuckDb implements Disposable {
  readonly tables: TableDirectory;
  readonly profile: DuckDbProfile;
  readonly #instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance, profile: DuckDbProfile, tables: TableDirectory) {
    this.#instance = instance;
    this.profile = profile;
    this.tables = tables;
  }

  /** Opens the catalogs read-only over an empty in-memory database, then locks every setting a session does not need. */
  static async open(profile: DuckDbProfile): Promise<DuckDb> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      for (const catalog of profile.catalogs) {
        await connection.run(`ATTACH ${sqlString(catalog.path)} AS ${sqlIdentifier(catalog.name)} (READ_ONLY)`);
      }
      const tables = await listTables(connection, profile);
      for (const setting of lockDown(profile)) await connection.run(`SET GLOBAL ${setting}`);
      return new DuckDb(instance, profile, tables);
    } finally {
      connection.closeSync();
    }
  }

  /** A connection for one statement, which the caller closes: state of a session never reaches the next statement. */
  async connect(timeZone: string): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    await connection.run('SET errors_as_json = true');
    await connection.run(`SET TimeZone = ${sqlString(timeZone)}`);
    await connection.run(
      `USE ${sqlIdentifier(this.profile.defaultCatalog)}.${sqlIdentifier(this.profile.defaultSchema)}`,
    );
    return connection;
  }

  [Symbol.dispose](): void {
    this.#instance.closeSync();
  }
}

/** DuckDB's own advice ("Securing DuckDB"), in this order: the lock comes last. The guard and the process are the other walls. */
const lockDown = (profile: DuckDbProfile): readonly string[] => [
  `threads = ${profile.threads}`,
  `memory_limit = '${profile.memoryBytesMax}B'`,
  "temp_directory = ''",
  'autoinstall_known_extensions = false',
  'autoload_known_extensions = false',
  'allow_community_extensions = false',
  `allowed_directories = [${profile.readableFolders.map(sqlString).join(', ')}]`,
  "allowed_configs = ['TimeZone', 'errors_as_json', 'search_path', 'schema']",
  'enable_external_access = false',
  'lock_configuration = true',
];

async function listTables(connection: DuckDBConnection, profile: DuckDbProfile): Promise<TableDirectory> {
  const sql = `SELECT database_name, schema_name, table_name FROM duckdb_tables() WHERE NOT internal
    UNION ALL SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal`;
  const rows = (await connection.runAndReadAll(sql)).getRows();
  const known = new Set(
    rows.map(([catalog, schema, name]) =>
      key({ catalog: String(catalog), schema: String(schema), name: String(name) }),
    ),
  );
  const { defaultCatalog, defaultSchema } = profile;
  return {
    has: ({ catalog, schema, name }) => {
      if (catalog !== '') return known.has(key({ catalog, schema: schema === '' ? 'main' : schema, name }));
      if (schema === '') return known.has(key({ catalog: defaultCatalog, schema: defaultSchema, name }));
      // `a.b` is schema and table, or catalog and table of its main schema; DuckDB decides, so both must be ours or absent.
      return (
        known.has(key({ catalog: defaultCatalog, schema, name })) ||
        known.has(key({ catalog: schema, schema: 'main', name }))
      );
    },
  };
}

const key = (table: TableName): string =>
  JSON.stringify([table.catalog.toLowerCase(), table.schema.toLowerCase(), table.name.toLowerCase()]);
