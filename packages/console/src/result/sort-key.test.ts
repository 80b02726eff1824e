import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ColumnKind } from './column-kind.ts';
import { sortKey } from './sort-key.ts';

const compare = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b));
const compareKeys = (kind: ColumnKind, a: string, b: string) => {
  const [first, second] = [sortKey(kind, a) ?? '', sortKey(kind, b) ?? ''];
  return first < second ? -1 : Number(first > second);
};

const SCALE = 12;
/** A decimal with the whole number that it is after multiplication by 10^SCALE. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: SCALE }))
  .map(([unscaled, scale]) => {
    const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    const fraction = scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`;
    return { text: `${unscaled < 0n ? '-' : ''}${whole}${fraction}`, value: unscaled * 10n ** BigInt(SCALE - scale) };
  });

describe('the sort key of a number', () => {
  it('orders decimals as their exact values', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) =>
        expect(compareKeys('number', a.text, b.text)).toBe(compare(a.value, b.value)),
      ),
    );
  });

  it('orders neighbours that a double would round', () => {
    expect(compareKeys('number', '9007199254740993', '9007199254740992')).toBe(1);
    expect(compareKeys('number', '-9007199254740993', '-9007199254740992')).toBe(-1);
    expect(compareKeys('number', '0.10000000000000000001', '0.1')).toBe(1);
  });

  it('orders doubles as JavaScript does', () => {
    const double = fc.double({ noNaN: true });
    const text = (value: number) => (Number.isFinite(value) ? String(value) : JSON.stringify(String(value)));
    fc.assert(
      fc.property(double, double, (a, b) =>
        expect(compareKeys('number', text(a), text(b))).toBe(a < b ? -1 : Number(a > b)),
      ),
    );
  });

  it.each([
    ['250.00', '250'],
    ['0', '-0.0'],
    ['1.0E300', '1e+300'],
    ['00.50', '.5'],
  ])('treats %s and %s as equal', (a, b) => expect(compareKeys('number', a, b)).toBe(0));

  it('puts the infinities at the ends, and NaN behind them', () => {
    const texts = ['"-Infinity"', '-1e308', '0', '1e308', '"Infinity"', '"NaN"'];
    for (const [index, text] of texts.slice(1).entries())
      expect(compareKeys('number', texts[index] as string, text)).toBe(-1);
  });
});

describe('the sort key of a time', () => {
  const date = fc.date({
    min: new Date('0100-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  const textOf = (value: Date, offsetMinutes: number) => {
    const local = new Date(value.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 23).replace('T', ' ');
    const minutes = Math.abs(offsetMinutes);
    const pad = (number: number) => String(number).padStart(2, '0');
    return `"${local} ${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}"`;
  };
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });

  it('orders timestamps as instants, whatever their offsets', () => {
    fc.assert(
      fc.property(date, date, offset, offset, (a, b, ofA, ofB) =>
        expect(compareKeys('timestampWithZone', textOf(a, ofA), textOf(b, ofB))).toBe(
          compare(BigInt(a.getTime()), BigInt(b.getTime())),
        ),
      ),
    );
  });

  it.each([
    [
      'date',
      ['"-infinity"', '"-0043-03-15"', '"0001-01-01"', '"2026-03-29"', '"9999-12-31"', '"+10000-01-01"', '"infinity"'],
    ],
    ['timestamp', ['"2026-03-29 12:30:00.123456789"', '"2026-03-29 12:30:00.12345679"', '"2026-03-29 12:30:01.000"']],
    ['time', ['"00:00:00"', '"12:30:00.500000"', '"12:30:00.500001"', '"24:00:00.000000"']],
    ['timeWithZone', ['"12:30:00+05:30"', '"08:00:00+00:00"', '"23:59:59.9-08:00"']],
    [
      'timestampWithZone',
      ['"2026-01-01 12:00:00 Europe/Berlin"', '"2026-01-01 11:30:00 UTC"', '"2026-01-01 07:00:00 America/New_York"'],
    ],
    [
      'timestampWithZone',
      ['"2026-07-01 12:00:00 Europe/Berlin"', '"2026-07-01 10:30:00 UTC"', '"2026-07-01 11:00:00 UTC"'],
    ],
    ['interval', ['"P-1Y"', '"P-2DT-3H-4M-5.678S"', '"PT-0.004S"', '"PT0S"', '"PT3.5S"', '"P29D"', '"P1M"', '"P1Y2M"']],
    ['binary', ['""', '"AA=="', '"AP8="', '"gA=="']],
    ['text', ['""', '"A"', '"a\\tb"', '"ab"', '"é"']],
    ['boolean', ['false', 'true']],
  ] as const)('orders %s values', (kind, texts) => {
    for (const [index, text] of texts.slice(1).entries())
      expect([texts[index], text, compareKeys(kind, texts[index] as string, text)]).toEqual([texts[index], text, -1]);
  });

  it('has no key for NULL, unlike for the empty string', () => {
    expect(sortKey('text', 'null')).toBeUndefined();
    expect(sortKey('text', '"null"')).toBe('null');
    expect(sortKey('text', '""')).toBe('');
  });
});
