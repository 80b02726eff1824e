import { sqlIdentifier, sqlString } from '../sql-text.ts';

/**
 * Name of DuckDB's schema with the `information_schema` of a catalog: each database has a schema `information_schema` of its own, which
 * cannot be replaced.
 */
const informationSchemaOf = (catalog: string): string => `information_schema of ${catalog}`;

interface InformationTable {
  readonly name: string;
  /** Columns with the expressions of their values. */
  readonly columns: Readonly<Record<string, string>>;
  readonly from: string;
  /** Column with the catalog of a row. */
  readonly catalog: string;
  readonly where?: string;
}

const TABLE_NAME = { table_catalog: 'table_cat', table_schema: 'table_schem', table_name: 'table_name' } as const;

/**
 * Tables of `information_schema` in Trino (InformationSchemaTable). `comment` and `extra_info`, which SQLAlchemy reads, are hidden columns there;
 * DuckDB has none, so `SELECT *` has them too.
 */
const TABLES: readonly InformationTable[] = [
  {
    name: 'columns',
    columns: {
      ...TABLE_NAME,
      column_name: 'column_name',
      ordinal_position: 'ordinal_position',
      column_default: 'column_def',
      is_nullable: 'is_nullable',
      data_type: 'type_name',
      comment: 'remarks',
      extra_info: 'CAST(NULL AS VARCHAR)',
    },
    from: 'jdbc.columns',
    catalog: 'table_cat',
  },
  {
    name: 'schemata',
    columns: { catalog_name: 'table_catalog', schema_name: 'table_schem' },
    from: 'jdbc.schemas',
    catalog: 'table_catalog',
  },
  {
    name: 'tables',
    // Trino calls a table of information_schema a base table.
    columns: { ...TABLE_NAME, table_type: "CASE table_type WHEN 'TABLE' THEN 'BASE TABLE' ELSE table_type END" },
    from: 'jdbc.tables',
    catalog: 'table_cat',
  },
  {
    name: 'views',
    columns: { ...TABLE_NAME, view_definition: 'CAST(NULL AS VARCHAR)' },
    from: 'jdbc.tables',
    catalog: 'table_cat',
    where: "table_type = 'VIEW'",
  },
];

/** Returns the statements that make the `information_schema` of a catalog. */
export const informationSchemaSql = (catalog: string): readonly string[] => {
  const schema = sqlIdentifier(informationSchemaOf(catalog));
  return [
    `CREATE SCHEMA ${schema}`,
    ...TABLES.map(({ name, columns, from, catalog: column, where = 'true' }) => {
      const selected = Object.entries(columns).map(([alias, value]) => `${value} AS ${alias}`);
      const rows = `SELECT ${selected.join(', ')} FROM ${from} WHERE ${column} = ${sqlString(catalog)} AND ${where}`;
      return `CREATE VIEW ${schema}.${name} AS ${rows}`;
    }),
  ];
};

/** Rows of columns of each `information_schema`: table, column, position, type. */
export const INFORMATION_COLUMNS: readonly (readonly [string, string, number, string])[] = TABLES.flatMap(
  ({ name, columns }) =>
    Object.keys(columns).map(
      (column, index) => [name, column, index + 1, column === 'ordinal_position' ? 'bigint' : 'varchar'] as const,
    ),
);
