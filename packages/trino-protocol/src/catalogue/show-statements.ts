import type { TrinoError } from '../trino-error.ts';
import { createSchemaSql, createTableSql } from './create-statements.ts';
import type { RequiredObject } from './required-objects.ts';
import type { DoorFacts } from './session-facts.ts';
import type { FullName, StatementParser } from './statement-parser.ts';
import { sqlText } from './tokens.ts';

/** SHOW or DESCRIBE as SQL over the tables of the mirrored catalog. */
export interface ShownObjects {
  readonly sql: string;
  readonly requires: readonly RequiredObject[];
  /** Thrown for an answer without rows, if all required objects exist. */
  readonly otherwise?: TrinoError;
}

/** Reads what follows SHOW. Returns undefined for a form that the mirrored catalog does not answer. */
type ReadShow = (parser: StatementParser, facts: DoorFacts) => ShownObjects | undefined;

const named = (column: string, name: string): string => `lower(${column}) = lower(${sqlText(name)})`;

const showCatalogs: ReadShow = (parser) => {
  const like = parser.takeLike('table_cat');
  return { sql: `SELECT table_cat AS "Catalog" FROM jdbc.catalogs WHERE true${like} ORDER BY 1`, requires: [] };
};

const showSchemas: ReadShow = (parser) => {
  const name = parser.takeWord('FROM', 'IN') ? parser.takeName() : [];
  if (name === undefined) return undefined;
  const catalog = parser.catalogOf(name);
  const where = `${named('table_catalog', catalog)}${parser.takeLike('table_schem')}`;
  return {
    sql: `SELECT table_schem AS "Schema" FROM jdbc.schemas WHERE ${where} ORDER BY 1`,
    requires: [{ catalog }],
  };
};

const showTables: ReadShow = (parser) => {
  const name = parser.takeWord('FROM', 'IN') ? parser.takeName() : [];
  if (name === undefined) return undefined;
  const { catalog, schema } = parser.schemaOf(name);
  const where = `${named('table_cat', catalog)} AND ${named('table_schem', schema)}${parser.takeLike('table_name')}`;
  return {
    sql: `SELECT table_name AS "Table" FROM jdbc.tables WHERE ${where} ORDER BY 1`,
    requires: [{ catalog, schema }],
  };
};

const inTable = ({ catalog, schema, table }: FullName): string =>
  `${named('table_cat', catalog)} AND ${named('table_schem', schema)} AND ${named('table_name', table)}`;

const columnsOf = (name: FullName, like: string): ShownObjects => ({
  sql: `SELECT column_name AS "Column", type_name AS "Type", '' AS "Extra", coalesce(remarks, '') AS "Comment"
    FROM jdbc.columns WHERE ${inTable(name)}${like} ORDER BY ordinal_position`,
  requires: [name],
});

const showColumns: ReadShow = (parser) => {
  const name = parser.takeWord('FROM', 'IN') ? parser.takeName() : undefined;
  return name === undefined ? undefined : columnsOf(parser.tableOf(name), parser.takeLike('column_name'));
};

/** Trino lists its own functions. */
const showFunctions: ReadShow = (parser, { engine }) => {
  if (engine === 'trino') return undefined;
  const name = parser.takeWord('FROM', 'IN') ? parser.takeName() : [];
  if (name === undefined) return undefined;
  const { catalog, schema } = name.length === 0 ? { catalog: '', schema: '' } : parser.schemaOf(name);
  // The functions of DuckDB belong to no schema.
  const where = `${name.length === 0 ? 'true' : 'false'}${parser.takeLike('function_name')}`;
  return {
    sql: `SELECT function_name AS "Function", return_type AS "Return Type", argument_types AS "Argument Types",
        function_type AS "Function Type", deterministic AS "Deterministic", description AS "Description"
      FROM sluice.functions WHERE ${where} ORDER BY lower(function_name), return_type, argument_types, function_type`,
    requires: name.length === 0 ? [] : [{ catalog, schema }],
  };
};

const showCreate: ReadShow = (parser, { engine }) => {
  const kind = (['TABLE', 'VIEW', 'SCHEMA'] as const).find((word) => parser.takeWord(word));
  const name = kind === undefined ? undefined : parser.takeName();
  if (kind === undefined || name === undefined) return undefined;
  if (kind === 'SCHEMA') {
    const { catalog, schema } = parser.schemaOf(name);
    return {
      sql: createSchemaSql({ catalog, schema }),
      requires: [],
      otherwise: parser.error('SCHEMA_NOT_FOUND', `Schema '${catalog}.${schema}' does not exist`),
    };
  }
  // Trino knows the definitions of its views.
  if (kind === 'VIEW' && engine === 'trino') return undefined;
  const table = parser.tableOf(name);
  if (kind === 'TABLE') return { sql: createTableSql(table), requires: [{ ...table, kind }] };
  return unknownFact(parser, {
    column: 'Create View',
    object: { ...table, kind },
    sentence: `The definition of the view ${textOf(table)} is not known, because definitions are not read from DuckDB. SHOW COLUMNS FROM it has its columns.`,
  });
};

/** Trino has statistics of its own. */
const showStats: ReadShow = (parser, { engine }) => {
  if (engine === 'trino' || !parser.takeWord('FOR')) return undefined;
  const name = parser.takeName();
  if (name === undefined)
    throw parser.error('NOT_SUPPORTED', 'The statistics of a query are not known, because DuckDB has none to show.');
  const table = parser.tableOf(name);
  return unknownFact(parser, {
    column: 'column_name',
    object: table,
    sentence: `The statistics of ${textOf(table)} are not known, because DuckDB has none to show. Count its rows with SELECT count(*).`,
  });
};

interface UnknownFact {
  readonly column: string;
  readonly object: RequiredObject;
  /** Message for an object that exists. */
  readonly sentence: string;
}

/** Returns a statement that fails in any case: first for an object that does not exist. */
const unknownFact = (parser: StatementParser, { column, object, sentence }: UnknownFact): ShownObjects => ({
  sql: `SELECT table_name AS "${column}" FROM jdbc.tables WHERE false`,
  requires: [object],
  otherwise: parser.error('NOT_SUPPORTED', sentence),
});

const textOf = ({ catalog, schema, table }: FullName): string => `${catalog}.${schema}.${table}`;

const SHOWN: readonly (readonly [word: string, read: ReadShow])[] = [
  ['CATALOGS', showCatalogs],
  ['SCHEMAS', showSchemas],
  ['TABLES', showTables],
  ['COLUMNS', showColumns],
  ['FUNCTIONS', showFunctions],
  ['CREATE', showCreate],
  ['STATS', showStats],
];

/** Reads the statement after SHOW. Returns undefined for a form that the mirrored catalog does not answer, or with anything behind it. */
export function readShow(parser: StatementParser, facts: DoorFacts): ShownObjects | undefined {
  const found = SHOWN.find(([word]) => parser.takeWord(word))?.[1](parser, facts);
  return found !== undefined && parser.isAtEnd ? located(found, parser) : undefined;
}

/** Adds the position of the statement to the objects that it needs. */
const located = (shown: ShownObjects, { location }: StatementParser): ShownObjects => ({
  ...shown,
  requires: shown.requires.map((object) => ({ ...object, location })),
});

/** Reads the name after DESCRIBE or DESC. Returns undefined if a query follows, or INPUT or OUTPUT of a prepared statement. */
export function readDescribe(parser: StatementParser): ShownObjects | undefined {
  const name = parser.takeName();
  return name === undefined || !parser.isAtEnd ? undefined : located(columnsOf(parser.tableOf(name), ''), parser);
}
