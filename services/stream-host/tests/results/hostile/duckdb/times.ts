import { type HostileType, same, type Values } from '../hostile-type.ts';
import { ENDLESS, written } from './written-values.ts';

export const TIMES: readonly HostileType[] = [
  written('DATE', 'date', [...same('0001-01-01', '1969-12-31', '2024-02-29', '9999-12-31'), ...ENDLESS]),
  written('TIME', 'time(6)', [
    ['00:00:00', '00:00:00.000000'],
    ['23:59:59.999999', '23:59:59.999999'],
    ['24:00:00', '24:00:00.000000'],
  ]),
  written('TIME_NS', 'time(9)', [
    ['00:00:00.000000001', '00:00:00.000000001'],
    ['23:59:59.999999999', '23:59:59.999999999'],
  ]),
  written('TIMETZ', 'time(6) with time zone', [
    ['00:00:00+15:59:59', '00:00:00.000000+15:59:59'],
    ['24:00:00-15:59:59', '24:00:00.000000-15:59:59'],
    ['12:00:00.123456+05:30', '12:00:00.123456+05:30'],
  ]),
  written('TIMESTAMP_S', 'timestamp(0)', [...same('0001-01-01 00:00:00', '9999-12-31 23:59:59'), ...ENDLESS]),
  written('TIMESTAMP_MS', 'timestamp(3)', [...same('1969-12-31 23:59:59.999', '9999-12-31 23:59:59.999'), ...ENDLESS]),
  written('TIMESTAMP', 'timestamp(6)', [
    ...same('0001-01-01 00:00:00.000000', '1969-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999'),
    ...ENDLESS,
  ]),
  written('TIMESTAMP_NS', 'timestamp(9)', [
    ...same('1677-09-22 00:00:00.000000000', '2262-04-11 23:47:16.854775806'),
    ...ENDLESS,
  ]),
  {
    type: 'DATE',
    column: 'date',
    values: [
      [`'5877642-06-25 (BC)'::DATE`, '"-5877641-06-25"'],
      [`'0001-01-01 (BC)'::DATE`, '"0000-01-01"'],
      [`'5881580-07-10'::DATE`, '"+5881580-07-10"'],
    ],
  },
  {
    type: 'TIMESTAMP',
    column: 'timestamp(6)',
    values: [
      [`'290309-12-22 (BC) 00:00:00'::TIMESTAMP`, '"-290308-12-22 00:00:00.000000"'],
      [`'294247-01-10 04:00:54.775806'::TIMESTAMP`, '"+294247-01-10 04:00:54.775806"'],
    ],
  },
  ...(
    [
      ['UTC', '2026-10-25 00:30:00.000001 UTC', '2026-10-25 01:30:00.000000 UTC'],
      ['Europe/Berlin', '2026-10-25 02:30:00.000001 +02:00', '2026-10-25 02:30:00.000000 +01:00'],
      ['Asia/Kathmandu', '2026-10-25 06:15:00.000001 +05:45', '2026-10-25 07:15:00.000000 +05:45'],
      ['America/St_Johns', '2026-10-24 22:00:00.000001 -02:30', '2026-10-24 23:00:00.000000 -02:30'],
    ] as const
  ).map(([timeZone, first, second]) => ({
    type: 'TIMESTAMPTZ',
    column: 'timestamp(6) with time zone',
    timeZone,
    back: `regexp_replace(replace($1, ' UTC', '+00'), ' ([-+])', '\\1')::TIMESTAMPTZ`,
    values: [
      [`TIMESTAMPTZ '2026-10-25 00:30:00.000001+00'`, `"${first}"`],
      [`TIMESTAMPTZ '2026-10-25 01:30:00+00'`, `"${second}"`],
      [`'infinity'::TIMESTAMPTZ`, '"infinity"'],
      ['NULL::TIMESTAMPTZ', 'null'],
    ] as Values,
  })),
  {
    type: 'INTERVAL',
    column: 'interval',
    values: [
      ['INTERVAL 0 DAY', '"PT0S"'],
      [`INTERVAL '1 month -1 day'`, '"P1M-1D"'],
      [`INTERVAL '-0.000001 seconds'`, '"PT-0.000001S"'],
      [`INTERVAL '14 months 36 hours 0.5 seconds'`, '"P1Y2MT36H0.5S"'],
      ['NULL::INTERVAL', 'null'],
    ],
  },
];
