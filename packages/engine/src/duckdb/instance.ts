import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { ProblemError } from '@sluice/contract/problems';
import type { Statement } from '../engine.ts';
import { type NameDirectory, type Names, readNames } from './guard/name-directory.ts';
import type { StatementFacts } from './guard/statement-facts.ts';
import type { Namespace } from './namespace.ts';
import { DuckDBInstance } from './node-api.ts';
import type { DuckDbProfile } from './profile.ts';
import { RecentEntries } from './session/recent-entries.ts';
import { Scope } from './session/scope.ts';
import { Session } from './session/session.ts';
import { lowerAscii, sqlIdentifier, sqlString } from './sql-text.ts';
import { standardError } from './standard-error.ts';
import { ViewFiles } from './view-files.ts';
import { ViewTables } from './view-tables.ts';

/** An opened and locked down DuckDB. One process serves one tenant: DuckDB does not isolate users inside an instance. */
export class DuckDb implements Disposable {
  readonly viewFiles: ViewFiles;
  readonly profile: DuckDbProfile;
  /** Scope of statements that name no catalog and no schema. */
  readonly defaultScope: Scope;
  readonly #names: Names;
  readonly #definitions: ReadonlyMap<string, string>;
  readonly #scopes = new RecentEntries<Scope>(SCOPES_MAX);
  readonly #instance: DuckDBInstance;
  readonly #parser: DuckDBPreparedStatement;
  /** Session of the last statement, for the next one with the same time zone and scope. */
  #kept: Session | undefined;
  #tuning: readonly string[] = [];

  private constructor(opened: Opened) {
    this.#instance = opened.instance;
    this.#parser = opened.parser;
    this.profile = opened.profile;
    this.viewFiles = opened.viewFiles;
    this.#names = opened.names;
    this.#definitions = opened.definitions;
    const { defaultCatalog: catalog, defaultSchema: schema } = opened.profile;
    this.defaultScope = this.#openScope({ catalog, schema });
  }

