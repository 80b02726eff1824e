/** A column of pseudo-random values over its whole type. */
export interface RandomColumn {
  /** Name of the column; `readRandomInPython` knows what the column of this name must contain. */
  readonly name: string;
  readonly type: string;
  /** Expression of `i`, and of the bits `u` (128), `lo` and `hi` (64) of its MD5, which Python computes too. */
  readonly sql: string;
}

const U63 = '9223372036854775808::HUGEINT';
const I127 = '170141183460469231731687303715884105727::HUGEINT';

const column = (name: string, type: string, sql: string): RandomColumn => ({ name, type, sql });

/** All bit patterns of an integer, and in a second column numbers of any length. */
function integers(bits: number, type: string): readonly RandomColumn[] {
  const all = bits === 64 ? 'lo' : `lo & ${2 ** bits - 1}`;
  return [
    column(`u${bits}`, `U${type}`, all),
    column(`s${bits}`, type, `(${all})::HUGEINT - ${bits === 64 ? U63 : 2 ** (bits - 1)}`),
    column(`short${bits}`, `U${type}`, `(${all}) >> (i % ${bits})::UBIGINT`),
  ];
}

/** The value is read from its text, which is exact. */
function decimal(width: number, scale: number): RandomColumn {
  const units = `repeat('0', ${scale + 1}) || (u % ('1' || repeat('0', 1 + (i % ${width})::INTEGER))::UHUGEINT)::VARCHAR`;
  const text = scale === 0 ? units : `left(${units}, -${scale}) || '.' || right(${units}, ${scale})`;
  return column(
    `decimal_${width}_${scale}`,
    `DECIMAL(${width},${scale})`,
    `(CASE WHEN hi % 2 = 1 THEN '-' ELSE '' END) || ${text}`,
  );
}

/** Assembles a number from its bits by exact arithmetic. */
function floating(
  name: string,
  type: string,
  { bits, exponentBits, fractionBits }: Record<'bits' | 'exponentBits' | 'fractionBits', number>,
) {
  const exponentMax = 2 ** exponentBits - 1;
  const pattern = bits === 64 ? 'lo' : `(lo & ${2 ** bits - 1})`;
  const exponent = `((${pattern} >> ${fractionBits}) & ${exponentMax})`;
  const fraction = `(${pattern} & ${2 ** fractionBits - 1})`;
  const size = `CASE WHEN ${exponent} = ${exponentMax} THEN (CASE WHEN ${fraction} = 0 THEN 'inf' ELSE 'nan' END)::DOUBLE
    ELSE (${fraction}::DOUBLE / ${2 ** fractionBits} + CASE WHEN ${exponent} = 0 THEN 0 ELSE 1 END)
      * pow(2, greatest(${exponent}, 1)::INTEGER - ${(exponentMax - 1) / 2}) END`;
  return column(
    name,
    type,
    `(CASE WHEN ${pattern} >> ${bits - 1} = 1 THEN -1.0::DOUBLE ELSE 1.0::DOUBLE END) * (${size})`,
  );
}

/** Microseconds, by turns over all of the type and over years of four digits. */
const MICROSECONDS = `(CASE WHEN i % 2 = 0
  THEN greatest(-9223372022400000000::HUGEINT, least(9223372036854775806::HUGEINT, lo::HUGEINT - ${U63}))
  ELSE (lo % 315537897600000000)::HUGEINT - 62135596800000000 END)::BIGINT`;

