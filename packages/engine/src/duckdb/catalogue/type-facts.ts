/** Numbers of `java.sql.Types` by the first word of Trino's name of a type (ColumnJdbcTable of Trino). Others are JAVA_OBJECT. */
const JDBC_TYPES: Readonly<Record<string, number>> = {
  boolean: 16,
  bigint: -5,
  integer: 4,
  smallint: 5,
  tinyint: -6,
  real: 7,
  double: 8,
  decimal: 3,
  varchar: 12,
  char: 1,
  varbinary: -3,
  date: 91,
  time: 92,
  timestamp: 93,
  array: 2003,
};
const JAVA_OBJECT = 2000;
const TIME_WITH_TIMEZONE = 2013;
const TIMESTAMP_WITH_TIMEZONE = 2014;

/** Length of unbounded texts and of bytes: `Integer.MAX_VALUE`. */
const UNBOUNDED = 2_147_483_647;
/** Length of the longest name of a time zone. */
const ZONE_CHARACTERS = 32;

/** Returns CASE over the first word of a type. */
const byWord = (values: Readonly<Record<string, number | string>>, otherwise: number | string): string =>
  `CASE word ${Object.entries(values)
    .map(([word, value]) => `WHEN '${word}' THEN ${value}`)
    .join(' ')} ELSE ${otherwise} END`;

/** Seconds with their point: `p` digits. */
const FRACTION = 'least(digits, 1) + digits';

const SIZE = byWord(
  {
    bigint: 19,
    integer: 10,
    smallint: 5,
    tinyint: 3,
    real: 24,
    double: 53,
    decimal: 'length',
    varchar: `coalesce(length, ${UNBOUNDED})`,
    char: 'coalesce(length, 1)',
    varbinary: UNBOUNDED,
    date: 14,
    time: `8 + ${FRACTION} + CASE WHEN has_zone THEN 6 ELSE 0 END`,
    timestamp: `21 + ${FRACTION} + CASE WHEN has_zone THEN ${2 + ZONE_CHARACTERS} ELSE 0 END`,
  },
  'NULL',
);

const TYPE = byWord(
  {
    ...JDBC_TYPES,
    time: `CASE WHEN has_zone THEN ${TIME_WITH_TIMEZONE} ELSE ${JDBC_TYPES['time']} END`,
    timestamp: `CASE WHEN has_zone THEN ${TIMESTAMP_WITH_TIMEZONE} ELSE ${JDBC_TYPES['timestamp']} END`,
  },
  JAVA_OBJECT,
);

/** Returns an expression of a type whose parts outside of quotes are changed. Those within quotes are names of fields. */
const joined = (quote: string, changed: string): string =>
  `array_to_string(list_transform(string_split(mirrored, '"'), lambda part, number: CASE WHEN number % 2 = 1 THEN ${changed} ELSE part END), '${quote}')`;

/** Part of a type as Trino's formatter of SQL writes it. */
const SQL_PART = String.raw`regexp_replace(regexp_replace(replace(replace(part, 'interval day to second', 'INTERVAL DAY TO SECOND'),
  'interval year to month', 'INTERVAL YEAR TO MONTH'), '\brow\(', 'ROW(', 'g'), ',([^ ]|$)', ', \1', 'g')`;

/**
 * Returns a query of the facts that Trino derives from types (`columnSize`, `decimalDigits` and others of ColumnJdbcTable), given one that has
 * mirrored names of types in the column `type`. `type_name` is Trino's display name: no quotes around the names of fields, and a space after commas
 * except in decimals. `sql_name` is what SHOW CREATE TABLE of Trino writes. DuckDB's interval is sent as text.
 */
