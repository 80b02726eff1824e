import { TrinoError } from '../trino-error.ts';
import { readTimeZone } from './time-zone.ts';

/** Set by SET TIME ZONE. */
export const TIME_ZONE_PROPERTY = 'time_zone_id';

/** Properties that limit the time of a statement. The smallest of them and the tenant's limit acts. */
export const TIME_LIMITS: readonly string[] = ['query_max_run_time', 'query_max_execution_time'];

/** Properties of Trino that change what a statement returns. Sluice does not honour them, so a statement must not run under them. */
const CHANGES_RESULTS: ReadonlySet<string> = new Set([
  'legacy_catalog_roles',
  'legacy_map_subscript',
  'legacy_materialized_view_grace_period',
  'legacy_timestamp',
  'omit_datetime_type_precision',
  'parse_decimal_literals_as_double',
]);

/** Properties of connectors that do, after the name of a catalog: how columns are found and typed, and which data is left out. */
const CHANGES_RESULTS_OF_CATALOGS: ReadonlySet<string> = new Set([
  'array_mapping',
  'decimal_default_scale',
  'decimal_mapping',
  'decimal_rounding_mode',
  'ignore_absent_partitions',
  'map_string_as_varchar',
  'number_default_scale',
  'number_rounding_mode',
  'orc_use_column_names',
  'parquet_use_column_names',
  'timestamp_precision',
  'unsupported_type_handling',
]);

const DURATION = /^\s*(\d{1,15}(?:\.\d{1,15})?)\s*([A-Za-z]{1,2})\s*$/;
/** Units of Trino's durations, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Throws INVALID_SESSION_PROPERTY for a value without a meaning, and NOT_SUPPORTED for a property that would change results. */
export function checkSessionProperty(name: string, value: string): void {
  if (TIME_LIMITS.includes(name)) readDuration(name, value);
  if (name === TIME_ZONE_PROPERTY) readTimeZone(value);
  const [catalog, property] = name.split('.');
  const changes =
    property === undefined ? CHANGES_RESULTS.has(catalog ?? '') : CHANGES_RESULTS_OF_CATALOGS.has(property);
  if (!changes) return;
  throw new TrinoError(
    'NOT_SUPPORTED',
    `The session property ${name} would change results, and Sluice does not apply it. Run RESET SESSION ${name}, or remove it from the connection.`,
  );
}

/** Returns the smallest time limit of a session in whole milliseconds; undefined: it has none. Throws as `checkSessionProperty`. */
export function timeLimitOf(properties: ReadonlyMap<string, string>): number | undefined {
  const limits = TIME_LIMITS.flatMap((name) => {
    const value = properties.get(name);
    return value === undefined ? [] : [readDuration(name, value)];
  });
  return limits.length === 0 ? undefined : Math.max(1, Math.ceil(Math.min(...limits)));
}

/** Reads a duration as Trino writes it, such as `5s` and `2.00m`. Returns milliseconds. */
function readDuration(name: string, text: string): number {
  const [, number, unit = ''] = DURATION.exec(text) ?? [];
  const factor = UNITS[unit];
  if (number !== undefined && factor !== undefined) return Number(number) * factor;
  throw new TrinoError(
    'INVALID_SESSION_PROPERTY',
    `The session property ${name} must be a duration, such as '5s' or '2.00m'.`,
  );
}
