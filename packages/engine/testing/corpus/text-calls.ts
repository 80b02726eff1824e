/** Valid strings that a function which counts bytes would cut, and strings that functions of JSON, dates and URLs accept. */
export const HOSTILE_STRINGS: readonly string[] = [
  ...['', 'é', 'aéb', '€', '😀', 'e\u0301', '👨‍👩‍👧', 'ß', 'İ', 'ﷺ', '\u{10FFFF}', '\uFFFD', 'a b', 'aé€😀'.repeat(9)],
  ...[
    '%C3%A9',
    '%C3',
    '%ED%A0%80',
    '{"é":"€"}',
    '["é","😀"]',
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '1',
    '2020-01-01',
    'é/€.😀',
  ],
];

/** One signature of a function, as `duckdb_functions()` lists it. */
export interface Overload {
  readonly name: string;
  readonly kind: string;
  readonly parameters: readonly string[];
  readonly varargs: string | null;
}

const NUMBERS = ['1', '2', '0', '195', '55296', '-1'];
const NUMBER_TYPES = [
  ...[
    'TINYINT',
    'SMALLINT',
    'INTEGER',
    'BIGINT',
    'HUGEINT',
    'UTINYINT',
    'USMALLINT',
    'UINTEGER',
    'UBIGINT',
    'UHUGEINT',
  ],
  ...['BIGNUM', 'FLOAT', 'DOUBLE', 'DECIMAL'],
];

/** SQL of arguments by the type of their parameter, over a table with a string `t` and a number `i`. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(NUMBER_TYPES.map((type) => [type, NUMBERS.map((number) => `try((${number})::${type})`)])),
  VARCHAR: ['t', "'é'", "''", "'€a'", "'.'", "'%s é%c'", "'{}é'", "'$'", "'day'", "'\\C'", "'\\B'"],
  ANY: ['t', '[t]', '1', "{'é': t}"],
  BLOB: ["'\\xC3\\xA9'::BLOB", "'\\xC3'::BLOB", 'encode(t)'],
  JSON: ['to_json(t)', `'{"é":["€"]}'::JSON`],
  BIT: ["'11000011'::BIT"],
  UUID: ["'00000000-0000-0000-0000-000000000000'::UUID"],
  GEOMETRY: ["'POINT(1 2)'::GEOMETRY"],
  VARIANT: ["{'é': t}::VARIANT"],
  DATE: ["DATE '2020-01-01'"],
  TIMESTAMP: ["TIMESTAMP '2020-01-01'"],
  TIMESTAMP_NS: ["'2020-01-01'::TIMESTAMP_NS"],
  'TIMESTAMP WITH TIME ZONE': ["TIMESTAMPTZ '2020-01-01'"],
  TIME: ["TIME '01:00:00'"],
  'TIME WITH TIME ZONE': ["'01:00:00+01'::TIMETZ"],
  INTERVAL: ['INTERVAL 1 DAY'],
  BOOLEAN: ['true'],
  STRUCT: ["{'é': t}"],
  UNION: ['t::UNION(a VARCHAR)'],
  MAP: ['MAP {t: t}'],
  'MAP(K, V)': ['MAP {t: t}'],
};
/** Arguments for macros, whose parameters have no types. */
const UNTYPED = ['t', "'é'", '1', '[t]', "DATE '2020-01-01'", 'INTERVAL 1 DAY'];

function argumentsOf(type: string): readonly string[] {
  const known = ARGUMENTS[type];
  if (known !== undefined) return known;
  if (!type.endsWith('[]')) return ['t'];
  return argumentsOf(type.slice(0, -2)).map((argument) => `[${argument}, ${argument}]`);
}

/** Returns whether a type neither contains text nor is created from it. */
const isTextless = (type: string): boolean =>
  NUMBER_TYPES.includes(type.replace(/(?:\[\d*\])+$/, '')) || /^(?:BOOLEAN|DATE|TIME|INTERVAL)/.test(type);

/** Calls beyond those in which the first argument remains the hostile string of a row, if it is a string, and the others change. */
const FURTHER_CALLS = 5;

