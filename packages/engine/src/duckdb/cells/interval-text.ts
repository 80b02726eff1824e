import { sqlLet } from '../sql-text.ts';

/**
 * ISO 8601 section 5.5.2, with a sign for each field, because months, days and time of an interval are independent:
 * `P1Y2M3DT4H5M6.789S`, `P1M-1D`, and `PT0S` for an empty interval.
 */
export function intervalText(value: string): string {
  const date = `concat(${field('year', value, 'Y')}, ${field('month', value, 'M')}, ${field('day', value, 'D')})`;
  const time = `concat(${field('hour', value, 'H')}, ${field('minute', value, 'M')}, ${seconds(value)})`;
  const whole = `CASE WHEN t <> '' THEN concat('P', d, 'T', t) WHEN d <> '' THEN concat('P', d) ELSE 'PT0S' END`;
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE ${sqlLet('d', date, sqlLet('t', time, whole))} END`;
}

const field = (part: string, value: string, letter: string): string =>
  `CASE WHEN ${part}(${value}) <> 0 THEN concat(${part}(${value}), '${letter}') END`;

/** `microsecond` of an interval counts those of the seconds within the minute. */
function seconds(value: string): string {
  const micros = `microsecond(${value})`;
  const whole = `concat(CASE WHEN ${micros} < 0 THEN '-' END, abs(${micros}) // 1000000)`;
  const fraction = `concat('.', rtrim(lpad((abs(${micros}) % 1000000)::VARCHAR, 6, '0'), '0'))`;
  return `CASE WHEN ${micros} = 0 THEN '' WHEN ${micros} % 1000000 = 0 THEN concat(${whole}, 'S') ELSE concat(${whole}, ${fraction}, 'S') END`;
}
