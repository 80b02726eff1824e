import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ValueReader } from '../../../testing/value-reader.ts';

let reader: ValueReader;
beforeAll(async () => {
  reader = await ValueReader.open();
});
afterAll(() => reader[Symbol.asyncDispose]());

const ENDLESS = ['infinity', '-infinity'] as const;

/** Literals by type: what DuckDB reads, and what is written. */
const TEXTS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'DATE',
    [
      ['5877642-06-25 (BC)', '-5877641-06-25'],
      ['0002-12-31 (BC)', '-0001-12-31'],
      ['0001-01-01 (BC)', '0000-01-01'],
      ['0001-01-01', '0001-01-01'],
      ['2024-02-29', '2024-02-29'],
      ['9999-12-31', '9999-12-31'],
      ['10000-01-01', '+10000-01-01'],
      ['5881580-07-10', '+5881580-07-10'],
      ...ENDLESS.map((word) => [word, word] as const),
    ],
  ],
  [
    'TIMESTAMP',
    [
      ['290309-12-22 (BC) 00:00:00', '-290308-12-22 00:00:00.000000'],
      ['0044-03-15 (BC) 01:02:03.5', '-0043-03-15 01:02:03.500000'],
      ['0001-12-31 (BC) 23:59:59.999999', '0000-12-31 23:59:59.999999'],
      ['0001-01-01 00:00:00', '0001-01-01 00:00:00.000000'],
      ['1969-12-31 23:59:59.999999', '1969-12-31 23:59:59.999999'],
      ['1969-12-31 23:59:59.9', '1969-12-31 23:59:59.900000'],
      ['1970-01-01 00:00:00.000001', '1970-01-01 00:00:00.000001'],
      ['9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999999'],
      ['10000-01-01 00:00:00', '+10000-01-01 00:00:00.000000'],
      ['294247-01-10 04:00:54.775806', '+294247-01-10 04:00:54.775806'],
      ...ENDLESS.map((word) => [word, word] as const),
    ],
  ],
  [
    'TIMESTAMP_S',
    [
      ['290309-12-22 (BC) 00:00:00', '-290308-12-22 00:00:00'],
      ['1969-12-31 23:59:59', '1969-12-31 23:59:59'],
      ['294247-01-10 04:00:54', '+294247-01-10 04:00:54'],
      ...ENDLESS.map((word) => [word, word] as const),
    ],
  ],
  [
    'TIMESTAMP_MS',
    [
      ['290309-12-22 (BC) 00:00:00', '-290308-12-22 00:00:00.000'],
      ['1969-12-31 23:59:59.5', '1969-12-31 23:59:59.500'],
      ['2020-01-01 00:00:00.001', '2020-01-01 00:00:00.001'],
      ['2020-01-01 00:00:00.12', '2020-01-01 00:00:00.120'],
      ['294247-01-10 04:00:54.775', '+294247-01-10 04:00:54.775'],
      ...ENDLESS.map((word) => [word, word] as const),
    ],
  ],
  [
    'TIMESTAMP_NS',
    [
      ['1677-09-22 00:00:00', '1677-09-22 00:00:00.000000000'],
      ['1969-12-31 23:59:59.999999999', '1969-12-31 23:59:59.999999999'],
      ['2020-01-01 00:00:00.00000001', '2020-01-01 00:00:00.000000010'],
      ['2262-04-11 23:47:16.854775806', '2262-04-11 23:47:16.854775806'],
      ...ENDLESS.map((word) => [word, word] as const),
    ],
  ],
  [
    'TIME',
    [
      ['00:00:00', '00:00:00.000000'],
      ['23:59:59.999999', '23:59:59.999999'],
      ['12:00:00.1', '12:00:00.100000'],
      ['24:00:00', '24:00:00.000000'],
    ],
  ],
  [
    'TIME_NS',
    [
      ['00:00:00.000000001', '00:00:00.000000001'],
      ['12:00:00.12', '12:00:00.120000000'],
      ['24:00:00', '24:00:00.000000000'],
    ],
  ],
  [
    'TIMETZ',
    [
      ['00:00:00+15:59:59', '00:00:00.000000+15:59:59'],
      ['24:00:00-15:59:59', '24:00:00.000000-15:59:59'],
      ['12:00:00.5+00', '12:00:00.500000+00:00'],
      ['12:00:00.123456-05:30', '12:00:00.123456-05:30'],
    ],
  ],
];