/**
 * Returns calls of an overload with arguments of its types: one if it takes no string, otherwise enough to use every argument in
 * every place.
 */
export function generatedCalls({ name, kind, parameters, varargs }: Overload): readonly string[] {
  const types = varargs === null ? parameters : [...parameters, varargs, varargs];
  const pools = types.map((type) => (kind === 'macro' ? UNTYPED : argumentsOf(type)));
  const longest = Math.max(1, ...pools.map((pool) => pool.length));
  const count = kind !== 'macro' && types.every(isTextless) ? 1 : longest + FURTHER_CALLS;
  return Array.from({ length: count }, (_, round) =>
    callOf(
      name,
      pools.map((pool, at) => pool[stepOf(pool, at, { round, longest }) % pool.length] ?? 'NULL'),
    ),
  );
}

function stepOf(pool: readonly string[], at: number, { round, longest }: { round: number; longest: number }): number {
  if (at === 0) return pool[0] === 't' && round < longest ? 0 : round;
  return round * 7 + at * 3 + Math.floor(round / longest);
}

export function callOf(name: string, values: readonly string[]): string {
  if (/^[a-z_]/.test(name)) return `"${name}"(${values.join(', ')})`;
  return values.length === 1 ? `${name} ${values[0]}` : `(${values.join(` ${name} `)})`;
}

const each = (names: string, call: (name: string) => string): readonly (readonly [string, string])[] =>
  names.split(' ').map((name) => [name, call(name)] as const);
const over = (names: string, call: (name: string) => string) =>
  each(names, (name) => `${call(name)} OVER (ORDER BY i)`);
const rowsOf = (table: string): string => `(SELECT string_agg(r::VARCHAR, '') FROM ${table} AS r)`;