/** One column or more of every type that the WebAssembly module writes, and of some that SQL writes. */
export const RANDOM_COLUMNS: readonly RandomColumn[] = [
  column('boolean', 'BOOLEAN', 'lo % 2 = 1'),
  ...integers(8, 'TINYINT'),
  ...integers(16, 'SMALLINT'),
  ...integers(32, 'INTEGER'),
  ...integers(64, 'BIGINT'),
  column('u128', 'UHUGEINT', 'u'),
  column(
    's128',
    'HUGEINT',
    `CASE WHEN hi >= 9223372036854775808 THEN (u - 170141183460469231731687303715884105728::UHUGEINT)::HUGEINT
      ELSE (u % 170141183460469231731687303715884105728::UHUGEINT)::HUGEINT - ${I127} - 1 END`,
  ),
  column('short128', 'UHUGEINT', `u // ('1' || repeat('0', (i % 39)::INTEGER))::UHUGEINT`),
  ...[
    [4, 0],
    [4, 2],
    [4, 4],
    [9, 3],
    [18, 2],
    [18, 18],
    [19, 1],
    [38, 0],
    [38, 10],
    [38, 38],
  ].map(([width = 0, scale = 0]) => decimal(width, scale)),
  floating('double', 'DOUBLE', { bits: 64, exponentBits: 11, fractionBits: 52 }),
  floating('float', 'FLOAT', { bits: 32, exponentBits: 8, fractionBits: 23 }),
  column('cents', 'DOUBLE', '(lo % 200000000)::DOUBLE / 100 - 1000000'),
  column(
    'date',
    'DATE',
    `DATE '1970-01-01' + (CASE WHEN i % 2 = 0 THEN greatest(-2147483646, (lo & 4294967295)::BIGINT - 2147483649)
      ELSE (lo % 3652059)::BIGINT - 719162 END)::INTEGER`,
  ),
  column('time', 'TIME', 'make_timestamp((lo % 86400000000)::BIGINT)::TIME'),
  column('time_ns', 'TIME_NS', 'make_timestamp_ns((lo % 86400000000000)::BIGINT)::TIME_NS'),
  column('timestamp', 'TIMESTAMP', `make_timestamp(${MICROSECONDS})`),
  column('timestamptz', 'TIMESTAMPTZ', `make_timestamptz(${MICROSECONDS})`),
  column('timestamp_s', 'TIMESTAMP_S', `make_timestamp(${MICROSECONDS} // 2000000 * 1000000)::TIMESTAMP_S`),
  column('timestamp_ms', 'TIMESTAMP_MS', `make_timestamp(${MICROSECONDS} // 2000 * 1000)::TIMESTAMP_MS`),
  column(
    'timestamp_ns',
    'TIMESTAMP_NS',
    `make_timestamp_ns(greatest(-9223286400000000000::HUGEINT, lo::HUGEINT - ${U63})::BIGINT)`,
  ),
  column('uuid', 'UUID', 'md5(i::VARCHAR)'),
  column('text', 'VARCHAR', 'left(repeat(md5(i::VARCHAR), 2), (lo % 40)::INTEGER)'),
  column(
    'interval',
    'INTERVAL',
    'to_months((lo % 999)::INTEGER - 500) + to_days((hi % 99)::INTEGER - 50) + to_microseconds((lo % 99999999999)::BIGINT)',
  ),
  column('list', 'BIGINT[]', '[(lo >> 1)::BIGINT, NULL, i]'),
  column('enum', "ENUM('a', 'b,c', '=')", `['a', 'b,c', '='][1 + (lo % 3)::INTEGER]`),
  column('blob', 'BLOB', `unhex(left(md5(i::VARCHAR), 2 * (lo % 16)::INTEGER))`),
];

/** Selects columns of the rows from `from` to `end`. `value` changes the SQL of a value. */
export const selectRandom = (
  columns: readonly RandomColumn[],
  { from, end }: { readonly from: number; readonly end: number },
  value: (sql: string, index: number) => string = (sql) => sql,
): string =>
  `SELECT i, ${columns.map(({ name, type, sql }, index) => `${value(`(${sql})::${type}`, index)} AS "${name}"`).join(', ')}
  FROM (SELECT i, md5_number(i::VARCHAR) AS u, md5_number_upper(i::VARCHAR) AS lo, md5_number_lower(i::VARCHAR) AS hi
    FROM range(${from}, ${end}) AS r(i))`;
