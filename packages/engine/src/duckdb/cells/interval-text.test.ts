import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ValueReader } from '../../../testing/value-reader.ts';

let reader: ValueReader;
beforeAll(async () => {
  reader = await ValueReader.open();
});
afterAll(() => reader[Symbol.asyncDispose]());

const interval = (months: number | bigint, days: number | bigint, micros: number | bigint): string =>
  `to_months(${months}) + to_days(${days}) + to_microseconds(${micros})`;

/** Reads ISO 8601 durations whose fields have their own signs, into the three parts that DuckDB keeps. */
function partsOf(text: string): { months: bigint; days: bigint; micros: bigint } {
  const match =
    /^P(?:(-?\d+)Y)?(?:(-?\d+)M)?(?:(-?\d+)D)?(?:T(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?)?$/.exec(text);
  if (match === null || text.endsWith('T') || text === 'P') throw new Error(`${text} is not a duration`);
  const field = (index: number): bigint => BigInt(match[index] ?? '0');
  const seconds = field(7) * 1_000_000n + BigInt((match[8] ?? '').padEnd(6, '0'));
  return {
    months: field(1) * 12n + field(2),
    days: field(3),
    micros: (field(4) * 60n + field(5)) * 60_000_000n + (match[6] === '-' ? -seconds : seconds),
  };
}

describe('intervalText', () => {
  it('writes ISO 8601 with a sign for each field, and an empty interval as PT0S', async () => {
    const cases = [
      ["INTERVAL '0 days'", 'PT0S'],
      ["INTERVAL '1 year 2 months 3 days 4 hours 5 minutes 6.789 seconds'", 'P1Y2M3DT4H5M6.789S'],
      ["INTERVAL '1 month -1 day'", 'P1M-1D'],
      ["INTERVAL '-14 months'", 'P-1Y-2M'],
      ["INTERVAL '-90.5 seconds'", 'PT-1M-30.5S'],
      ["INTERVAL '-0.000001 seconds'", 'PT-0.000001S'],
      ["INTERVAL '-1 day 1 second'", 'P-1DT1S'],
      ["INTERVAL '0.5 seconds'", 'PT0.5S'],
      ["INTERVAL '36 hours'", 'PT36H'],
    ] as const;
    const literals = cases.map(([sql]) => sql);
    const texts = cases.map(([, text]) => text);
    expect(await reader.csv([...literals, 'NULL::INTERVAL'])).toEqual([...texts, '']);
    expect(await reader.json([...literals, 'NULL::INTERVAL'])).toEqual([...texts.map((text) => `"${text}"`), 'null']);
  });

  it('keeps months, days and microseconds, which are independent', async () => {
    const numbers = [0n, 1n, -1n, 11n, -13n, 2_147_483_647n, -2_147_483_647n];
    const micros = [
      0n,
      1n,
      -1n,
      59_999_999n,
      -60_000_001n,
      3_599_999_999n,
      9_223_372_036_854_775_807n,
      -9_223_372_036_854_775_807n,
    ];
    const parts = numbers.flatMap((months) =>
      micros.map((microseconds, index) => ({
        months,
        days: numbers[index % numbers.length] ?? 0n,
        micros: microseconds,
      })),
    );
    const texts = await reader.csv(parts.map((part) => interval(part.months, part.days, part.micros)));
    expect(texts.map(partsOf)).toEqual(parts);
  });
});