  /**
   * Opens the catalogs read-only over an empty in-memory database, then locks every setting that a session does not need. Throws
   * `engine_unavailable` if a catalog cannot be opened.
   */
  static async open(profile: DuckDbProfile): Promise<DuckDb> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      for (const catalog of profile.catalogs) {
        await connection.run(`ATTACH ${sqlString(catalog.path)} AS ${sqlIdentifier(catalog.name)} (READ_ONLY)`);
      }
      const names = await readNames(connection);
      const viewFiles = await ViewFiles.find(connection, profile);
      const definitions = await ViewTables.list(connection);
      for (const setting of lockDown(profile)) await connection.run(`SET GLOBAL ${setting}`);
      // This connection keeps the parser's prepared statement: planning it again would take most of the parse time (measured).
      const parser = await connection.prepare('SELECT json_serialize_sql($1::VARCHAR)');
      return new DuckDb({ instance, parser, profile, names, viewFiles, definitions });
    } catch (cause) {
      connection.closeSync();
      instance.closeSync();
      throw new ProblemError('engine_unavailable', 'The engine could not open the data behind this query.', { cause });
    }
  }

  /**
   * Returns the tree that DuckDB's parser builds from SQL, as JSON; JSON with `error` for anything other than a SELECT-like
   * statement.
   */
  async parse(text: string): Promise<string> {
    return await treeOf(this.#parser, text);
  }

  /** Names of the default scope. */
  get names(): NameDirectory {
    return this.defaultScope.names;
  }

  /**
   * Returns the scope of a statement that names a catalog or a schema: without a catalog that of the profile, without a schema the main one of
   * another catalog. Throws `table_not_found` if the tenant has no such schema.
   */
  scopeOf({ catalog, schema }: Pick<Statement, 'catalog' | 'schema'>): Scope {
    if (catalog === undefined && schema === undefined) return this.defaultScope;
    const { defaultCatalog, defaultSchema } = this.profile;
    const isDefault = catalog === undefined || lowerAscii(catalog) === lowerAscii(defaultCatalog);
    const named = { catalog: catalog ?? defaultCatalog, schema: schema ?? (isDefault ? defaultSchema : 'main') };
    const namespace = this.#names.findSchema(named);
    if (namespace === undefined) throw unknownSchema(named, this.#names.hasCatalog(named.catalog));
    if (isSame(namespace, this.defaultScope.namespace)) return this.defaultScope;
    const key = JSON.stringify([namespace.catalog, namespace.schema]);
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    const scope = this.#openScope(namespace);
    this.#scopes.add(key, scope);
    return scope;
  }

  #openScope(namespace: Namespace): Scope {
    const names = this.#names.within(namespace);
    const parse = (sql: string): Promise<string> => this.parse(sql);
    return new Scope({ namespace, names, viewTables: new ViewTables(this.#definitions, { names, parse }) });
  }

  /**
   * Returns a session for one statement, which the caller disposes of, or returns with `keep`. Throws `invalid_request` if DuckDB does
   * not know the time zone.
   */
  async connect(timeZone: string, scope = this.defaultScope): Promise<Session> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept?.timeZone === timeZone && kept.scope === scope) return kept;
    kept?.[Symbol.dispose]();
    return new Session(await this.#openConnection(timeZone, scope), { timeZone, scope });
  }

  /** Takes back a session whose statement ended well. Statements only read, so they leave no state for the next one. */
  keep(session: Session): void {
    this.#kept?.[Symbol.dispose]();
    this.#kept = session;
  }

  /** Sets how a statement is planned and run. The settings are global, so only one statement at a time can use them. */
  async tune(connection: DuckDBConnection, facts: StatementFacts): Promise<void> {
    // A table that is read row by row is one pipeline, and with the end mark after it DuckDB runs it on one thread at a time: a
    // second thread would only wait for the first, and spin meanwhile (a fifth of the processor time, measured).
    await this.#set(connection, [
      `disabled_optimizers = '${facts.isUnordered ? LATE_MATERIALIZATION : ''}'`,
      `threads = ${facts.isScan ? 1 : this.profile.threads}`,
      'preserve_insertion_order = true',
    ]);
  }

  /**
   * Sets how a result is written to a file, in groups with a limited number of bytes: DuckDB supports that only where it need not
   * keep the order of its threads. One thread has only one order, which is that of every other format.
   */
  async tuneForFile(connection: DuckDBConnection): Promise<void> {
    await this.#set(connection, ["disabled_optimizers = ''", 'threads = 1', 'preserve_insertion_order = false']);
  }

  async #set(connection: DuckDBConnection, tuning: readonly string[]): Promise<void> {
    const changed = tuning.filter((setting) => !this.#tuning.includes(setting));
    if (changed.length === 0) return;
    await connection.run(changed.map((setting) => `SET GLOBAL ${setting}`).join('; '));
    this.#tuning = tuning;
  }

  async #openConnection(timeZone: string, { namespace }: Scope): Promise<DuckDBConnection> {
    const connection = await this.#instance.connect();
    try {
      const schema = `${sqlIdentifier(namespace.catalog)}.${sqlIdentifier(namespace.schema)}`;
      await connection.run(
        `SET errors_as_json = true; SET streaming_buffer_size = '${STREAMING_BUFFER}'; USE ${schema}`,
      );
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

/** Each holds the statements that the guard accepted lately in it, at most 0.3 MB of text. */
const SCOPES_MAX = 16;

interface Opened {
  readonly instance: DuckDBInstance;
  readonly parser: DuckDBPreparedStatement;
  readonly profile: DuckDbProfile;
  readonly names: Names;
  readonly viewFiles: ViewFiles;
  /** SQL of the views of the catalogs, by name. */
  readonly definitions: ReadonlyMap<string, string>;
}

async function treeOf(parser: DuckDBPreparedStatement, text: string): Promise<string> {
  parser.bindVarchar(1, text);
  const result = await parser.run();
  return String(result.getChunk(0).getColumnValues(0)[0]);
}

/**
 * It turns LIMIT into a join by row ids, which saves wide columns if rows are sorted first (8 times, measured), and takes 4 to 9
 * times as long if the first rows suffice.
 */
const LATE_MATERIALIZATION = 'late_materialization';

/**
 * Size of the result that DuckDB computes before it returns the first row. A text of any length counts as 16 bytes, so the default of
 * 1 MB is 39,000 rows: with 20 kB each they take 800 MB, and a slow query returns nothing until it has all of them. 32 kB are one chunk.
 */
const STREAMING_BUFFER = '32KB';

/**
 * DuckDB's own advice ("Securing DuckDB"), in this order: the lock comes last. The guard and the process are the other
 * boundaries.
 */
const lockDown = (profile: DuckDbProfile): readonly string[] => [
  `threads = ${profile.threads}`,
  `memory_limit = '${profile.memoryBytesMax}B'`,
  // Set before external access ends, which then leaves only this folder reachable; no statement may use a function that reads
  // files.
  `temp_directory = ${sqlString(profile.tempFolder ?? '')}`,
  ...(profile.tempBytesMax === undefined ? [] : [`max_temp_directory_size = '${profile.tempBytesMax}B'`]),
  'autoinstall_known_extensions = false',
  'autoload_known_extensions = false',
  'allow_community_extensions = false',
  `allowed_directories = [${profile.readableFolders.map(sqlString).join(', ')}]`,
  "allowed_configs = ['TimeZone', 'errors_as_json', 'search_path', 'schema', 'disabled_optimizers', 'threads', 'preserve_insertion_order', 'streaming_buffer_size']",
  'enable_external_access = false',
  'lock_configuration = true',
];

const isSame = (one: Namespace, other: Namespace): boolean =>
  lowerAscii(one.catalog) === lowerAscii(other.catalog) && lowerAscii(one.schema) === lowerAscii(other.schema);

const unknownSchema = ({ catalog, schema }: Namespace, hasCatalog: boolean): ProblemError =>
  new ProblemError(
    'table_not_found',
    `There is no schema ${catalog}.${schema} that you can read. Check catalog and schema of the request.`,
    { engineError: standardError(hasCatalog ? 'SCHEMA_NOT_FOUND' : 'CATALOG_NOT_FOUND') },
  );

const OFFSET = /^([+-])(\d{2}):(\d{2})$/;

/** Returns the name of an offset of whole hours: DuckDB knows no others, and reads `UTC+05:30` as five hours. Its Etc zones count westwards. */
function zoneNamed(timeZone: string): string {
  const [, sign, hours = '', minutes] = OFFSET.exec(timeZone) ?? [];
  return minutes === '00' ? `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}` : timeZone;
}

async function setTimeZone(connection: DuckDBConnection, timeZone: string): Promise<void> {
  try {
    await connection.run(`SET TimeZone = ${sqlString(zoneNamed(timeZone))}`);
  } catch (cause) {
    throw new ProblemError(
      'invalid_request',
      `The engine does not know the time zone ${timeZone}. Use a name such as Asia/Kolkata.`,
      { cause },
    );
  }
}