/** Calls of functions that take lambdas, windows, names or values that no list of types contains. */
export const WRITTEN_CALLS: readonly (readonly [string, string])[] = [
  ...each('apply array_apply array_transform list_apply list_transform', (name) => `${name}([t], lambda x: x || 'é')`),
  ...each('array_filter filter list_filter', (name) => `${name}([t, 'é'], lambda x: x <> '')`),
  ...each('array_reduce list_reduce reduce', (name) => `${name}([t, 'é'], lambda a, b: a || b)`),
  ...each(
    'aggregate array_aggr array_aggregate list_aggr list_aggregate',
    (name) => `${name}([t, 'é'], 'string_agg', '€')`,
  ),
  ...each('array_slice list_slice', (name) => `${name}(t, 1, 2)`),
  ...each('array_slice list_slice', (name) => `${name}([t, 'é'], 2, 2)`),
  ...each('array_zip list_zip', (name) => `${name}([t], ['é'])`),
  ...each(
    'array_cosine_distance array_cosine_similarity array_cross_product array_distance array_dot_product array_inner_product array_negative_dot_product array_negative_inner_product',
    (name) => `${name}([1, 2, 3]::FLOAT[3], [1, 2, 3]::FLOAT[3])`,
  ),
  ...each(
    'list_avg list_bit_and list_bit_or list_bit_xor list_kurtosis list_kurtosis_pop list_mad list_product list_sem list_skewness list_stddev_pop list_stddev_samp list_sum list_var_pop list_var_samp',
    (name) => `${name}([1, 2, 3, 5])`,
  ),
  ...each('list_bool_and list_bool_or', (name) => `${name}([true])`),
  ...each(
    'array_to_json json_quote row_to_json to_json',
    (name) => `${name}(${name === 'row_to_json' ? "{'é': t}" : '[t]'})`,
  ),
  ...each(
    'from_json from_json_strict json_transform json_transform_strict',
    (name) => `${name}('{"é":"€"}', '{"é":"VARCHAR"}')`,
  ),
  ...each('enum_code enum_first enum_last enum_range', (name) => `${name}('é'::ENUM('é', '€'))`),
  ['enum_range_boundary', "enum_range_boundary('é'::ENUM('é', '€'), NULL)"],
  ['cardinality', "cardinality(MAP {'é': t})"],
  ['map_concat', "map_concat(MAP {'é': t}, MAP {'€': t})"],
  ['map_from_entries', "map_from_entries([('é', t)])"],
  ['map_contains_entry', "map_contains_entry(MAP {'é': t}, 'é', t)"],
  ['map_contains_value', "map_contains_value(MAP {'é': t}, t)"],
  ...each('coalesce greatest ifnull least', (name) => `${name}(t, 'é')`),
  ['if', "if(i > 3, t, 'é')"],
  ['switch', "switch(1, MAP {1: 'é'})"],
  ['->', `'{"é":"€"}'::JSON -> 'é'`],
  ['!__postfix', '5!'],
  ...each('formatreadabledecimalsize formatreadablesize', (name) => `${name}(1000)`),
  ['parse_formatted_bytes', "parse_formatted_bytes('1 KB')"],
  ['remap_struct', "remap_struct({'a': t}, NULL::STRUCT(b VARCHAR), {'b': 'a'}, NULL)"],
  ['st_crs', "st_crs(st_setcrs('POINT(1 2)'::GEOMETRY, 'é'))"],
  ['st_geomfromwkb', "st_geomfromwkb(st_aswkb('POINT(1 2)'::GEOMETRY))"],
  ['struct_concat', "struct_concat({'é': t}, {'a': t})"],
  ...each('struct_contains struct_has struct_indexof struct_position', (name) => `${name}(row(t, 'é'), 'é')`),
  ['struct_pack', 'struct_pack("é" := t)'],
  ['union_extract', "union_extract(t::UNION(a VARCHAR), 'a')"],
  ['union_value', 'union_value(a := t)'],
  ['can_cast_implicitly', "can_cast_implicitly(t, 'é')"],
  ['current_setting', "current_setting('search_path')"],
  ['format_type', 'format_type(25, 0)'],
  ...each('histogram histogram_values', (name) => rowsOf(`${name}('texts', t)`)),
  ['summary', rowsOf('summary((FROM texts))')],
  ['make_time', 'make_time(1, 2, 3.5)'],
  ['set_bit', "set_bit('11000011'::BIT, 1, 1)"],
  ...each('strptime try_strptime', (name) => `${name}('2020é', '%Yé')`),
  ['to_base', 'to_base(195, 2)'],
  ...each('approx_quantile quantile_cont reservoir_quantile', (name) => `${name}(i, 0.5)`),
  ...each('date_diff date_sub datediff datesub', (name) => `${name}('day', DATE '2020-01-01', DATE '2020-02-01')`),
  ...each('date_part date_trunc datepart datetrunc', (name) => `${name}('month', DATE '2020-01-01')`),
  ...each('struct_insert struct_update', (name) => `${name}({'é': t}, "€" := t)`),
  ['uuid_extract_timestamp', 'uuid_extract_timestamp(uuidv7())'],
  ...each('fdiv fmod round_even roundbankers', (name) => `${name}(5.5, 2)`),
  ['generate_subscripts', 'generate_subscripts([t], 1)'],
  ...each('unlist unnest', (name) => `${name}([t, 'é'])`),
  ['regexp_split_to_table', "regexp_split_to_table(t, 'é|b')"],
  ['split_part', "split_part(t, 'é', 1)"],
  ...each('wavg weighted_avg regr_intercept regr_r2', (name) => `${name}(i, i + 1)`),
  ...each('kurtosis kurtosis_pop', (name) => `${name}(i)`),
  ...each('percentile_cont percentile_disc', (name) => `${name}(0.5) WITHIN GROUP (ORDER BY i)`),
  ...over('cume_dist dense_rank percent_rank rank rank_dense row_number', (name) => `${name}()`),
  ...over('first_value lag last_value lead', (name) => `${name}(t)`),
  ...over('nth_value', (name) => `${name}(t, 2)`),
  ...over('ntile', (name) => `${name}(3)`),
  ...over('fill', (name) => `${name}(i)`),
  ...each('json_each json_tree', (name) => rowsOf(`${name}('{"é":["€"]}')`)),
  ...each('icu_calendar_names pg_timezone_names test_all_types', (name) => rowsOf(`${name}()`)),
  ['repeat_row', rowsOf("repeat_row('é', num_rows = 2)")],
];