describe('time-text', () => {
  it.each(TEXTS)('writes all digits of %s, in any year', async (type, cases) => {
    const literals = [...cases.map(([read]) => `'${read}'::${type}`), `NULL::${type}`];
    const written = cases.map(([, text]) => text);
    expect(await reader.json(literals)).toEqual([...written.map((text) => `"${text}"`), 'null']);
    expect(await reader.csv(literals)).toEqual([...written, '']);
  });

  it.each(TEXTS)('loses nothing of %s: DuckDB reads the same value back', async (type, cases) => {
    const common = cases.filter(([, text]) => !/^[-+]\d|^0000/.test(text));
    expect(common.length).toBeGreaterThan(1);
    for (const [read, text] of common) {
      expect([text, await reader.readsBack(text, type, `'${read}'::${type}`)]).toEqual([text, true]);
    }
  });

  it('completes a fraction of any length', async () => {
    const values = Array.from({ length: 200 }, (_, index) => {
      const micros = 10 ** (index % 7) * (index % 10);
      return `TIMESTAMP '2001-02-03 04:05:06' + INTERVAL (${micros}) MICROSECOND`;
    });
    const texts = await reader.csv(values);
    for (const [index, text] of texts.entries()) {
      expect(text).toHaveLength('2001-02-03 04:05:06.000000'.length);
      expect(await reader.readsBack(text, 'TIMESTAMP', values[index] ?? '')).toBe(true);
    }
  });
});

describe('zonedTimestampText', () => {
  const at = (zone: string, instants: readonly string[]): Promise<readonly string[]> =>
    reader.csv(
      instants.map((instant) => `TIMESTAMPTZ '${instant}'`),
      { timeZone: zone },
    );

  it('distinguishes the two equal hours in autumn', async () => {
    expect(await at('Europe/Berlin', ['2020-10-25 00:30:00+00', '2020-10-25 01:30:00+00'])).toEqual([
      '2020-10-25 02:30:00.000000 +02:00',
      '2020-10-25 02:30:00.000000 +01:00',
    ]);
  });

  it('writes odd offsets in full', async () => {
    expect(await at('Europe/Berlin', ['1890-01-01 00:00:00+00'])).toEqual(['1890-01-01 00:53:28.000000 +00:53:28']);
    expect(await at('Asia/Kathmandu', ['2020-01-01 00:00:00.25+00'])).toEqual(['2020-01-01 05:45:00.250000 +05:45']);
    expect(await at('America/St_Johns', ['2020-01-01 00:00:00+00'])).toEqual(['2019-12-31 20:30:00.000000 -03:30']);
    expect(await at('Etc/GMT+12', ['2020-01-01 00:00:00+00'])).toEqual(['2019-12-31 12:00:00.000000 -12:00']);
  });

  it('is exact to the microsecond in the first and last years, where DuckDB itself is off by a millisecond', async () => {
    const ends = [
      '(SELECT max(timestamp_tz) FROM test_all_types())',
      '(SELECT min(timestamp_tz) FROM test_all_types())',
      "TIMESTAMPTZ '0044-03-15 (BC) 01:02:03.5+00'",
      "TIMESTAMPTZ '20000-01-01 00:00:00.000001+00'",
    ];
    const expected = [
      '+294247-01-10 04:00:54.775806 UTC',
      '-290308-12-22 00:00:00.000000 UTC',
      '-0043-03-15 01:02:03.500000 UTC',
      '+20000-01-01 00:00:00.000001 UTC',
    ];
    expect(await reader.csv(ends)).toEqual(expected);
    expect(await reader.csv(ends, { timeZone: 'Asia/Tokyo' })).toEqual(expected);
  });

  it('writes infinities as words, and UTC as UTC however it is spelled', async () => {
    const values = ["'infinity'::TIMESTAMPTZ", "'-infinity'::TIMESTAMPTZ", 'NULL::TIMESTAMPTZ'];
    for (const timeZone of ['UTC', 'Asia/Tokyo']) {
      expect(await reader.csv(values, { timeZone })).toEqual(['infinity', '-infinity', '']);
      expect(await reader.json(values, { timeZone })).toEqual(['"infinity"', '"-infinity"', 'null']);
    }
    expect(await at('utc', ['2020-01-01 00:00:00+00'])).toEqual(['2020-01-01 00:00:00.000000 UTC']);
    expect(await at('europe/berlin', ['2020-01-01 00:00:00+00'])).toEqual(['2020-01-01 01:00:00.000000 +01:00']);
  });

  it('keeps every instant: the text is read back as the same one, in many zones', async () => {
    const instants = [
      '0001-01-03 00:00:00+00',
      '1583-05-05 12:34:56.789+00',
      '1883-11-18 17:00:00+00',
      '1969-12-31 23:59:59.999999+00',
      '2021-03-28 01:00:00+00',
      '9999-12-30 11:59:59.999999+00',
    ];
    for (const zone of [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'Africa/Monrovia',
    ]) {
      for (const [index, text] of (await at(zone, instants)).entries()) {
        const readable = text.replace(' UTC', '+00').replace(/ (?=[-+])/, '');
        expect([zone, text, await reader.readsBack(readable, 'TIMESTAMPTZ', `'${instants[index]}'`)]).toEqual([
          zone,
          text,
          true,
        ]);
      }
    }
  });
});
