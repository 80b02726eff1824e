/** JDBC description of a column: `java.sql.Types`, the class of `getObject`, and the sizes of `DatabaseMetaData.getColumns`. */
interface JdbcType {
  readonly data_type: number;
  readonly java_type: string;
  /** Digits of a number, characters of any other type; 0 if there is no limit. */
  readonly column_size: number;
  /** Digits after the decimal point of a number or of the seconds. */
  readonly decimal_digits: number;
}

/** `java.sql.Types`, JDBC 4.3. */
const SQL_TYPES = {
  TINYINT: -6,
  BIGINT: -5,
  VARBINARY: -3,
  NULL: 0,
  CHAR: 1,
  NUMERIC: 2,
  DECIMAL: 3,
  INTEGER: 4,
  SMALLINT: 5,
  REAL: 7,
  DOUBLE: 8,
  VARCHAR: 12,
  BOOLEAN: 16,
  DATE: 91,
  TIME: 92,
  TIMESTAMP: 93,
  OTHER: 1111,
  JAVA_OBJECT: 2000,
  ARRAY: 2003,
  TIME_WITH_TIMEZONE: 2013,
  TIMESTAMP_WITH_TIMEZONE: 2014,
} as const;

/** Size of a VARCHAR or VARBINARY without a length. */
const UNBOUNDED = 2_147_483_647;
const TEXT = 'java.lang.String';

const plain = (type: keyof typeof SQL_TYPES, javaType: string, columnSize: number): JdbcType => ({
  data_type: SQL_TYPES[type],
  java_type: javaType,
  column_size: columnSize,
  decimal_digits: 0,
});

/** Digits as reported by Trino's JDBC driver. */
const PLAIN_TYPES: Readonly<Record<string, JdbcType>> = {
  boolean: plain('BOOLEAN', 'java.lang.Boolean', 1),
  tinyint: plain('TINYINT', 'java.lang.Byte', 3),
  smallint: plain('SMALLINT', 'java.lang.Short', 5),
  integer: plain('INTEGER', 'java.lang.Integer', 10),
  bigint: plain('BIGINT', 'java.lang.Long', 19),
  real: plain('REAL', 'java.lang.Float', 9),
  double: plain('DOUBLE', 'java.lang.Double', 17),
  number: plain('NUMERIC', 'java.math.BigDecimal', 0),
  varchar: plain('VARCHAR', TEXT, UNBOUNDED),
  varbinary: plain('VARBINARY', '[B', UNBOUNDED),
  json: plain('VARCHAR', TEXT, UNBOUNDED),
  uuid: plain('JAVA_OBJECT', 'java.util.UUID', 36),
  ipaddress: plain('VARCHAR', TEXT, 45),
  date: plain('DATE', 'java.sql.Date', 10),
  interval: plain('OTHER', TEXT, 0),
  'interval day to second': plain('OTHER', TEXT, 0),
  'interval year to month': plain('OTHER', TEXT, 0),
  array: plain('ARRAY', 'java.sql.Array', 0),
  map: plain('JAVA_OBJECT', 'java.util.Map', 0),
  row: plain('JAVA_OBJECT', 'java.util.Map', 0),
  unknown: plain('NULL', 'java.lang.Object', 0),
};

/** Unknown types are sent as text. */
const FOREIGN = plain('OTHER', TEXT, 0);

const TEMPORAL = /^(time|timestamp)(?:\((\d+)\))?( with time zone)?$/;
const HOURS_TO_SECONDS = 8;
const DATE_TO_SECONDS = 19;
const OFFSET = 6;
/** Length of the longest name in the IANA database, America/Argentina/ComodRivadavia, with the space before it. */
const ZONE = 33;

function temporalType([, kind, digits, zone]: RegExpExecArray): JdbcType {
  const decimalDigits = Number(digits ?? 3);
  const fraction = decimalDigits === 0 ? 0 : decimalDigits + 1;
  if (kind === 'time') {
    return {
      data_type: zone === undefined ? SQL_TYPES.TIME : SQL_TYPES.TIME_WITH_TIMEZONE,
      java_type: zone === undefined ? 'java.sql.Time' : 'java.time.OffsetTime',
      column_size: HOURS_TO_SECONDS + fraction + (zone === undefined ? 0 : OFFSET),
      decimal_digits: decimalDigits,
    };
  }
  return {
    data_type: zone === undefined ? SQL_TYPES.TIMESTAMP : SQL_TYPES.TIMESTAMP_WITH_TIMEZONE,
    java_type: zone === undefined ? 'java.sql.Timestamp' : 'java.time.ZonedDateTime',
    column_size: DATE_TO_SECONDS + fraction + (zone === undefined ? 0 : ZONE),
    decimal_digits: decimalDigits,
  };
}

/** Returns the JDBC description of a column type, given as Trino's lower-case name such as `decimal(38,2)`. */
export function jdbcTypeOf(type: string): JdbcType {
  const known = Object.hasOwn(PLAIN_TYPES, type) ? PLAIN_TYPES[type] : undefined;
  if (known !== undefined) return known;
  const temporal = TEMPORAL.exec(type);
  if (temporal !== null) return temporalType(temporal);
  const [, name = '', first = '', second] = /^(\w+)\((\d*)(?:, ?(\d+))?.*\)$/s.exec(type) ?? [];
  switch (name) {
    case 'decimal':
      return {
        data_type: SQL_TYPES.DECIMAL,
        java_type: 'java.math.BigDecimal',
        column_size: Number(first),
        decimal_digits: Number(second ?? 0),
      };
    case 'varchar':
      return plain('VARCHAR', TEXT, Number(first));
    case 'char':
      return plain('CHAR', TEXT, Number(first));
    case 'array':
    case 'map':
    case 'row':
      return PLAIN_TYPES[name] ?? FOREIGN;
    default:
      return FOREIGN;
  }
}
