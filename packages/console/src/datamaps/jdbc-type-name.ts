/** Names of `java.sql.Types` (JDBC 4.3), as engines write them. */
const NAMES: Readonly<Record<number, string>> = {
  [-6]: 'tinyint',
  [-5]: 'bigint',
  [-3]: 'varbinary',
  1: 'char',
  2: 'numeric',
  3: 'decimal',
  4: 'integer',
  5: 'smallint',
  7: 'real',
  8: 'double',
  12: 'varchar',
  16: 'boolean',
  91: 'date',
  92: 'time',
  93: 'timestamp',
  2003: 'array',
  2013: 'time with time zone',
  2014: 'timestamp with time zone',
};
const DECIMAL = 3;

interface JdbcColumn {
  readonly data_type: number;
  readonly java_type: string;
  readonly column_size: number;
  readonly decimal_digits: number;
}

/** Returns the type of a column of a datamap, such as `decimal(10,2)`. A type without a name there has that of its Java class. */
export function jdbcTypeName({
  data_type: type,
  java_type: java,
  column_size: size,
  decimal_digits: digits,
}: JdbcColumn) {
  const name = NAMES[type] ?? java.slice(java.lastIndexOf('.') + 1).toLowerCase();
  return type === DECIMAL ? `${name}(${size},${digits})` : name;
}
