/** Columns of a table with DuckDB's types, in Trino's order. */
type Columns = Readonly<Record<string, 'VARCHAR' | 'BIGINT' | 'BOOLEAN' | 'TIMESTAMPTZ'>>;

const texts = (...names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, 'VARCHAR']));
const numbers = (...names: readonly string[]): Columns => Object.fromEntries(names.map((name) => [name, 'BIGINT']));

/** Tables of Trino's catalog `system`, by schema and name (the classes of `io.trino.connector.system`). */
const SYSTEM_TABLES: Readonly<Record<string, Columns>> = {
  'jdbc.attributes': {
    ...texts('type_cat', 'type_schem', 'type_name', 'attr_name'),
    ...numbers('data_type'),
    ...texts('attr_type_name'),
    ...numbers('attr_size', 'decimal_digits', 'num_prec_radix', 'nullable'),
    ...texts('remarks', 'attr_def'),
    ...numbers('sql_data_type', 'sql_datetime_sub', 'char_octet_length', 'ordinal_position'),
    ...texts('is_nullable', 'scope_catalog', 'scope_schema', 'scope_table'),
    ...numbers('source_data_type'),
  },
  'jdbc.catalogs': texts('table_cat'),
  'jdbc.columns': {
    ...texts('table_cat', 'table_schem', 'table_name', 'column_name'),
    ...numbers('data_type'),
    ...texts('type_name'),
    ...numbers('column_size', 'buffer_length', 'decimal_digits', 'num_prec_radix', 'nullable'),
    ...texts('remarks', 'column_def'),
    ...numbers('sql_data_type', 'sql_datetime_sub', 'char_octet_length', 'ordinal_position'),
    ...texts('is_nullable', 'scope_catalog', 'scope_schema', 'scope_table'),
    ...numbers('source_data_type'),
    ...texts('is_autoincrement', 'is_generatedcolumn'),
  },
  'jdbc.procedure_columns': {
    ...texts('procedure_cat', 'procedure_schem', 'procedure_name', 'column_name'),
    ...numbers('column_type', 'data_type'),
    ...texts('type_name'),
    ...numbers('precision', 'length', 'scale', 'radix', 'nullable'),
    ...texts('remarks', 'column_def'),
    ...numbers('sql_data_type', 'sql_datetime_sub', 'char_octet_length', 'ordinal_position'),
    ...texts('is_nullable', 'specific_name'),
  },
  'jdbc.procedures': {
    ...texts('procedure_cat', 'procedure_schem', 'procedure_name', 'remarks'),
    ...numbers('procedure_type'),
    ...texts('specific_name'),
  },
  'jdbc.pseudo_columns': {
    ...texts('table_cat', 'table_schem', 'table_name', 'column_name'),
    ...numbers('data_type', 'column_size', 'decimal_digits', 'num_prec_radix'),
    ...texts('column_usage', 'remarks'),
    ...numbers('char_octet_length', 'is_nullable'),
  },
  'jdbc.schemas': texts('table_schem', 'table_catalog'),
  'jdbc.super_tables': texts('table_cat', 'table_schem', 'table_name', 'supertable_name'),
  'jdbc.super_types': texts(
    ...['type_cat', 'type_schem', 'type_name'],
    ...['supertype_cat', 'supertype_schem', 'supertype_name'],
  ),
  'jdbc.table_types': texts('table_type'),
  'jdbc.tables': texts(
    ...['table_cat', 'table_schem', 'table_name', 'table_type', 'remarks'],
    ...['type_cat', 'type_schem', 'type_name', 'self_referencing_col_name', 'ref_generation'],
  ),
  'jdbc.types': {
    ...texts('type_name'),
    ...numbers('data_type', 'precision'),
    ...texts('literal_prefix', 'literal_suffix', 'create_params'),
    ...numbers('nullable'),
    case_sensitive: 'BOOLEAN',
    ...numbers('searchable'),
    unsigned_attribute: 'BOOLEAN',
    fixed_prec_scale: 'BOOLEAN',
    auto_increment: 'BOOLEAN',
    ...texts('local_type_name'),
    ...numbers('minimum_scale', 'maximum_scale', 'sql_data_type', 'sql_datetime_sub', 'num_prec_radix'),
  },
  'jdbc.udts': texts('type_cat', 'type_schem', 'type_name', 'class_name', 'data_type', 'remarks', 'base_type'),
  'metadata.catalogs': texts('catalog_name', 'connector_id', 'connector_name'),
  'metadata.materialized_views': {
    ...texts('catalog_name', 'schema_name', 'name', 'storage_catalog', 'storage_schema', 'storage_table', 'freshness'),
    last_fresh_time: 'TIMESTAMPTZ',
    ...texts('comment', 'definition'),
  },
  'metadata.table_comments': texts('catalog_name', 'schema_name', 'table_name', 'comment'),
  'runtime.nodes': {
    ...texts('node_id', 'http_uri', 'node_version'),
    coordinator: 'BOOLEAN',
    ...texts('state'),
  },
};

/** Trino's names of the types of these tables. */
const TRINO_TYPES = {
  VARCHAR: 'varchar',
  BIGINT: 'bigint',
  BOOLEAN: 'boolean',
  TIMESTAMPTZ: 'timestamp(9) with time zone',
} as const;

/** Rows of columns of the tables of `system`: schema, table, column, position, type. */
export const SYSTEM_COLUMNS: readonly (readonly [string, string, string, number, string])[] = Object.entries(
  SYSTEM_TABLES,
).flatMap(([name, columns]) => {
  const [schema = '', table = ''] = name.split('.');
  return Object.entries(columns).map(
    ([column, type], index) => [schema, table, column, index + 1, TRINO_TYPES[type]] as const,
  );
});

export const createTablesSql = (): readonly string[] => [
  ...['jdbc', 'metadata', 'runtime', 'sluice'].map((schema) => `CREATE SCHEMA ${schema}`),
  ...Object.entries(SYSTEM_TABLES).map(
    ([name, columns]) =>
      `CREATE TABLE ${name} (${Object.entries(columns)
        .map(([column, type]) => `"${column}" ${type}`)
        .join(', ')})`,
  ),
];
