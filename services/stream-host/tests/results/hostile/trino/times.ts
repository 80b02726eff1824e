import { type HostileType, same } from '../hostile-type.ts';
import { inQuotes } from './written-values.ts';

const PRECISIONS = [0, 1, 3, 6, 7, 9, 12] as const;

/** Fraction with this many different digits, so that a lost or moved digit is noticed. */
const fraction = (digits: number): string => (digits === 0 ? '' : `.${'123456789012'.slice(0, digits)}`);
const nines = (digits: number): string => (digits === 0 ? '' : `.${'9'.repeat(digits)}`);
const zeros = (digits: number): string => (digits === 0 ? '' : `.${'0'.repeat(digits)}`);

const time = (p: number): HostileType =>
  inQuotes(`time(${p})`, same(`00:00:00${zeros(p)}`, `12:30:45${fraction(p)}`, `23:59:59${nines(p)}`));

const timeWithZone = (p: number): HostileType =>
  inQuotes(
    `time(${p}) with time zone`,
    same(`00:00:00${zeros(p)}+14:00`, `23:59:59${nines(p)}-14:00`, `12:30:45${fraction(p)}+05:45`),
  );

const timestamp = (p: number): HostileType =>
  inQuotes(`timestamp(${p})`, [
    ...same(
      `0001-01-01 00:00:00${zeros(p)}`,
      `1582-10-10 12:30:45${fraction(p)}`,
      `1969-12-31 23:59:59${nines(p)}`,
      `1970-01-01 00:00:00${zeros(p)}`,
      `2026-03-29 02:30:00${fraction(p)}`, // does not exist in Berlin, but as a timestamp without time zone
      `9999-12-31 23:59:59${nines(p)}`,
      `-0001-12-31 23:59:59${nines(p)}`,
    ),
    [`12026-01-01 00:00:00${fraction(p)}`, `+12026-01-01 00:00:00${fraction(p)}`],
  ]);

const timestampWithZone = (p: number): HostileType =>
  inQuotes(
    `timestamp(${p}) with time zone`,
    same(
      `1969-12-31 23:59:59${nines(p)} UTC`,
      `2026-03-29 03:30:00${fraction(p)} Europe/Berlin`,
      `2026-10-25 02:30:00${fraction(p)} +01:00`,
      `2026-10-25 02:30:00${fraction(p)} America/Argentina/Buenos_Aires`,
      `2026-10-25 02:30:00${fraction(p)} -02:30`,
      `2026-10-25 02:30:00${fraction(p)} Asia/Kathmandu`,
    ),
  );

export const TIMES: readonly HostileType[] = [
  inQuotes('date', [
    ...same('0001-01-01', '1582-10-10', '1969-12-31', '2024-02-29', '9999-12-31', '0000-12-31', '-0043-03-15'),
    ['10000-01-01', '+10000-01-01'],
    ['5881580-07-11', '+5881580-07-11'],
    ['-5877641-06-23', '-5877641-06-23'],
  ]),
  ...PRECISIONS.flatMap((p) => [time(p), timeWithZone(p), timestamp(p), timestampWithZone(p)]),
  {
    type: 'interval day to second',
    column: 'interval day to second',
    values: [
      ["INTERVAL '0' SECOND", '"PT0S"'],
      ["INTERVAL '0.001' SECOND", '"PT0.001S"'],
      ["-INTERVAL '0.001' SECOND", '"PT-0.001S"'],
      ["INTERVAL '1' DAY - INTERVAL '0.001' SECOND", '"PT23H59M59.999S"'],
      ["parse_duration('106751991167.0d')", '"P106751991167D"'],
      ["INTERVAL '-1 00:00:01' DAY TO SECOND", '"P-1DT-1S"'],
      ['CAST(NULL AS interval day to second)', 'null'],
    ],
  },
  {
    type: 'interval year to month',
    column: 'interval year to month',
    values: [
      ["INTERVAL '0' YEAR", '"PT0S"'],
      ["INTERVAL '178956970-7' YEAR TO MONTH", '"P178956970Y7M"'],
      ["-INTERVAL '178956970-7' YEAR TO MONTH", '"P-178956970Y-7M"'],
      ["INTERVAL '-11' MONTH", '"P-11M"'],
      ['CAST(NULL AS interval year to month)', 'null'],
    ],
  },
];
