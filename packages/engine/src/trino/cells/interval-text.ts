const YEAR_TO_MONTH = /^(-?)(\d+)-(\d+)$/;
const DAY_TO_SECOND = /^(-?)(\d+) (\d+):(\d+):(\d+)\.(\d+)$/;

/**
 * ISO 8601 section 5.5.2 with a sign for each field, as DuckDB's intervals are written. Trino writes one sign before all fields:
 * `-1 02:03:04.567` is a negative day and two negative hours. Text in another form is not changed.
 */
export function intervalText(text: string): string {
  const months = YEAR_TO_MONTH.exec(text);
  if (months !== null) {
    const [, sign = '', years, rest] = months;
    const date = `${field(sign, years, 'Y')}${field(sign, rest, 'M')}`;
    return date === '' ? 'PT0S' : `P${date}`;
  }
  const seconds = DAY_TO_SECOND.exec(text);
  if (seconds === null) return text;
  const [, sign = '', days, hours, minutes, whole = '0', fraction = ''] = seconds;
  const date = field(sign, days, 'D');
  const decimals = fraction.replace(/0+$/, '');
  const second = decimals === '' ? field(sign, whole, 'S') : `${sign}${Number(whole)}.${decimals}S`;
  const time = `${field(sign, hours, 'H')}${field(sign, minutes, 'M')}${second}`;
  if (time !== '') return `P${date}T${time}`;
  return date === '' ? 'PT0S' : `P${date}`;
}

/** Empty for zero; leading zeros are Trino's padding. */
function field(sign: string, digits: string | undefined, letter: string): string {
  const count = (digits ?? '').replace(/^0+/, '');
  return count === '' ? '' : `${sign}${count}${letter}`;
}