export const typeFactsSql = (types: string): string => String.raw`
  SELECT type, name AS type_name, sql_name,
    CAST(${TYPE} AS BIGINT) AS data_type,
    CAST(${SIZE} AS BIGINT) AS column_size,
    CAST(${byWord({ decimal: 'coalesce(scale, 0)', time: 'digits', timestamp: 'digits' }, 'NULL')} AS BIGINT) AS decimal_digits,
    CAST(${byWord({ bigint: 10, integer: 10, smallint: 10, tinyint: 10, decimal: 10, real: 2, double: 2 }, 'NULL')} AS BIGINT) AS num_prec_radix,
    CAST(${byWord({ varchar: `coalesce(length, ${UNBOUNDED})`, char: 'coalesce(length, 1)', varbinary: UNBOUNDED }, 'NULL')} AS BIGINT) AS char_octet_length
  FROM (
    SELECT type, name, sql_name, regexp_extract(name, '^[a-z0-9_]+') AS word,
      TRY_CAST(regexp_extract(name, '^[a-z0-9_]+\((\d+)', 1) AS BIGINT) AS length,
      coalesce(TRY_CAST(regexp_extract(name, '^[a-z0-9_]+\((\d+)', 1) AS BIGINT), 3) AS digits,
      TRY_CAST(regexp_extract(name, '^decimal\(\d+, ?(\d+)\)', 1) AS BIGINT) AS scale,
      regexp_full_match(name, 'time(stamp)?(\(\d+\))? with time zone') AS has_zone
    FROM (
      SELECT type, ${joined('', String.raw`regexp_replace(part, ',([^0-9 ]|$)', ', \1', 'g')`)} AS name,
        ${joined('"', SQL_PART)} AS sql_name
      FROM (SELECT type, CASE type WHEN 'interval' THEN 'varchar' ELSE type END AS mirrored FROM (${types}))
    )
  )`;

/** Types of `system.jdbc.types` whose values results can have, with whether they can be compared. */
const PLAIN_TYPES: readonly (readonly [name: string, isComparable: boolean])[] = [
  ...['unknown', 'boolean', 'bigint', 'integer', 'smallint', 'tinyint', 'double', 'real', 'varbinary', 'date'].map(
    (name) => [name, true] as const,
  ),
  ...['interval year to month', 'interval day to second', 'json', 'uuid', 'ipaddress'].map(
    (name) => [name, true] as const,
  ),
  ['HyperLogLog', false],
];
const PARAMETRIC_TYPES = [
  ...['varchar', 'char', 'decimal', 'row', 'array', 'map', 'time', 'time with time zone', 'timestamp'],
  'timestamp with time zone',
];

const TYPE_NULLABLE = 1;
const TYPE_SEARCHABLE = 3;
const TYPE_NOT_SEARCHABLE = 0;

/** Returns a query of the rows of `system.jdbc.types` (TypesJdbcTable of Trino). */
export const jdbcTypesSql = (): string => {
  const plain = PLAIN_TYPES.map(([name]) => `('${name}')`).join(', ');
  const searchable = PLAIN_TYPES.filter(([, isComparable]) => isComparable).map(([name]) => `'${name}'`);
  const rows = (name: string, type: string, size: string, radix: string, search: string): string =>
    `SELECT ${name}, ${type}, ${size}, NULL, NULL, NULL, ${TYPE_NULLABLE}, false, ${search}, NULL, false, NULL, NULL, 0, 0, NULL, NULL, ${radix}`;
  const search = `CASE WHEN type IN (${searchable.join(', ')}) THEN ${TYPE_SEARCHABLE} ELSE ${TYPE_NOT_SEARCHABLE} END`;
  const facts = typeFactsSql(`SELECT * FROM (VALUES ${plain}) AS t(type)`);
  return [
    `${rows('type_name', 'data_type', 'column_size', 'num_prec_radix', search)} FROM (${facts})`,
    ...PARAMETRIC_TYPES.map((name) =>
      rows(
        `'${name}'`,
        String(name === 'array' ? JDBC_TYPES['array'] : JAVA_OBJECT),
        'NULL',
        'NULL',
        String(TYPE_NOT_SEARCHABLE),
      ),
    ),
  ].join(' UNION ALL ');
};
