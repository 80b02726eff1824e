import { metadataStatements } from './read-statements.ts';

/** A statement of DBeaver about the catalog. */
export interface BrowsingStatement {
  /** SQL as the driver sends it. */
  readonly sql: string;
  /** SQL as it is on record: for EXECUTE the text that it runs. */
  readonly recorded: string;
  /** Prepared statement of the connection, as its header has it. */
  readonly prepared?: string;
}

/** Returns the statement of `metadata-statements.sql` that a method of the driver sends. */
function sentBy(method: string): string {
  const found = metadataStatements().find(({ client }) => client === `JDBC, DatabaseMetaData.${method}`);
  if (found === undefined) throw new Error(`there is no statement of ${method}`);
  return found.sql.replace(/;$/, '');
}

const plain = (sql: string): BrowsingStatement => ({ sql, recorded: sql });

/** Returns the statements of three connections that open: for the navigator, for metadata, and for the editor. */
export const connecting = (): readonly BrowsingStatement[] =>
  [
    ...Array.from({ length: 3 }, () => 'getDatabaseProductVersion'),
    ...['getTypeInfo', 'getTableTypes', 'getCatalogs', 'getSchemas()'],
  ].map((method) => plain(sentBy(method)));

interface Schema {
  readonly catalog: string;
  readonly schema: string;
}

const inSchema = (sql: string, { catalog, schema }: Schema): string =>
  sql.replace("'demo'", `'${catalog}'`).replace("'vega'", `'${schema}'`);

/** Opens or refreshes a schema in the navigator. */
export const openSchema = (name: Schema): BrowsingStatement =>
  plain(inSchema(sentBy('getTables(catalog, schema, pattern, types)'), name));

interface OpenTable extends Schema {
  readonly table: string;
  /** Number of the prepared statement in its connection, from 1. */
  readonly number: number;
}

/**
 * Opens a table with its columns, keys and definition. The driver sends nothing for indexes and exported keys, which Trino does not have
 * (`TrinoDatabaseMetaData`), and DBeaver prepares SHOW CREATE TABLE (`TrinoMetaModel`).
 */
export function openTable({ table, number, ...name }: OpenTable): readonly BrowsingStatement[] {
  const columns = inSchema(sentBy('getColumns'), name).replace("'flights'", `'${table}'`);
  const definition = `SHOW CREATE TABLE "${name.catalog}"."${name.schema}"."${table}"`;
  const id = `statement${number}`;
  const prepared = `${id}=${encodeURIComponent(definition)}`;
  return [
    plain(columns),
    plain(sentBy('getPrimaryKeys')),
    plain(sentBy('getImportedKeys')),
    plain(`PREPARE ${id} FROM ${definition}`),
    { sql: `EXECUTE ${id}`, recorded: definition, prepared },
    { ...plain(`DEALLOCATE PREPARE ${id}`), prepared },
  ];
}

/** A statement with its time in milliseconds. */
export interface TimedStatement {
  readonly atMs: number;
  readonly statement: BrowsingStatement;
}

const MINUTE_MS = 60_000;
const BURSTS = 12;
const TABLES_OF_BURST = 5;
const BETWEEN_BURSTS_MS = 5 * MINUTE_MS;
const BETWEEN_TABLES_MS = 10_000;

/** Returns an hour: a person connects, opens two schemas, and in every fifth minute refreshes one and opens five further tables. */
export function hourOfBrowsing(): readonly TimedStatement[] {
  const schema = { catalog: 'demo', schema: 'vega' };
  const at = (atMs: number, statements: readonly BrowsingStatement[]): readonly TimedStatement[] =>
    statements.map((statement) => ({ atMs, statement }));
  const opened = [openSchema(schema), openSchema({ catalog: 'shop', schema: 'main' })];
  const bursts = Array.from({ length: BURSTS }, (_, burst) => {
    const beginMs = MINUTE_MS + burst * BETWEEN_BURSTS_MS;
    const tables = Array.from({ length: TABLES_OF_BURST }, (_each, index) => {
      const number = burst * TABLES_OF_BURST + index + 1;
      return at(beginMs + index * BETWEEN_TABLES_MS, openTable({ ...schema, table: `t${number}`, number }));
    });
    return [...at(beginMs, [openSchema(schema)]), ...tables.flat()];
  });
  return [...at(0, [...connecting(), ...opened]), ...bursts.flat()];
}
