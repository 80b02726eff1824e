import type { DuckDBConnection } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract';
import { listNames, type NameDirectory } from './name-directory.ts';
import { DuckDBInstance } from './node-api.ts';
import type { DuckDbProfile } from './profile.ts';
import { sqlIdentifier, sqlString } from './sql-text.ts';

/** An opened DuckDB, locked down. One process serves one tenant with it: DuckDB knows no walls inside an instance. */
export class DuckDb implements Disposable {
  readonly names: NameDirectory;
  readonly profile: DuckDbProfile;
  readonly #instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance, profile: DuckDbProfile, names: NameDirectory) {
    this.#instance = instance;
    this.profile = profile;
    this.names = names;
  }

  /**
   * Opens the catalogs read-only over an empty in-memory database, then locks every setting a session does not need. Throws
   * `engine_unavailable` when a catalog cannot be opened.
   */
  static async open(profile: DuckDbProfile): Promise<DuckDb> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      for (const catalog of profile.catalogs) {
        await connection.run(`ATTACH ${sqlString(catalog.path)} AS ${sqlIdentifier(catalog.name)} (READ_ONLY)`);
      }
      const names = await listNames(connection, profile);
      for (const setting of lockDown(profile)) await connection.run(`SET GLOBAL ${setting}`);
      connection.closeSync();
      return new DuckDb(instance, profile, names);
    } catch (cause) {
      connection.closeSync();
      instance.closeSync();
      throw new ProblemError('engine_unavailable', 'The engine could not open the data behind this query.', { cause });
    }
  }

  /**
   * A connection for one statement, which the caller closes: state of a session never reaches the next statement. Throws
   * `invalid_request` when DuckDB does not know the time zone.
   */
  async connect(timeZone: string): Promise<DuckDBConnection> {
    const { defaultCatalog, defaultSchema } = this.profile;
    const connection = await this.#instance.connect();
    try {
      const schema = `${sqlIdentifier(defaultCatalog)}.${sqlIdentifier(defaultSchema)}`;
      await connection.run(`SET errors_as_json = true; USE ${schema}`);
      await setTimeZone(connection, timeZone);
      return connection;
    } catch (thrown) {
      connection.closeSync();
      throw thrown;
    }
  }

  [Symbol.dispose](): void {
    this.#instance.closeSync();
  }
}

/** DuckDB's own advice ("Securing DuckDB"), in this order: the lock comes last. The guard and the process are the other walls. */
const lockDown = (profile: DuckDbProfile): readonly string[] => [
  `threads = ${profile.threads}`,
  `memory_limit = '${profile.memoryBytesMax}B'`,
  // Before external access ends, which then leaves this one folder reachable; no statement gets a function that reads files.
  `temp_directory = ${sqlString(profile.tempFolder ?? '')}`,
  ...(profile.tempBytesMax === undefined ? [] : [`max_temp_directory_size = '${profile.tempBytesMax}B'`]),
  'autoinstall_known_extensions = false',
  'autoload_known_extensions = false',
  'allow_community_extensions = false',
  `allowed_directories = [${profile.readableFolders.map(sqlString).join(', ')}]`,
  "allowed_configs = ['TimeZone', 'errors_as_json', 'search_path', 'schema', 'disabled_optimizers']",
  'enable_external_access = false',
  'lock_configuration = true',
];

async function setTimeZone(connection: DuckDBConnection, timeZone: string): Promise<void> {
  try {
    await connection.run(`SET TimeZone = ${sqlString(timeZone)}`);
  } catch (cause) {
    throw new ProblemError('invalid_request', `The engine does not know the time zone ${timeZone}.`, { cause });
  }
}
